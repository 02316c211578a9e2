import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RefreshedList } from '../../../../graph-loaders/kept/refresh-lists.ts';
import { everyMsOf, PUBLISHED_LISTS, worthText } from '../../../../graph-loaders/sources.ts';
import { readConfig } from '../../../config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { InvalidInputError } from '../../../errors.ts';
import { describeKeptLists } from '../../../questions/check-sources.ts';
import { removeKeptLists } from '../../../records/lists/kept-lists.ts';
import { place } from '../arguments.ts';
import { reportText } from '../load.ts';
import { print, textTable } from '../output.ts';
import { socketPath, withContext, withRecords } from '../stores.ts';

export function addListCommands(program: Command): void {
  const lists = program
    .command('lists')
    .description('the lists that the service fetches by itself, with their state')
    .action(async (_: unknown, command: Command) => {
      print(command, await withRecords(describeKeptLists), (kept) =>
        kept.length === 0 ? 'No list is kept. traceflow lists suggest names public ones.' : textTable(kept),
      );
    });

  lists
    .command('add')
    .description('keeps a list current: fetches and loads it now and again')
    .argument('<source>', 'as in load')
    .argument('<place>', 'URL, file, folder or archive; archive.zip#folder for a folder in it', place)
    .option('--every <period>', 'such as 12h, 1d or 2w; left out: as often as a public list declares, else 1d', period)
    .option('--as-of-header', 'Last-Modified of the server is the day of the list', false)
    .action(
      async (source: string, place: string, options: { every?: number; asOfHeader: boolean }, command: Command) => {
        const { addKeptList } = await import('../../../../graph-loaders/kept/keep.ts');
        const { createGuard } = await import('../../../outbound/guard.ts');
        const { WEBHOOK_ALLOW_CIDRS: allowCidrs, WEBHOOK_ALLOW_HTTP: allowHttp } = readConfig();
        const { every: everyMs = everyMsOf(source), asOfHeader } = options;
        const guard = createGuard({ allowCidrs, allowHttp });
        await withRecords((records) =>
          addKeptList({ records, now: Date.now }, guard, { source, place, everyMs, asOfHeader }),
        );
        const text = `${source} is kept. A running service loads it within a minute; traceflow lists refresh does at once.`;
        print(command, { source, place, every_ms: everyMs }, () => text);
      },
    );

  lists
    .command('remove')
    .description('fetches a list no more; its labels stay')
    .argument('<source>')
    .argument('[place]', 'one place of the source; left out: all', place)
    .action(async (source: string, place: string | undefined, _: unknown, command: Command) => {
      const removed = await withRecords((records) => removeKeptLists(records, { source, place }, Date.now()));
      if (removed === 0) throw new InvalidInputError(`No such list is kept: ${source}${place ? ` ${place}` : ''}`);
      print(command, { source, removed }, () => `${source}: ${removed} no longer kept; what was loaded stays`);
    });

  lists
    .command('refresh')
    .description('fetches and loads kept lists now; a list that waits is decided by --replace or --keep')
    .argument('[source]', 'left out: all')
    .option('--replace', 'end all that the newer list no longer holds, however much it is', false)
    .addOption(new Option('--keep', 'keep all that it no longer holds').conflicts('replace').default(false))
    .action(async (source: string | undefined, options: { replace: boolean; keep: boolean }, command: Command) => {
      const { refreshKeptLists } = await import('../../../../graph-loaders/kept/refresh-lists.ts');
      const { handOver } = await import('../../handover.ts');
      const config = readConfig();
      const request = { source, endings: options.replace ? 'end' : options.keep ? 'keep' : undefined } as const;
      const refreshed =
        (await handOver(socketPath(config), { kind: 'lists_refresh', ...request })) ??
        (await withContext(config, (ctx) => refreshKeptLists(ctx, request)));
      print(command, refreshed, (all) => all.map(asText).join('\n') || '(none)');
      if (refreshed.some(({ state }) => state !== 'current')) process.exitCode = 1;
    });

  lists
    .command('suggest')
    .description('where to get known public lists, with their licences')
    .action((_: unknown, command: Command) => {
      print(command, PUBLISHED_LISTS, suggestionText);
    });
}

function suggestionText(known: typeof PUBLISHED_LISTS): string {
  return known
    .map(
      ({ source, ...terms }) =>
        `${source}: ${terms.publisher}; licence: ${terms.licence}; new ones: ${terms.load_again}; knows: ${worthText(terms)}\n  traceflow lists add ${source} ${terms.url}`,
    )
    .join('\n');
}

function asText({ source, state, problem, report }: RefreshedList): string {
  return `${source}: ${state}${report === null ? `, ${problem ?? 'unchanged'}` : `\n${reportText(report)}`}`;
}

/** Milliseconds. */
function period(value: string): number {
  const [, count, unit] = /^(\d{1,4})([mhdw])$/.exec(value) ?? [];
  const unitMs = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }[unit ?? ''] ?? Number.NaN;
  const ms = Number(count) * unitMs;
  if (!(ms >= 10 * MINUTE_MS && ms <= 366 * DAY_MS)) {
    throw new InvalidArgumentError('A period such as 12h, 1d or 2w, of ten minutes at least.');
  }
  return ms;
}

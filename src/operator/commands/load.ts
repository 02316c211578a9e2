import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LoadRequest } from '../../../graph-loaders/load-request.ts';
import { parseDay, parseMoment } from '../../../graph-loaders/reading/moments.ts';
import type { LoadReport } from '../../../graph-loaders/reading/tally.ts';
import { SOURCE_NAMES } from '../../../graph-loaders/sources.ts';
import { readConfig } from '../../config.ts';
import type { Chain } from '../../domain/chain.ts';
import { InvalidInputError } from '../../errors.ts';
import type { ClusterLoad } from '../../graph/imported-clusters.ts';
import { chain, place } from './arguments.ts';
import { isJson, print } from './output.ts';
import { socketPath, withContext } from './stores.ts';

const ERRORS_SHOWN = 20;
const NAMES_SHOWN = 20;
/** Labels wait for `--replace` or `--keep`. */
const DECISION_NEEDED = 1;

interface LoadCommandOptions {
  replace: boolean;
  keep: boolean;
  asOf?: number;
  whole: boolean;
  fromStart: boolean;
  format?: string;
  chain?: Chain;
  token?: string;
  address?: string;
  columns?: string;
}

export function addLoadCommand(program: Command): void {
  program
    .command('load')
    .description('loads labels, transfers or prices; a running server does the work where the graph is held')
    .argument('<source>', `one of ${SOURCE_NAMES.join(', ')}, clusters`, knownSource)
    .argument('<input>', 'file, folder or http(s) URL', place)
    .option(
      '--replace',
      'end all that the list no longer holds, however much it is; of bridges, also all of them',
      false,
    )
    .addOption(new Option('--keep', 'keep all that the list no longer holds').conflicts('replace').default(false))
    .option('--as-of <date>', 'the day of the list; what it no longer holds ends on it', pastDay)
    .option('--whole', 'transfers: the file has every transfer of its addresses between its first and last one', false)
    .addOption(
      new Option('--from-start', 'as --whole, and its addresses had no transfer before the file begins')
        .implies({ whole: true })
        .default(false),
    )
    .option('--format <name>', 'transfers: the table of an explorer (docs/formats.md); left out: known by its header')
    .option(
      '--chain <chain>',
      'transfers: the chain of a table that does not say it; of clusters: bitcoin without it',
      chain,
    )
    .option('--token <contract>', 'transfers: the token of a table that does not say it')
    .option('--address <address>', 'transfers: whose a table of directions is')
    .option('--columns <file>', 'transfers: a JSON file that says what the columns of another table mean')
    .action(async (source: string, input: string, options: LoadCommandOptions, command: Command) => {
      if (source === 'clusters') return print(command, await runClusters(input, options), clustersText);
      const request: LoadRequest = {
        source,
        input,
        endings: options.replace ? 'end' : options.keep ? 'keep' : 'wait',
        asOf: options.asOf,
        ...(options.whole && { whole: { fromStart: options.fromStart } }),
        ...tableOptions(options),
      };
      const report = await run(request, !isJson(command));
      print(command, report, reportText);
      if (report.waiting) process.exitCode = DECISION_NEEDED;
    });
}

/** Takes from the options what they say of a table of transfers. */
function tableOptions({ format, chain, token, address, columns }: LoadCommandOptions): Partial<LoadRequest> {
  const stated = Object.entries({ format, chain, token, address }).filter(([, value]) => value !== undefined);
  const map = columns === undefined ? undefined : readMap(columns);
  return {
    ...(stated.length > 0 && { table: Object.fromEntries(stated) }),
    ...(columns !== undefined && { columns: map }),
  };
}

function readMap(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new InvalidInputError(`--columns: ${path}: ${(cause as Error).message}`, { cause });
  }
}

async function run(request: LoadRequest, mayShowProgress: boolean): Promise<LoadReport> {
  // Imported when needed: the other commands start without the loaders and the graph.
  const { load } = await import('../../../graph-loaders/load.ts');
  const { finishLoads } = await import('../../../graph-loaders/kept/finish-loads.ts');
  const { handOver } = await import('../handover.ts');
  const config = readConfig();
  const bar = mayShowProgress && process.stderr.isTTY ? await startBar(request.source) : null;
  const onProgress = (rows: number) => bar?.update(rows);
  try {
    return (
      (await handOver(socketPath(config), { kind: 'load', ...request }, onProgress)) ??
      (await withContext(config, async (ctx) => {
        await finishLoads(ctx);
        return load(request, ctx, { onProgress, isAlone: !config.NEO4J_URI });
      }))
    );
  } finally {
    bar?.stop();
  }
}

/** Keeps clusters in files beside the graph, which a running service looks up: it takes no part in the load. */
async function runClusters(input: string, { chain = 'bitcoin', asOf }: LoadCommandOptions): Promise<ClusterLoad> {
  const { keepClusters } = await import('../../graph/imported-clusters.ts');
  return keepClusters(readConfig().DATA_DIR, { chain, input, source: basename(input), at: asOf ?? Date.now() });
}

function clustersText({ read, loaded, skipped }: ClusterLoad): string {
  return `clusters: ${read} read, ${loaded} loaded, ${skipped} skipped`;
}

/** How many rows are to come is not known: the bar counts. */
async function startBar(source: string): Promise<SingleBar> {
  const { SingleBar } = (await import('cli-progress')).default;
  const bar = new SingleBar({
    format: `${source} {value} rows in {duration_formatted}`,
    clearOnComplete: true,
    hideCursor: true,
    stream: process.stderr,
  });
  bar.start(Number.MAX_SAFE_INTEGER, 0);
  return bar;
}

/** Counts of a load, and the first rows that could not be used. */
export function reportText(report: LoadReport): string {
  const { source, read, loaded, skipped, errors: all, waiting = [], whole_addresses, in_graph } = report;
  const { unmapped = [], not_read = [], files = [] } = report;
  const errors = all.slice(waiting.length);
  const lines = errors
    .slice(0, ERRORS_SHOWN)
    .map(({ line, reason }) => `  ${line > 0 ? `line ${line}: ` : ''}${reason}`);
  if (errors.length > ERRORS_SHOWN) lines.push(`  … and ${errors.length - ERRORS_SHOWN} more (--json lists them)`);
  const counts = `${source}: ${read} read, ${loaded} loaded, ${skipped} skipped`;
  const whole = whole_addresses === undefined ? [] : [`${whole_addresses} addresses count as read`];
  const named = in_graph ? [`names ${in_graph.addresses} of ${in_graph.of} addresses in the graph`] : [];
  const words = unmapped.map(({ field, word, rows }) => `${field} ${word} (${rows})`);
  const unknown = words.length === 0 ? [] : [`not mapped: ${shortened(words)}`];
  const others = not_read.length === 0 ? [] : [`not read: ${shortened(not_read)}`];
  const each = files.map(
    (file) => `  ${file.name}: ${file.format ? `${file.format}, ` : ''}${file.read} read, ${file.loaded} loaded`,
  );
  if (each.length > NAMES_SHOWN)
    each.splice(NAMES_SHOWN, each.length, `  … and ${files.length - NAMES_SHOWN} more files (--json lists them)`);
  return [...waiting, counts, ...each, ...named, ...whole, ...others, ...unknown, ...lines].join('\n');
}

/** The first of a list, with the number of those that only --json lists. */
function shortened(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more (--json lists them)` : '');
}

function knownSource(value: string): string {
  const known: readonly string[] = [...SOURCE_NAMES, 'clusters'];
  if (!known.includes(value)) {
    throw new InvalidArgumentError(`Unknown source. One of ${known.join(', ')}.`);
  }
  return value;
}

/** Epoch ms of the first moment of a UTC day that has begun. */
function pastDay(value: string): number {
  const day = parseDay(value);
  const at = day === null ? null : parseMoment(day);
  if (at === null || at > Date.now()) throw new InvalidArgumentError('A day such as 2026-11-20, not in the future.');
  return at;
}

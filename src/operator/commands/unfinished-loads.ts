import type { Command } from 'commander';
import { iso } from '../../domain/time.ts';
import { InvalidInputError } from '../../errors.ts';
import { readUnfinished, withdrawUnfinished } from '../../records/lists/unfinished-loads.ts';
import { place } from './arguments.ts';
import { print, textTable } from './output.ts';
import { withRecords } from './stores.ts';

export function addUnfinishedLoadCommands(program: Command): void {
  const loads = program
    .command('loads')
    .description('loads that are at work or were cut off; the running service, or the next load, repeats the latter')
    .action(async (_: unknown, command: Command) => {
      const unfinished = await withRecords((records) => readUnfinished(records));
      const shown = unfinished.map(({ source, input, started_at, touched_at }) => ({
        source,
        input,
        started_at: iso(started_at),
        seen_at_work_at: iso(touched_at),
      }));
      print(command, shown, (all) => (all.length === 0 ? 'Every load has ended.' : textTable(all)));
    });

  loads
    .command('withdraw')
    .description('does not repeat a load that was cut off; what it stored stays')
    .argument('<source>', 'as loads shows it')
    .argument('<input>', 'as loads shows it', place)
    .action(async (source: string, input: string, _: unknown, command: Command) => {
      const withdrawn = await withRecords((records) => withdrawUnfinished(records, { source, input }, Date.now()));
      if (!withdrawn) throw new InvalidInputError(`No such load: ${source} ${input}`);
      print(command, { source, input, withdrawn }, () => `${source}: not repeated; what it stored stays`);
    });
}

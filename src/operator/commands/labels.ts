import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { termsOf } from '../../../graph-loaders/list-terms.ts';
import { openLabelLists } from '../../labels/label-lists.ts';
import { print, textTable } from './output.ts';
import { withRecords } from './stores.ts';

export function addLabelCommands(program: Command): void {
  const labels = program.command('labels').description('the loaded labels');

  labels
    .command('sources')
    .description('each list with its entries in force, its day, its licence and how often to load it again')
    .action(async (_: unknown, command: Command) => {
      const lists = await withRecords((records) => openLabelLists(records, Date.now).lists());
      print(command, lists.map(withTerms), textTable);
    });

  labels
    .command('export')
    .description(
      'writes labels in force as GraphSense TagPacks, one file a source: your own, and lists whose licence lets you',
    )
    .argument('<dir>', 'a new or empty folder')
    .addOption(new Option('--source <source...>', 'these sources alone, as `labels sources` names them'))
    .action(async (dir: string, { source }: { source?: string[] }, command: Command) => {
      const { exportTagpacks } = await import('../export-labels.ts');
      const written = await withRecords((records) => exportTagpacks(records, resolve(dir), { sources: source }));
      print(command, written, textTable);
    });
}

function withTerms<List extends { source: string }>(list: List) {
  const { licence = null, load_again = null } = termsOf(list.source) ?? {};
  return { ...list, licence, load_again };
}

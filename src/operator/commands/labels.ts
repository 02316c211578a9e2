import type { Command } from 'commander';
import { termsOf } from '../../../graph-loaders/list-terms.ts';
import { openLabelLists } from '../../labels/label-lists.ts';
import { print, textTable } from './output.ts';
import { withRecords } from './stores.ts';

export function addLabelCommands(program: Command): void {
  program
    .command('labels')
    .description('the loaded labels')
    .command('sources')
    .description('each list with its entries in force, its day, its licence and how often to load it again')
    .action(async (_: unknown, command: Command) => {
      const lists = await withRecords((records) => openLabelLists(records, Date.now).lists());
      print(command, lists.map(withTerms), textTable);
    });
}

function withTerms<List extends { source: string }>(list: List) {
  const { licence = null, load_again = null } = termsOf(list.source) ?? {};
  return { ...list, licence, load_again };
}

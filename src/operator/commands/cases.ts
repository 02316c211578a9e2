import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { InvalidInputError } from '../../errors.ts';
import { PLANS } from '../../plans.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import { operatorFor } from '../../records/audit/audit-log.ts';
import { print } from './output.ts';
import { withRecords } from './stores.ts';

export function addCaseCommands(program: Command): void {
  const cases = program.command('cases').description('cases of an account');

  cases
    .command('import')
    .description('a case of another installation, from the archive that the API gives there')
    .argument('<file>', 'what GET /cases/{case_id}/archive.zip gave')
    .requiredOption('--account <id>', 'the account')
    .action(async (file: string, { account: accountId }: { account: string }, command: Command) => {
      const { importCase } = await import('../../questions/cases/archive/import-case.ts');
      const packed = await readFile(file).catch((cause: Error) => {
        throw new InvalidInputError(`Cannot read ${file}: ${cause.message}`, { cause });
      });
      const found = await withRecords(async (records) => {
        const { plan_id } = await findAccount(records, accountId);
        const actor = { ...operatorFor(accountId), plan: PLANS[plan_id] };
        return importCase({ records, now: Date.now }, actor, packed);
      });
      print(command, found, ({ case: { id, title }, imported }) =>
        imported ? `${title} is imported as ${id}` : `${title} is there already as ${id}`,
      );
    });
}

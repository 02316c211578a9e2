import type { Command } from 'commander';
import { iso, isoOrNull } from '../../domain/time.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import { insertKey, listKeyRows, revokeKeyRow } from '../../records/accounts/keys.ts';
import { name } from './arguments.ts';
import { print, textTable } from './output.ts';
import { withRecords } from './stores.ts';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('API keys of an account');

  keys
    .command('create')
    .description('a new key; it is shown once and never again')
    .requiredOption('--account <id>', 'the account')
    .option('--name <name>', 'name of the key', name, 'default')
    .action(async (options: { account: string; name: string }, command: Command) => {
      const { id, key, prefix, name } = await withRecords((records) =>
        insertKey(records, { accountId: options.account, name: options.name }, Date.now()),
      );
      print(command, { id, key, prefix, name }, () => `${key}\nThis key is shown once. Its id is ${id}.`);
    });

  keys
    .command('list')
    .description('the live keys of an account')
    .requiredOption('--account <id>', 'the account')
    .action(async (options: { account: string }, command: Command) => {
      const found = await withRecords(async (records) => {
        await findAccount(records, options.account);
        return listKeyRows(records, options.account);
      });
      print(
        command,
        found.map((key) => ({
          ...key,
          created_at: iso(key.created_at),
          last_used_at: isoOrNull(key.last_used_at),
        })),
        textTable,
      );
    });

  keys
    .command('revoke')
    .description('ends a key; running servers refuse it within 5 s')
    .argument('<id>', 'id of the key')
    .action(async (id: string, _: unknown, command: Command) => {
      await withRecords((records) => revokeKeyRow(records, { id }, Date.now()));
      print(command, { revoked: true, id }, () => `Key ${id} is revoked`);
    });
}

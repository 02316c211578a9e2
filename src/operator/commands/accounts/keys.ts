import type { Command } from 'commander';
import { type KeyRight, RIGHTS } from '../../../domain/account/rights.ts';
import { isoOrNull } from '../../../domain/time.ts';
import { endKey, keyEntry, makeKey } from '../../../questions/account/manage-keys.ts';
import { findAccount } from '../../../records/accounts/accounts.ts';
import { listKeyRows } from '../../../records/accounts/keys.ts';
import { OPERATOR, operatorFor } from '../../../records/audit/audit-log.ts';
import { endOfKey, name, networks, rights } from '../arguments.ts';
import { print, textTable } from '../output.ts';
import { withRecords } from '../stores.ts';

interface NewKeyOptions {
  account: string;
  name: string;
  scopes?: KeyRight[];
  expires?: number;
  allowIp?: string[];
}

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('API keys of an account');

  keys
    .command('create')
    .description('a new key; it is shown once and never again')
    .requiredOption('--account <id>', 'the account')
    .option('--name <name>', 'name of the key', name, 'default')
    .option('--scopes <rights>', `its rights, separated by commas: ${RIGHTS.join(', ')} (all)`, rights)
    .option('--expires <moment>', 'from when on it is refused, such as 2027-01-31 (never)', endOfKey)
    .option('--allow-ip <list>', 'addresses and networks that it may be used from, separated by commas (any)', networks)
    .action(async (options: NewKeyOptions, command: Command) => {
      const { account: accountId, scopes, expires: expiresAt, allowIp: allowedIps } = options;
      const row = { name: options.name, scopes, expiresAt, allowedIps };
      const { id, key, prefix, name } = await withRecords((records) =>
        makeKey(records, operatorFor(accountId), row, Date.now()),
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
        return listKeyRows(records, options.account, Date.now());
      });
      print(
        command,
        found.map((key) => ({ ...keyEntry(key), last_used_at: isoOrNull(key.last_used_at) })),
        textTable,
      );
    });

  keys
    .command('revoke')
    .description('ends a key; running servers refuse it within 5 s')
    .argument('<id>', 'id of the key')
    .action(async (id: string, _: unknown, command: Command) => {
      await withRecords((records) => endKey(records, OPERATOR, id, Date.now()));
      print(command, { revoked: true, id }, () => `Key ${id} is revoked`);
    });
}

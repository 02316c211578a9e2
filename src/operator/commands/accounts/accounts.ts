import { type Command, Option } from 'commander';
import { iso } from '../../../domain/time.ts';
import type { PlanId } from '../../../plans.ts';
import { eraseAccount } from '../../../questions/account/erase-account.ts';
import {
  addScans,
  moveToPlan,
  openAccount,
  resumeAccount,
  suspendAccount,
} from '../../../questions/account/manage-accounts.ts';
import { type Account, listAccounts } from '../../../records/accounts/accounts.ts';
import { name, planId, positiveCount } from '../arguments.ts';
import { print, textTable } from '../output.ts';
import { withRecords } from '../stores.ts';

export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('accounts and their plans');

  accounts
    .command('create')
    .description('a new account')
    .requiredOption('--name <name>', 'name of the account', name)
    .requiredOption('--plan <plan>', 'its plan', planId)
    .action(async (options: { name: string; plan: PlanId }, command: Command) => {
      const account = await withRecords((records) =>
        openAccount(records, { name: options.name, planId: options.plan }, Date.now()),
      );
      print(command, identity(account), ({ id, plan_id }) => `Account ${id} on plan ${plan_id}`);
    });

  accounts
    .command('list')
    .description('all accounts, oldest first')
    .action(async (_: unknown, command: Command) => {
      const found = await withRecords(listAccounts);
      print(
        command,
        found.map((account) => ({
          ...identity(account),
          topup_remaining: account.topup_remaining,
          created_at: iso(account.created_at),
          ...(account.suspended_at === null ? {} : { suspended_at: iso(account.suspended_at) }),
        })),
        textTable,
      );
    });

  accounts
    .command('set-plan')
    .description('moves an account to another plan, in running servers within 5 s')
    .argument('<id>', 'the account')
    .argument('<plan>', 'its new plan', planId)
    .action(async (id: string, plan: PlanId, _: unknown, command: Command) => {
      const account = await withRecords((records) => moveToPlan(records, id, plan, Date.now()));
      print(command, identity(account), ({ plan_id }) => `Account ${id} is on plan ${plan_id}`);
    });

  accounts
    .command('topup')
    .description('adds scans that do not end with the month')
    .argument('<id>', 'the account')
    .argument('<scans>', 'how many', positiveCount)
    .action(async (id: string, scans: number, _: unknown, command: Command) => {
      const account = await withRecords((records) => addScans(records, id, scans, Date.now()));
      const result = { ...identity(account), topup_remaining: account.topup_remaining };
      print(command, result, ({ topup_remaining }) => `Account ${id} has ${topup_remaining} bought scans`);
    });

  accounts
    .command('suspend')
    .description(
      'refuses the keys and people of an account, in running servers within 5 s, and stops its jobs and watches',
    )
    .argument('<id>', 'the account')
    .action(async (id: string, _: unknown, command: Command) => {
      await withRecords((records) => suspendAccount(records, id, Date.now()));
      print(command, { suspended: true, id }, () => `Account ${id} is suspended`);
    });

  accounts
    .command('resume')
    .description('ends the suspension of an account: its jobs go on')
    .argument('<id>', 'the account')
    .action(async (id: string, _: unknown, command: Command) => {
      await withRecords((records) => resumeAccount(records, id, Date.now()));
      print(command, { suspended: false, id }, () => `Account ${id} is served again`);
    });

  accounts
    .command('erase')
    .description('deletes an account with all that it has; killed half-way, it goes on when it is run again')
    .argument('<id>', 'the account')
    .option('--despite-hold', 'erases cases under legal hold too')
    .addOption(new Option('--yes', 'confirms: what is deleted is gone').makeOptionMandatory())
    .action(async (id: string, { despiteHold }: { despiteHold?: boolean }, command: Command) => {
      const records = await withRecords((store) => eraseAccount(store, id, { despiteHold }, Date.now()));
      print(command, { erased: true, id, records }, () => `Account ${id} is erased: ${records} records`);
    });
}

function identity({ id, name, plan_id }: Account) {
  return { id, name, plan_id };
}

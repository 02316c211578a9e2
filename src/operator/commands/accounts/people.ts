import type { Command } from 'commander';
import type { Role } from '../../../domain/account/rights.ts';
import { ROLE_NAMES } from '../../../domain/account/rights.ts';
import {
  changePerson,
  invitePerson,
  type PersonEntry,
  personEntry,
  removePerson,
} from '../../../questions/account/manage-people.ts';
import { findAccount } from '../../../records/accounts/accounts.ts';
import { pagePeople } from '../../../records/accounts/people.ts';
import { OPERATOR, operatorFor } from '../../../records/audit/audit-log.ts';
import { emailAddress, name, roles } from '../arguments.ts';
import { print, textTable } from '../output.ts';
import { withRecords } from '../stores.ts';

interface Invitation {
  account: string;
  email: string;
  roles: Role[];
  name?: string;
}

const ALL = { limit: 10_000, offset: 0 };

export function addPeopleCommands(program: Command): void {
  const people = program.command('people').description('people of an account, who sign in with the OpenID provider');
  const known = ROLE_NAMES.join(', ');

  people
    .command('invite')
    .description('lets a person join with their first sign-in; no mail is sent')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--email <address>', 'as the provider knows it', emailAddress)
    .requiredOption('--roles <roles>', `separated by commas: ${known}`, roles)
    .option('--name <name>', 'left out: the name that the provider gives', name)
    .action(async ({ account, ...invitation }: Invitation, command: Command) => {
      const inviter = { actor: operatorFor(account) };
      const person = await withRecords((records) => invitePerson(records, inviter, invitation, Date.now()));
      print(command, person, ({ id, email }) => `${email} may sign in. The id is ${id}.`);
    });

  people
    .command('list')
    .description('people of an account who are not removed')
    .requiredOption('--account <id>', 'the account')
    .action(async (options: { account: string }, command: Command) => {
      const found = await withRecords(async (records) => {
        await findAccount(records, options.account);
        return pagePeople(records, options.account, ALL);
      });
      print(command, found.people.map(personEntry), textTable);
    });

  people
    .command('roles')
    .description('replaces the roles of a person, at once')
    .argument('<id>', 'id of the person')
    .argument('<roles>', `separated by commas: ${known}`, roles)
    .action(async (id: string, given: Role[], _: unknown, command: Command) => {
      const change = (records: Parameters<typeof changePerson>[0]) =>
        changePerson(records, { actor: OPERATOR }, id, { roles: given }, Date.now());
      print(command, await withRecords(change), (one: PersonEntry) => `${one.email}: ${one.roles.join(', ')}`);
    });

  people
    .command('remove')
    .description('ends the sessions of a person and lets them in no more; what they wrote keeps the name')
    .argument('<id>', 'id of the person')
    .action(async (id: string, _: unknown, command: Command) => {
      await withRecords((records) => removePerson(records, { actor: OPERATOR }, id, Date.now()));
      print(command, { removed: true, id }, () => `Person ${id} is removed`);
    });
}

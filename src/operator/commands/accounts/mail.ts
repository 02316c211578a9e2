import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { allowMails } from '../../../questions/account/mail-recipients.ts';
import { print } from '../output.ts';
import { withRecords } from '../stores.ts';

export function addMailCommands(program: Command): void {
  program
    .command('mail')
    .description('recipients of the mails of an account')
    .command('allow')
    .description('lets the batches of an account mail to an address, which is not asked itself')
    .argument('<account>', 'the account')
    .argument('<address>', 'the mail address', mailAddress)
    .action(async (accountId: string, address: string, _: unknown, command: Command) => {
      await withRecords((records) => allowMails(records, { accountId, address }, Date.now()));
      print(command, { account: accountId, address }, () => `Account ${accountId} may mail to ${address}`);
    });
}

function mailAddress(value: string): string {
  const { data } = z.email().safeParse(value.trim());
  if (data === undefined) throw new InvalidArgumentError('A mail address such as desk@example.org.');
  return data.toLowerCase();
}

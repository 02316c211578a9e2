import { once } from 'node:events';
import type { Command } from 'commander';
import { UnknownAccountError } from '../../../errors.ts';
import { auditEntry } from '../../../questions/account/list-audit.ts';
import { listAccounts } from '../../../records/accounts/accounts.ts';
import { OPERATOR_CHAIN } from '../../../records/audit/chain.ts';
import { listChains, readChain, type VerifiedChain, verifyChain } from '../../../records/audit/keep-audit.ts';
import type { Records } from '../../../records/database/database.ts';
import { isJson, print } from '../output.ts';
import { withRecords } from '../stores.ts';

interface Which {
  account?: string;
}

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('the audit log: who did what');
  const account = ['--account <id>', `one account, or "${OPERATOR_CHAIN}" for what concerns all (all chains)`] as const;

  audit
    .command('export')
    .description(
      'prints all entries, each chain in its order, one JSON object a line; exit code 1 where verify finds a fault',
    )
    .option(...account)
    .action(async (options: Which, command: Command) => {
      const verified = await withRecords(async (records) => {
        await exportAudit(records, options, isJson(command));
        return verifyChains(records, options);
      });
      const faulty = verified.filter(isFaulty);
      if (faulty.length > 0) process.stderr.write(`${asText(faulty)}\n`);
    });

  audit
    .command('verify')
    .description('follows the hashes of each chain; exit code 1 where an entry is missing or was changed')
    .option(...account)
    .action(async (options: Which, command: Command) => {
      print(command, await withRecords((records) => verifyChains(records, options)), asText);
    });
}

/** Each account has a chain from its first day. */
async function chainsOf(records: Records, { account }: Which): Promise<string[]> {
  const accounts = (await listAccounts(records)).map(({ id }) => id);
  const chains = [...new Set([...(await listChains(records)), ...accounts])];
  if (account === undefined) return chains;
  if (account !== OPERATOR_CHAIN && !chains.includes(account)) throw new UnknownAccountError(account);
  return chains.filter((chain) => chain === account);
}

async function verifyChains(records: Records, which: Which): Promise<VerifiedChain[]> {
  const verified: VerifiedChain[] = [];
  for (const chain of await chainsOf(records, which)) verified.push(await verifyChain(records, chain));
  if (verified.some(isFaulty)) process.exitCode = 1;
  return verified;
}

function isFaulty({ problem }: VerifiedChain): boolean {
  return problem !== null;
}

/** Written as it is read, since a log may be large. */
async function exportAudit(records: Records, which: Which, json: boolean): Promise<void> {
  let separator = json ? '[' : '';
  let isOpen = true;
  process.stdout.once('error', () => {
    isOpen = false;
  });
  for (const chain of await chainsOf(records, which)) {
    for await (const row of readChain(records, chain)) {
      const line = `${separator}${JSON.stringify({ account: chain, ...auditEntry(row) })}${json ? '' : '\n'}`;
      if (!isOpen) return;
      if (!process.stdout.write(line))
        await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]);
      if (json) separator = ',\n';
    }
  }
  if (json) process.stdout.write(separator === '[' ? '[]\n' : ']\n');
}

function asText(chains: readonly VerifiedChain[]): string {
  if (chains.length === 0) return '(none)';
  return chains
    .map(
      ({ chain, entries, hash, problem }) => `${chain}: ${problem ?? `${entries} entries hold, the last is ${hash}`}`,
    )
    .join('\n');
}

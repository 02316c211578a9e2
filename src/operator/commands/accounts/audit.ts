import { once } from 'node:events';
import type { Command } from 'commander';
import { auditEntry } from '../../../questions/account/list-audit.ts';
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
    .description('prints all entries, each chain in its order, one JSON object a line')
    .option(...account)
    .action(async (options: Which, command: Command) => {
      await withRecords((records) => exportAudit(records, options, isJson(command)));
    });

  audit
    .command('verify')
    .description('follows the hashes of each chain; exit code 1 where an entry is missing or was changed')
    .option(...account)
    .action(async (options: Which, command: Command) => {
      const verified = await withRecords(async (records) => {
        const chains: VerifiedChain[] = [];
        for (const chain of await chainsOf(records, options)) chains.push(await verifyChain(records, chain));
        return chains;
      });
      print(command, verified, asText);
      if (verified.some(({ problem }) => problem !== null)) process.exitCode = 1;
    });
}

async function chainsOf(records: Records, { account }: Which): Promise<string[]> {
  const chains = (await listChains(records)).map(({ chain }) => chain);
  return account === undefined ? chains : chains.filter((chain) => chain === account);
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

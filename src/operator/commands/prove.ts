import { writeFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type Config, readConfig } from '../../config.ts';
import { isChain } from '../../domain/chain.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import type { AskedTransaction } from '../../questions/prove-transactions.ts';
import type { Records } from '../../records/database/database.ts';
import { print } from './output.ts';
import { withRecords } from './stores.ts';

const OPERATOR = 'operator';

export function addProveCommand(program: Command): void {
  program
    .command('prove')
    .argument('[transactions...]', 'as chain:hash')
    .option('--case <id>', 'the transactions of the newest report package of a case')
    .requiredOption('--output <file>', 'where the proofs are written')
    .description('asks the sources of the chains for proofs that blocks hold transactions, for traceflow verify')
    .action(async (named: string[], { case: caseId, output }: { case?: string; output: string }, command: Command) => {
      const asked = [
        ...(await parse(named)),
        ...(caseId ? await withRecords((records) => ofCase(records, caseId)) : []),
      ];
      if (asked.length === 0) throw new InvalidInputError('Name transactions as chain:hash, or a case');
      const file = await prove(readConfig(), asked);
      await writeFile(output, `${JSON.stringify(file)}\n`);
      const found = { output, proofs: file.proofs.length, not_provable: file.not_provable };
      print(command, found, ({ proofs, not_provable }) =>
        [
          `${proofs} of ${asked.length} transactions are proved in ${output}`,
          ...not_provable.map(({ chain, tx_hash, reason }) => `no proof  ${chain} ${tx_hash}: ${reason}`),
        ].join('\n'),
      );
      if (file.proofs.length === 0) process.exitCode = 1;
    });
}

async function parse(named: readonly string[]): Promise<AskedTransaction[]> {
  const { canonicalTxHash } = await import('../../domain/tx-hash.ts');
  return named.map((one) => {
    const [chain = '', text = ''] = one.split(':');
    const hash = isChain(chain) ? canonicalTxHash(chain, text) : null;
    if (!isChain(chain) || !hash) throw new InvalidInputError(`${one} is not a transaction as chain:hash`);
    return { chain, hash };
  });
}

async function prove(config: Config, asked: readonly AskedTransaction[]) {
  const { openChainSources } = await import('../../chains/all/open-sources.ts');
  const { openMemoryLimits } = await import('../../fairness/limits/memory.ts');
  const { createMetrics } = await import('../../http/metrics/metrics.ts');
  const { pino } = await import('pino');
  const { proofsFile } = await import('../../proofs/proofs-file.ts');
  const { proveTransactions } = await import('../../questions/prove-transactions.ts');
  const limits = openMemoryLimits(Date.now);
  const { chainSource } = openChainSources(config, { metrics: createMetrics(), limits, now: Date.now });
  try {
    const ctx = { chainSource, log: pino({ level: config.LOG_LEVEL, base: undefined }, pino.destination(2)) };
    const { proofs, notProvable } = await proveTransactions(ctx, asked, { account: OPERATOR, budgetMs: HOUR_MS });
    return proofsFile(proofs, notProvable);
  } finally {
    limits.close();
  }
}

/** Reads the transactions of the newest package of a case: a server may hold the graph meanwhile. */
async function ofCase(records: Records, caseId: string): Promise<AskedTransaction[]> {
  const { default: papa } = await import('papaparse');
  const { openPackageFile } = await import('../../records/cases/report-packages.ts');
  const { PACKAGE_FILES } = await import('../../questions/cases/report-package/package-inputs.ts');
  const { PROVEN_MAX } = await import('../../questions/cases/report-package/prove-package.ts');
  const newest = await records
    .selectFrom('report_packages')
    .select('id')
    .where('case_id', '=', caseId)
    .where('files', 'is not', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  const kept = newest && (await openPackageFile(records, newest.id, PACKAGE_FILES.transactions));
  if (!kept) throw new NotFoundError(`The case ${caseId} has no report package: generate one first`);
  const csv = (await textOf(kept)).replace(/^\uFEFF/, '');
  const { data } = papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
  const found = new Map<string, AskedTransaction>();
  for (const { chain_name: chain = '', tx_hash: hash = '' } of data) {
    if (isChain(chain)) found.set(`${chain} ${hash}`, { chain, hash });
  }
  return [...found.values()].slice(0, PROVEN_MAX);
}

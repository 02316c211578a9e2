import type { Context } from '../../../context.ts';
import { type Chain, isChain } from '../../../domain/chain.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { canonicalTxHash } from '../../../domain/tx-hash.ts';
import { proofsFile, type Unproven } from '../../../proofs/proofs-file.ts';
import { readPackageRows } from '../../../records/cases/report-packages.ts';
import { type AskedTransaction, proveTransactions } from '../../prove-transactions.ts';
import { PACKAGE_COLUMN_NAMES } from './columns.ts';
import type { PackageInputs } from './package-inputs.ts';

/** Transactions that one package proves, those first that its texts name. */
export const PROVEN_MAX = 2_000;
/** Four requests a transaction at the pace of a free source: what is left then has no proof in this package. */
const BUDGET_MS = 20 * MINUTE_MS;

/** Names each transaction of a package once: those of its texts, then the rest of its CSV. */
async function transactionsOf(ctx: Context, inputs: PackageInputs): Promise<AskedTransaction[]> {
  const { largest } = inputs.totals;
  const { money, confirmed, addresses } = inputs.report;
  const found = new Map<string, AskedTransaction>();
  const add = (chain: Chain | null, text: unknown) => {
    const hash = chain && typeof text === 'string' ? canonicalTxHash(chain, text) : null;
    if (chain && hash) found.set(`${chain} ${hash}`, { chain, hash });
  };
  for (const { chain, txHash } of largest) add(chain, txHash);
  addNamed([money, confirmed, addresses], null, add);
  const [chainAt, hashAt] = [PACKAGE_COLUMN_NAMES.indexOf('chain_name'), PACKAGE_COLUMN_NAMES.indexOf('tx_hash')];
  for await (const rows of readPackageRows(ctx.records, inputs.generationId)) {
    for (const row of rows) add(chainIn(row[chainAt]), row[hashAt]);
  }
  return [...found.values()];
}

/** Lists in which transactions stand by their hash alone, or by the name of one of their transfers. */
const LISTS = new Set(['transactions', 'evidence']);

/** Finds `tx_hash` wherever it stands, on the chain that its own object or the nearest one around it names. */
function addNamed(value: unknown, around: Chain | null, add: (chain: Chain | null, hash: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  const chain = chainIn(fields.chain) ?? around;
  add(chain, fields.tx_hash);
  for (const [name, field] of Object.entries(fields)) {
    if (!LISTS.has(name) || !Array.isArray(field)) addNamed(field, chain, add);
    else for (const one of field) typeof one === 'string' ? add(chain, one.split('#')[0]) : addNamed(one, chain, add);
  }
}

function chainIn(value: unknown): Chain | null {
  return typeof value === 'string' && isChain(value) ? value : null;
}

/**
 * Proves the transactions of a package, at most `PROVEN_MAX`; `onEach` gets how many that are after each. Returns the content of
 * proofs.json.
 */
export async function provePackage(
  ctx: Context,
  inputs: PackageInputs,
  { account, signal, onEach }: { account: string; signal: AbortSignal; onEach: (total: number) => Promise<void> },
): Promise<string> {
  const asked = await transactionsOf(ctx, inputs);
  const total = Math.min(asked.length, PROVEN_MAX);
  const { proofs, notProvable } = await proveTransactions(ctx, asked.slice(0, PROVEN_MAX), {
    ...{ account, signal, onEach: () => onEach(total), budgetMs: BUDGET_MS },
  });
  const beyond = asked
    .slice(PROVEN_MAX)
    .map(({ chain, hash }): Unproven => ({ chain, tx_hash: hash, reason: 'over_limit' }));
  return `${JSON.stringify(proofsFile(proofs, [...notProvable, ...beyond]))}\n`;
}

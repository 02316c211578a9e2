import { UNPROVABLE } from '../chains/port.ts';
import type { Context } from '../context.ts';
import type { Chain } from '../domain/chain.ts';
import { SourceError } from '../errors.ts';
import { ProofError } from '../proofs/proof.ts';
import { type AnyProof, shownBy } from '../proofs/verify.ts';

/** Why a transaction has no proof. */
export const NOT_PROVABLE = [
  ...UNPROVABLE,
  'no_light_proof',
  'no_source',
  'not_found',
  'source_failed',
  'source_contradicts',
  'time_budget',
] as const;
type NotProvable = (typeof NOT_PROVABLE)[number];

interface AskedTransaction {
  chain: Chain;
  /** Canonical. */
  hash: string;
}

export type Proven = AnyProof | (AskedTransaction & { reason: NotProvable });

/** One after the other, at the pace of each source. */
const BUDGET_MS = 25_000;

/**
 * Asks the chains for what shows that their blocks hold these transactions, and checks it before it is given. In the order of the
 * request; what a source does not give in time says why.
 */
export async function proveTransactions(
  ctx: Pick<Context, 'chainSource' | 'log'>,
  account: string,
  asked: readonly AskedTransaction[],
): Promise<Proven[]> {
  const signal = AbortSignal.timeout(BUDGET_MS);
  const proofs: Proven[] = [];
  for (const one of asked) {
    const found = await proofOf(ctx, one, { signal, account }).catch((error) => {
      if (signal.aborted) return 'time_budget' as const;
      if (error instanceof SourceError) return 'source_failed' as const;
      if (!(error instanceof ProofError)) throw error;
      ctx.log.warn(
        { chain: one.chain, txHash: one.hash, fault: error.fault },
        'a source gave a proof that does not hold',
      );
      return 'source_contradicts' as const;
    });
    proofs.push(typeof found === 'string' ? { ...one, reason: found } : found);
  }
  return proofs;
}

async function proofOf(
  ctx: Pick<Context, 'chainSource'>,
  { chain, hash }: AskedTransaction,
  options: { signal: AbortSignal; account: string },
): Promise<AnyProof | NotProvable> {
  options.signal.throwIfAborted();
  const source = await ctx.chainSource(chain);
  if (!source) return 'no_source';
  if (!source.prove) return 'no_light_proof';
  const built = await source.prove(hash, options);
  if (built === null) return 'not_found';
  if ('reason' in built) return built.reason;
  const proof = { chain, tx_hash: hash, ...built, proves: [], not_proved: [] } as AnyProof;
  return { ...proof, ...(await shownBy(proof)) };
}

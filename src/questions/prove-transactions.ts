import type { Context, SourceContext } from '../context.ts';
import type { Chain } from '../domain/chain.ts';
import { SourceError } from '../errors.ts';
import { type NotProvable, ProofError } from '../proofs/proof.ts';
import type { Unproven } from '../proofs/proofs-file.ts';
import { type AnyProof, shownBy } from '../proofs/verify.ts';

export interface AskedTransaction {
  chain: Chain;
  /** Canonical. */
  hash: string;
}

interface ProofBounds {
  account: string;
  /** One after the other, at the pace of each source; what is not given by then has the reason `time_budget`. */
  budgetMs: number;
  /** Ends the work with its reason. */
  signal?: AbortSignal;
  onEach?: () => Promise<void>;
}

/**
 * Asks the chains for what shows that their blocks hold these transactions, and checks it before it is given. Both lists are in
 * the order of the request; what a source does not give in time says why.
 */
export async function proveTransactions(
  ctx: SourceContext & Pick<Context, 'log'>,
  asked: readonly AskedTransaction[],
  { account, budgetMs, signal: given, onEach }: ProofBounds,
): Promise<{ proofs: AnyProof[]; notProvable: Unproven[] }> {
  const inTime = AbortSignal.timeout(budgetMs);
  const signal = given ? AbortSignal.any([given, inTime]) : inTime;
  const proofs: AnyProof[] = [];
  const notProvable: Unproven[] = [];
  for (const one of asked) {
    given?.throwIfAborted();
    const found = await proofOf(ctx, one, { signal, account }).catch((error) => {
      given?.throwIfAborted();
      if (signal.aborted) return 'time_budget' as const;
      if (error instanceof SourceError) return 'source_failed' as const;
      if (!(error instanceof ProofError)) throw error;
      ctx.log.warn(
        { chain: one.chain, txHash: one.hash, fault: error.fault },
        'a source gave a proof that does not hold',
      );
      return 'source_contradicts' as const;
    });
    if (typeof found === 'string') notProvable.push({ chain: one.chain, tx_hash: one.hash, reason: found });
    else proofs.push(found);
    await onEach?.();
  }
  return { proofs, notProvable };
}

async function proofOf(
  ctx: SourceContext,
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
  return { ...proof, ...shownBy(proof) };
}

import type { SourceContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { canonicalTxHash, chainsOfHash } from '../../domain/tx-hash.ts';
import { InvalidInputError, SourceError } from '../../errors.ts';

/** A transaction at the source of one chain; `not_answered` where that failed or was late. */
export const TRANSACTION_PLACES = ['found', 'not_found', 'not_answered', 'not_configured'] as const;

export interface LocatedTransaction {
  tx_hash: string;
  found_on: Chain[];
  chains: { chain: Chain; state: (typeof TRANSACTION_PLACES)[number] }[];
}

/** Milliseconds for all sources together: they are asked at once. */
const TIME_MS = 5_000;

/** Asks the sources of all chains whose transactions have such a hash which of them knows it. Throws InvalidInputError. */
export async function locateTransaction(
  ctx: SourceContext,
  account: string,
  text: string,
): Promise<LocatedTransaction> {
  const possible = chainsOfHash(text);
  if (possible.length === 0) throw new InvalidInputError('Invalid transaction hash');
  const signal = AbortSignal.timeout(TIME_MS);
  const stateOn = async (chain: Chain): Promise<LocatedTransaction['chains'][number]> => {
    const source = await ctx.chainSource(chain);
    if (!source) return { chain, state: 'not_configured' };
    try {
      const found = await source.transaction(canonicalTxHash(chain, text) as string, { account, signal });
      return { chain, state: found ? 'found' : 'not_found' };
    } catch (error) {
      if (error instanceof SourceError || signal.aborted) return { chain, state: 'not_answered' };
      throw error;
    }
  };
  const chains = await Promise.all(possible.map(stateOn));
  const found_on = chains.filter(({ state }) => state === 'found').map(({ chain }) => chain);
  return { tx_hash: canonicalTxHash(found_on[0] ?? possible[0]!, text) as string, found_on, chains };
}

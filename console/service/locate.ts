import { type Chain, chainName } from '../../src/domain/chain.ts';
import { comma, words } from '../browser/words.ts';
import type { LocatedTransaction } from './answers.ts';
import { apiPath, call } from './api.ts';

export interface Located {
  hash: string;
  /** The chains that know the transaction. */
  chains: readonly Chain[];
  /** Which chains were asked, and which could not be: for where none knows it. */
  asked: string;
}

/** Looks a transaction hash up on all chains that it can be on. Throws ApiError. */
export async function locateTransaction(text: string, signal: AbortSignal): Promise<Located> {
  const texts = words().parts;
  const answer = await call<LocatedTransaction>(apiPath`/graph/transaction/${text}`, { signal });
  const namesOf = (...states: string[]) =>
    answer.chains.filter(({ state }) => states.includes(state)).map(({ chain }) => chainName(chain));
  const [without, open] = [namesOf('not_found'), namesOf('not_answered', 'not_configured')];
  const asked = [
    without.length > 0 && texts.transactionNotOn(without.join(comma())),
    open.length > 0 && texts.transactionUnasked(open.join(comma())),
  ];
  return { hash: answer.tx_hash, chains: answer.found_on, asked: asked.filter(Boolean).join(' ') };
}

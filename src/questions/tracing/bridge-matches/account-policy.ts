import type { RecordsContext } from '../../../context.ts';
import {
  type CrossChain,
  type Crossing,
  type CrossingPolicy,
  crossingPolicy,
  type LikelyMatches,
  type MatchDecision,
} from '../../../domain/bridges/crossing.ts';
import { transactionKey } from '../../../domain/bridges/message.ts';
import { listDecisionsInForce } from '../../../records/scans/match-decisions.ts';

/** Which crossings the answers of one account go over. */
export interface AccountPolicy extends CrossingPolicy {
  /** The account confirmed a match: without it none can be met. */
  hasConfirmed: boolean;
  /** True once a match that the account confirmed was met: what is then answered must not be shared with others. */
  metConfirmed: () => boolean;
  /** Epoch ms of the newest decision on a match that was met, withdrawn ones too; null where none was. */
  decidedAt: () => number | null;
}

/** Returns what the request says of bridges, with the account's own decisions on likely matches; null has made none. */
export async function accountPolicy(
  ctx: RecordsContext,
  accountId: string | null,
  { crossChain, likelyMatches }: { crossChain?: CrossChain; likelyMatches?: LikelyMatches } = {},
): Promise<AccountPolicy> {
  const decisions = new Map<string, MatchDecision>();
  const decidedAt = new Map<string, number>();
  for (const row of accountId === null ? [] : await listDecisionsInForce(ctx.records, accountId)) {
    const key = `${row.crossing_id} ${row.receipt_id}`;
    const { decision, author: by, created_at: at } = row;
    decidedAt.set(key, at);
    if (decision !== 'withdrawn') decisions.set(key, { decision, by, at });
  }
  let metConfirmed = false;
  let newestMet: number | null = null;
  return {
    ...crossingPolicy(crossChain, likelyMatches),
    decisionOn: (crossing) => {
      const key = `${crossing.id} ${likelyReceipt(crossing)}`;
      const made = decisions.get(key) ?? null;
      if (made?.decision === 'confirmed') metConfirmed = true;
      const at = decidedAt.get(key);
      if (at !== undefined) newestMet = Math.max(newestMet ?? 0, at);
      return made;
    },
    hasConfirmed: [...decisions.values()].some(({ decision }) => decision === 'confirmed'),
    metConfirmed: () => metConfirmed,
    decidedAt: () => newestMet,
  };
}

/** Names the transaction of the likely other side, `<chain>:<tx_hash>`; null where there is none. */
export function likelyReceipt({ destination }: Crossing): string | null {
  return destination && transactionKey(destination);
}

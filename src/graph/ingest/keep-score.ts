import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Graph } from '../port.ts';

/** How a scan rated an address, from public data and shared labels alone. */
export interface KeptScore {
  score: number;
  level: string;
  /** Epoch ms. */
  at: number;
  ruleSetVersion: string;
  /** Addresses whose labels the score rests on, itself included. */
  evidence: string[];
  /** Digest of those labels: while it is the same, the score holds. */
  labels: string;
  /** Transfers with others that the graph held; with more, dealings are known that the score does not rest on. Null: not known. */
  transfers: number | null;
  /** True where it rests on a part of the history or of the received money. */
  isPartial: boolean;
}

/**
 * Keeps the score of an address that the graph holds, unless it has a newer one; marks the addresses that poisoned its history.
 * Returns the level before (null for none, undefined where the score was not kept) and whether one of them is new.
 */
export async function keepScore(
  graph: Graph,
  {
    chain,
    address,
    score,
    poisonedBy,
    isNarrow = false,
  }: {
    chain: Chain;
    address: string;
    score: KeptScore;
    /** Addresses of which its scan found address poisoning. */
    poisonedBy: readonly string[];
    /** True for a scan that followed no money: it does not lower a score of the same rules, which may rest on some. */
    isNarrow?: boolean;
  },
): Promise<{ levelBefore?: string | null; hasNewPoisoning: boolean }> {
  const { ruleSetVersion, isPartial, ...kept } = score;
  const names = { rule_set_version: ruleSetVersion, is_narrow: isNarrow, is_partial: isPartial };
  const params = { key: addressKey(chain, address), ...kept, ...names };
  return graph.transact(async (tx) => {
    const [row] = await tx.run<{ level_before: string | null }>('scan/keep-score', params);
    const keys = poisonedBy.map((one) => addressKey(chain, one));
    const marked = keys.length > 0 ? await tx.run('scan/mark-poisoning', { keys }) : [];
    return { levelBefore: row ? row.level_before : undefined, hasNewPoisoning: marked.length > 0 };
  });
}

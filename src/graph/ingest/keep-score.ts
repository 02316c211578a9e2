import type { Chain } from '../../domain/chain.ts';
import { addressKey } from '../address-key.ts';
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
}

/**
 * Keeps the score of an address that the graph holds, unless it has a newer one; marks the baits that its scan found.
 * Returns the level before (null for none) and whether a bait is new; undefined where nothing was kept.
 */
export async function keepScore(
  graph: Graph,
  { chain, address, score, baits }: { chain: Chain; address: string; score: KeptScore; baits: readonly string[] },
): Promise<{ levelBefore: string | null; hasNewBait: boolean } | undefined> {
  const { ruleSetVersion, ...kept } = score;
  const params = { key: addressKey(chain, address), ...kept, rule_set_version: ruleSetVersion };
  return graph.transact(async (tx) => {
    const [row] = await tx.run<{ level_before: string | null }>('scan/keep-score', params);
    if (!row) return undefined;
    const keys = baits.map((bait) => addressKey(chain, bait));
    const marked = keys.length > 0 ? await tx.run('scan/mark-baits', { keys }) : [];
    return { levelBefore: row.level_before, hasNewBait: marked.length > 0 };
  });
}

import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import type { KeptScore } from '../ingest/keep-score.ts';
import type { Graph, Params, Row } from '../port.ts';

/** Direct exposure of an address to one category, by its roll-ups. */
export interface RollupExposure {
  direction: 'received' | 'sent';
  /** Null for unlabelled addresses. */
  category: Category | null;
  /** A sanctioned party, which has an entry of its own; null for all others. */
  party: string | null;
  /** Epoch ms of the last transfer with it; null for all others. */
  lastAt: number | null;
  usd: number;
  /** Part of it that came from thieves and scams to which the address had paid as much before; 0 of what was sent. */
  returnedUsd: number;
  unpricedCount: number;
  /** Number of transfers. */
  count: number;
  /** US dollars of pairs that began in the recent time before the address's last transfer: a lower bound. */
  recentUsd: number;
  /** US dollars of pairs that were active in that time: an upper bound. */
  activeUsd: number;
}

/** Facts of the graph about an address. */
export interface PartyFacts {
  lastScore: KeptScore | null;
  /** Empty in a direction with more counterparties than asked for. */
  exposures: RollupExposure[];
  isBait: boolean;
  /** Epoch ms of its latest transfer. */
  lastSeenAt: number;
  /** False where the graph only knows its transfers with scanned addresses. */
  isScanned: boolean;
}

interface PartyRow extends Row {
  key: string;
  degree_in: number;
  degree_out: number;
  last_seen_at: number | null;
  scanned_at: number | null;
  is_bait: boolean;
  risk_score: number | null;
  risk_level: string | null;
  scored_at: number | null;
  rule_set_version: string | null;
  score_evidence: string[] | null;
  score_labels: string | null;
  score_transfers: number | null;
  score_is_partial: boolean | null;
}

interface ExposureRow extends Row {
  key: string;
  category: Category | '';
  party: string | null;
  last_at: number | null;
  usd: number;
  returned_usd: number;
  unpriced_count: number;
  tx_count: number;
  recent_usd: number;
  active_usd: number;
}

/** Reads each address that the graph knows, by key. Exposure: for those with at most `counterpartiesMax` a side. */
export async function readParties(
  graph: Graph,
  keys: readonly string[],
  { counterpartiesMax, recentMs, timeoutMs }: { counterpartiesMax: number; recentMs: number; timeoutMs: number },
): Promise<Map<string, PartyFacts>> {
  const rows = await graph.read<PartyRow>('presign/parties', { keys: [...keys] }, { timeoutMs });
  const parties = new Map(
    rows.map((row): [string, PartyFacts] => [
      row.key,
      {
        lastScore: lastScoreOf(row),
        exposures: [],
        isBait: row.is_bait,
        lastSeenAt: row.last_seen_at ?? 0,
        isScanned: row.scanned_at !== null,
      },
    ]),
  );
  const read = async (direction: RollupExposure['direction'], degreeOf: (row: PartyRow) => number) => {
    const small = rows.filter((row) => degreeOf(row) > 0 && degreeOf(row) <= counterpartiesMax);
    if (small.length === 0) return;
    const items = small.map(({ key, last_seen_at: last }) => ({ key, recent_since: (last ?? 0) - recentMs }));
    const params: Params = direction === 'received' ? { items, takers: [...SCAM_CATEGORIES] } : { items };
    for (const row of await graph.read<ExposureRow>(`presign/exposure-${direction}`, params, { timeoutMs })) {
      const { key, category, usd, unpriced_count: unpricedCount, tx_count: count, recent_usd, active_usd } = row;
      const exposure = {
        direction,
        category: category || null,
        party: row.party,
        lastAt: row.last_at,
        usd,
        returnedUsd: row.returned_usd,
        unpricedCount,
        count,
        recentUsd: recent_usd,
        activeUsd: active_usd,
      };
      parties.get(key)?.exposures.push(exposure);
    }
  };
  await Promise.all([read('received', (row) => row.degree_in), read('sent', (row) => row.degree_out)]);
  return parties;
}

function lastScoreOf(row: PartyRow): KeptScore | null {
  const { risk_score: score, risk_level: level, scored_at: at, rule_set_version: ruleSetVersion } = row;
  if (score === null || level === null || at === null || ruleSetVersion === null) return null;
  const { score_evidence: evidence, score_labels: labels, score_transfers: transfers } = row;
  const isPartial = row.score_is_partial ?? false;
  return { score, level, at, ruleSetVersion, evidence: evidence ?? [], labels: labels ?? '', transfers, isPartial };
}

export interface RecipientsQuery {
  chain: Chain;
  signer: string;
  usdMin: number;
  /** A signer with more recipients is not searched. */
  recipientsMax: number;
}

/** Earlier recipients of the signer; none where the graph does not know it. */
export async function readRecipients(
  graph: Graph,
  { chain, signer, usdMin, recipientsMax }: RecipientsQuery,
  timeoutMs: number,
): Promise<{ address: string; lastAt: number }[]> {
  const params = { signer: addressKey(chain, signer), recipients_max: recipientsMax, usd_min: usdMin };
  const rows = await graph.read('presign/earlier-recipients', params, { timeoutMs });
  return rows.map((row) => ({ address: row.address as string, lastAt: row.last_at as number }));
}

import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import { type TransferReason, WATCHED_MS } from '../../domain/screened-transfer.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { ScreenedTransferRow } from '../../records/database/tables/transfers.ts';
import type { RiskLevel } from '../../risk/detection.ts';
import type { TenantOverrides } from '../account/risk-settings.ts';
import type { RowResult } from '../jobs/get-job-results.ts';
import { withOverrides } from '../scans/risk-settings-applied.ts';
import type { MatchedTransfer } from './match-transfer.ts';

/** `by_label`: judged by its labels alone; `unused`: the chain knows nothing of it; `not_scanned`: one of many senders. */
export const PARTY_STATES = ['scanned', 'by_label', 'unused', 'not_scanned'] as const;

/** One address on the other side of a transfer; kept as JSON. */
export interface ScreenedParty extends RowResult {
  address: string;
  label: string | null;
  category: Category | null;
  state: (typeof PARTY_STATES)[number];
}

/** All that was found of a transfer; kept as JSON. */
export interface TransferResult {
  moved: MatchedTransfer['moved'];
  /** Time of the block, epoch ms. */
  at: number | null;
  block: number | null;
  parties: ScreenedParty[];
  parties_total: number;
  /** All senders were scanned, or they are one owner. */
  is_whole: boolean;
}

/** The level of a transfer is that of the worst on its other side; never LOW where something of it is unknown. */
export function levelOfParties(
  parties: readonly ScreenedParty[],
  isWhole: boolean,
): { level: RiskLevel; score: number; reason: TransferReason | null; worst: ScreenedParty } {
  const worst = parties.toSorted((a, b) => b.risk_score - a.risk_score)[0]!;
  const { risk_level: level, risk_score: score } = worst;
  const known = parties.filter(({ state }) => state === 'scanned' || state === 'by_label');
  if (known.length === 0) return { level: 'UNKNOWN', score: 0, reason: 'unused', worst };
  if (level !== 'LOW' && level !== 'UNKNOWN') return { level, score, reason: null, worst };
  if (!isWhole || parties.some(({ state }) => state === 'unused')) {
    return { level: 'UNKNOWN', score: 0, reason: 'not_all_screened', worst };
  }
  const unknown = parties.find((one) => one.state === 'scanned' && one.risk_level === 'UNKNOWN');
  return unknown ? { level: 'UNKNOWN', score: 0, reason: null, worst: unknown } : { level, score, reason: null, worst };
}

/** A transfer as answers show it, with the account's settings of today; `whole` adds what was detected. */
export function transferRecord(
  row: ScreenedTransferRow,
  overrides: TenantOverrides | null,
  { whole }: { whole: boolean } = { whole: true },
) {
  const result = row.result === null ? null : (JSON.parse(row.result) as TransferResult);
  const seen = result && { ...result, parties: result.parties.map((one) => withOverrides(one, row.chain, overrides)) };
  const level = seen && levelOfParties(seen.parties, seen.is_whole);
  const isChanged = seen?.parties.some(({ metadata }) => metadata.overrides_applied);
  return {
    id: row.id,
    chain: row.chain as Chain,
    tx_hash: row.tx_hash,
    direction: row.direction,
    asset: row.asset,
    amount: row.amount,
    address: row.address,
    customer_ref: row.customer_ref,
    reference: row.reference,
    state: row.state,
    reason: isChanged ? level!.reason : row.reason,
    moved: seen?.moved ?? [],
    at: isoOrNull(seen?.at ?? null),
    block_number: seen?.block ?? null,
    risk_level: isChanged ? level!.level : row.risk_level,
    risk_score: isChanged ? level!.score : row.risk_score,
    counterparties: (seen?.parties ?? []).map(({ metadata, detections, ai_analysis, scan_id, ...party }) => ({
      ...party,
      scan_id: scan_id ?? null,
      ...(whole ? { detections } : {}),
    })),
    counterparties_total: seen?.parties_total ?? 0,
    waits_until: iso(row.wait_until),
    watched_until: row.state === 'screened' ? iso(row.ended_at! + WATCHED_MS) : null,
    created_at: iso(row.created_at),
    ended_at: isoOrNull(row.ended_at),
    score_semantics: 'risk_0to100' as const,
  };
}

import type { Severity } from '../../detection.ts';
import type { Ledger, Movement } from '../../ledger/ledger.ts';
import { isGenuine } from '../../ledger/unproven-send.ts';
import { rounded } from '../detector.ts';

/** How much of everything that went one way a part of it is. */
export interface ShareOfFlow {
  usd: number;
  /** 0-1 of the priced flow, rounded: what is compared is what is shown. */
  share: number;
  /** 0-1 of the flow of one asset that could not be priced, the largest such share; null when none is in the part. */
  unpricedShare: number | null;
}

/** Unknown tokens without a price are left out: anyone can make them. */
export function shareOfFlow(ledger: Ledger, part: readonly Movement[], direction: 'in' | 'out'): ShareOfFlow {
  const usd = part.reduce((sum, movement) => sum + (movement.usd ?? 0), 0);
  const total = direction === 'in' ? ledger.receivedUsd : ledger.sentUsd;
  const amounts = new Map<string, number>();
  for (const { usd: priced, transfer } of part) {
    if (priced === null && isGenuine(transfer)) {
      amounts.set(transfer.asset, (amounts.get(transfer.asset) ?? 0) + Number(transfer.amount));
    }
  }
  let unpricedShare: number | null = null;
  for (const [asset, amount] of amounts) {
    const all = ledger.movements
      .filter((m) => m.direction === direction && m.usd === null && m.transfer.asset === asset)
      .reduce((sum, m) => sum + Number(m.transfer.amount), 0);
    unpricedShare = Math.max(unpricedShare ?? 0, amount / all);
  }
  return { usd, share: total > 0 ? rounded(usd / total) : 0, unpricedShare };
}

/**
 * Severity of value received from a bad source: unsolicited dust is LOW. Where the price is unknown the share
 * of the asset decides, and CRITICAL, which needs dollars, is not reached.
 */
export function receivedSeverity(
  flow: ShareOfFlow,
  rule: {
    dust_below_usd: number;
    dust_below_share: number;
    critical_share: number;
    critical_from_usd: number;
    critical_any_share_from_usd?: number;
  },
): Severity {
  const { usd, share, unpricedShare } = flow;
  const dust = usd < rule.dust_below_usd || share < rule.dust_below_share;
  if (!dust && usd >= (rule.critical_any_share_from_usd ?? Number.POSITIVE_INFINITY)) return 'CRITICAL';
  if (!dust && share >= rule.critical_share && usd >= rule.critical_from_usd) return 'CRITICAL';
  return !dust || (unpricedShare !== null && unpricedShare >= rule.dust_below_share) ? 'HIGH' : 'LOW';
}

export function shareFigures(flow: ShareOfFlow, part: readonly Movement[]) {
  return {
    usd: rounded(flow.usd),
    share: flow.share,
    unpriced_share: flow.unpricedShare === null ? null : rounded(flow.unpricedShare),
    transfers: part.length,
    addresses: new Set(part.map((movement) => movement.counterparty)).size,
  };
}

import { rounded } from '../../domain/amount.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { illicitMovements } from '../exposure/exposed-movements.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { origins } from '../exposure/taint.ts';
import { type Movement, sumDirectionUsd } from '../ledger/movements.ts';
import { RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';

/** Most of what is sent goes to exchanges; grave only when illicit money had come in. */
export const cexCashOut: Detector = {
  id: 'cex_cash_out',
  family: 'cash_out',
  indicator: 'transactions',
  exemptService: true,
  detect(ledger) {
    const rule = RULES.cex_cash_out;
    const toExchanges = ledger.movements.filter(
      (m) => m.direction === 'out' && m.usd !== null && ledger.categoryOf(m.counterparty) === 'exchange',
    );
    const usd = sumDirectionUsd(toExchanges, 'out');
    const share = ledger.sentUsd > 0 ? rounded(usd / ledger.sentUsd) : 0;
    if (usd < rule.total_from_usd || share < rule.exchange_share) return [];
    const tainted = illicitMovements(ledger, 'in');
    const { taintedUsd, taintedShare } = origins(ledger);
    const suspicious = tainted.filter((m) => (m.usd ?? 0) >= rule.suspicious_from_usd);
    const soon = followsWithin(toExchanges, suspicious, rule.suspicious_hours * HOUR_MS);
    const high = soon || (taintedUsd >= rule.suspicious_from_usd && taintedShare >= rule.high_tainted_share);
    return [
      {
        severity: high ? 'HIGH' : 'LOW',
        variant: high ? 'tainted' : 'plain',
        category: 'exchange',
        thresholds: rule,
        measured: { usd: rounded(usd), amounts: amountsOf(toExchanges), share, tainted_share: taintedShare },
        movements: high ? [...toExchanges, ...suspicious] : toExchanges,
      },
    ];
  },
};

/** True when one of `later` comes within the window after one of `earlier`; both oldest first. */
function followsWithin(later: readonly Movement[], earlier: readonly Movement[], windowMs: number): boolean {
  let next = 0;
  return later.some(({ at }) => {
    while (earlier[next] && earlier[next]!.at <= at) next++;
    const last = earlier[next - 1];
    return last !== undefined && at - last.at <= windowMs;
  });
}

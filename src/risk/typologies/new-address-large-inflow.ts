import { rounded } from '../../domain/amount.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { taintedShareOf } from '../exposure/taint.ts';
import { between, movementsOf, received, spanMinutes, totalUsd, withLawfulService } from '../ledger/payments.ts';
import { PATTERN_MONEY, RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';

/** Much money within the first day of money coming in, at an address first seen days before at most. */
export const newAddressLargeInflow: Detector = {
  id: 'new_address_large_inflow',
  family: 'behaviour',
  indicator: 'transactions',
  exemptService: true,
  needsFullHistory: true,
  detect(ledger) {
    const rule = RULES.new_address_large_inflow;
    const firstSeen = ledger.movements[0]?.at;
    const incoming = received(ledger);
    const first = incoming[0];
    if (firstSeen === undefined || !first || first.at - firstSeen > rule.age_days * DAY_MS) return [];
    const firstDay = between(incoming, first.at, first.at + rule.first_hours * HOUR_MS);
    const usd = totalUsd(firstDay);
    if (usd < rule.medium_usd) return [];
    const withdrawn = totalUsd(firstDay.filter((payment) => withLawfulService(ledger, payment)));
    const isWithdrawn = withdrawn >= PATTERN_MONEY.clean_share * usd;
    const isTainted = taintedShareOf(ledger, movementsOf(firstDay)) >= PATTERN_MONEY.tainted_share;
    return [
      {
        severity: isTainted && usd >= rule.high_usd ? 'HIGH' : isWithdrawn ? 'LOW' : 'MEDIUM',
        thresholds: { ...rule, tainted_share: PATTERN_MONEY.tainted_share, untainted_at_most: 'MEDIUM' },
        measured: {
          usd: rounded(usd),
          amounts: amountsOf(movementsOf(firstDay)),
          payments: firstDay.length,
          minutes: firstDay.length > 1 ? spanMinutes(firstDay) : 0,
          age_days: rounded((first.at - firstSeen) / DAY_MS),
        },
        movements: movementsOf(firstDay),
      },
    ];
  },
};

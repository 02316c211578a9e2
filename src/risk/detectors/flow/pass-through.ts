import { rounded } from '../../../domain/amount.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Payment } from '../../ledger/movements.ts';
import { movementsOf, totalUsd, withLawfulService } from '../../ledger/payments.ts';
import { RULES } from '../../rules.ts';
import { type Episode, passedOn } from '../../shapes/passed-on.ts';
import type { Detector, Finding } from '../detector.ts';

/**
 * Money leaves again soon after it came, and hardly anything stays. What came from a lawful service does not count: to
 * withdraw just before one pays is what everybody does.
 */
export const passThrough: Detector = {
  id: 'pass_through',
  family: 'structural',
  exemptService: true,
  detect(ledger) {
    const { fast_hours, slow_hours } = RULES.pass_through;
    return finding(ledger, fast_hours, 'HIGH') ?? finding(ledger, slow_hours, 'MEDIUM') ?? [];
  },
};

function finding(ledger: Ledger, hours: number, severity: 'HIGH' | 'MEDIUM'): Finding[] | null {
  const rule = RULES.pass_through;
  const episodes = passedOn(ledger.payments, ({ direction }) => direction === 'in', {
    windowMs: hours * HOUR_MS,
    passedShare: rule.passed_share,
    reserveShareMax: rule.reserve_share_max,
  }).filter(({ receipt }) => receipt.usd >= rule.each_from_usd && !withLawfulService(ledger, receipt));
  const incoming = episodes.map(({ receipt }) => receipt);
  const largest = largestOf(incoming, ({ usd }) => usd);
  if (episodes.length < rule.episodes && largest < rule.single_from_usd) return null;
  const onward = [...new Set(episodes.flatMap((episode) => episode.onward))];
  const usd = totalUsd(incoming);
  const passed = episodes.reduce((sum, episode) => sum + episode.passedUsd, 0);
  return [
    {
      severity,
      thresholds: rule,
      measured: {
        episodes: episodes.length,
        minutes: largestOf(episodes, minutesHeld),
        usd: rounded(usd),
        amounts: amountsOf(movementsOf(incoming)),
        passed_share: rounded(passed / usd),
        reserve_share: largestOf(episodes, ({ reserveShare }) => reserveShare),
      },
      movements: movementsOf([...incoming, ...onward]),
    },
  ];
}

/** At least 0. The arguments of Math.max end at some hundred thousand. */
function largestOf<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((largest, item) => Math.max(largest, sizeOf(item)), 0);
}

/** From a receipt to the last payment that took it along. */
function minutesHeld({ receipt, onward }: Episode<Payment>): number {
  return Math.max(1, Math.ceil((onward.at(-1)!.at - receipt.at) / MINUTE_MS));
}

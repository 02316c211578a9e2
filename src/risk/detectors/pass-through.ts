import { type Detector, type Finding, HOUR_MS, rounded } from '../detector.ts';
import type { Ledger, Payment } from '../ledger.ts';
import { movementsOf, totalUsd } from '../payments.ts';
import { RULES } from '../rules.ts';

/**
 * Money leaves again soon after it came, first in first out, and hardly anything stays. What came from an exchange is
 * no episode: to withdraw just before one pays is what everybody does.
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

function isWithdrawal(ledger: Ledger, { movements }: Payment): boolean {
  return movements.some(({ counterparty }) => ledger.categoryOf(counterparty) === 'exchange');
}

interface Lot {
  payment: Payment;
  left: number;
  /** What of it went out within the window, and through which payments. */
  passed: number;
  onward: Payment[];
}

function finding(ledger: Ledger, hours: number, severity: 'HIGH' | 'MEDIUM'): Finding[] | null {
  const rule = RULES.pass_through;
  const episodes = matchLots(ledger.payments, hours * HOUR_MS).filter(
    ({ payment, passed }) =>
      payment.usd >= rule.each_from_usd && passed >= rule.passed_share * payment.usd && !isWithdrawal(ledger, payment),
  );
  const largest = Math.max(0, ...episodes.map(({ payment }) => payment.usd));
  if (episodes.length < rule.episodes && largest < rule.single_from_usd) return null;
  const incoming = episodes.map(({ payment }) => payment);
  const onward = [...new Set(episodes.flatMap((episode) => episode.onward))];
  const usd = totalUsd(incoming);
  const passed = episodes.reduce((sum, episode) => sum + episode.passed, 0);
  return [
    {
      severity,
      thresholds: rule,
      measured: { episodes: episodes.length, hours, usd: rounded(usd), passed_share: rounded(passed / usd) },
      movements: movementsOf([...incoming, ...onward]),
    },
  ];
}

/** First in, first out: every outgoing payment uses up the oldest money that is left, so nothing older stays behind. */
function matchLots(payments: readonly Payment[], windowMs: number): Lot[] {
  const lots: Lot[] = [];
  let oldest = 0;
  for (const payment of payments) {
    if (payment.direction === 'in') {
      lots.push({ payment, left: payment.usd, passed: 0, onward: [] });
      continue;
    }
    let toMatch = payment.usd;
    while (toMatch > 0 && oldest < lots.length) {
      const lot = lots[oldest]!;
      const used = Math.min(toMatch, lot.left);
      lot.left -= used;
      toMatch -= used;
      if (payment.at - lot.payment.at <= windowMs) {
        lot.passed += used;
        lot.onward.push(payment);
      }
      if (lot.left <= 0) oldest++;
    }
  }
  return lots;
}

import { rounded } from '../../../domain/amount.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { STABLECOINS } from '../../../domain/tokens/stablecoins.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import type { Payment } from '../../ledger/movements.ts';
import { movementsOf, received, sent, totalUsd, withService } from '../../ledger/payments.ts';
import { RULES } from '../../rules.ts';
import type { Detector } from '../detector.ts';

interface RoundTrip {
  out: Payment;
  back: Payment;
}

/** Open sends that a return may answer: a bound on the work, far above what a round trip needs. */
const OPEN_MAX = 16;

/** The same money goes to one party and comes back, several times within days. */
export const cycle: Detector = {
  id: 'cycle',
  family: 'structural',
  exemptService: true,
  detect(ledger) {
    const rule = RULES.cycle;
    const paid = new Set(sent(ledger).map((payment) => payment.owner));
    const answered = new Set(received(ledger).flatMap(({ owner }) => (paid.has(owner) ? [owner] : [])));
    const payments = ledger.payments.filter((p) => answered.has(p.owner) && !withService(ledger, p));
    return [...groupBy(payments, (p) => `${p.owner} ${assetClass(p.asset)}`).values()].flatMap((between) => {
      const trips = mostTrips(roundTrips(between), rule.hours * HOUR_MS);
      const usd = totalUsd(trips.map(({ out }) => out));
      if (trips.length < rule.round_trips || usd < rule.total_from_usd) return [];
      const returned = totalUsd(trips.map(({ back }) => back)) / usd;
      return [
        {
          severity: 'MEDIUM',
          variant: 'pair',
          thresholds: rule,
          measured: {
            round_trips: trips.length,
            minutes: Math.ceil((trips.at(-1)!.back.at - trips[0]!.out.at) / MINUTE_MS),
            usd: rounded(usd),
            amounts: amountsOf(movementsOf(trips.map(({ out }) => out))),
            returned_share: rounded(returned),
          },
          movements: movementsOf(trips.flatMap(({ out, back }) => [out, back])),
        },
      ];
    });
  },
};

function assetClass(asset: string): string {
  return STABLECOINS.includes(asset) ? 'one dollar' : asset;
}

/** Pairs each return with the latest open send of about its value. */
function roundTrips(payments: readonly Payment[]): RoundTrip[] {
  const rule = RULES.cycle;
  const open: Payment[] = [];
  const trips: RoundTrip[] = [];
  for (const payment of payments) {
    if (payment.direction === 'out') {
      open.push(payment);
      if (open.length > OPEN_MAX) open.shift();
      continue;
    }
    const index = open.findLastIndex((out) => {
      const ratio = payment.usd / out.usd;
      return out.at < payment.at && ratio >= rule.returned_share && ratio <= rule.returned_share_max;
    });
    if (index !== -1) trips.push({ out: open.splice(index, 1)[0]!, back: payment });
  }
  return trips;
}

/** The most trips of which the first begins and the last ends within one window. */
function mostTrips(trips: readonly RoundTrip[], windowMs: number): RoundTrip[] {
  const byStart = trips.filter(({ out, back }) => back.at - out.at <= windowMs).sort((a, b) => a.out.at - b.out.at);
  let [from, to] = [0, 0];
  let start = 0;
  for (let end = 0; end < byStart.length; end++) {
    while (byStart[start]!.out.at < byStart[end]!.back.at - windowMs) start++;
    if (end + 1 - start > to - from) [from, to] = [start, end + 1];
  }
  return byStart.slice(from, to);
}

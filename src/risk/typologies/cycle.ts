import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { dollarOrAsset } from '../../domain/tokens/stablecoins.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { OneWay } from '../ledger/movements.ts';
import { movementsOf, totalUsd, withService } from '../ledger/payments.ts';
import { PATTERN_RULES, RULES } from '../rules.ts';
import type { AroundDetector, Detector } from '../views/detector.ts';
import {
  inTimeOrder,
  type Neighbourhood,
  type Pattern,
  type PatternTransfer,
  type Search,
  soonAfter,
  sumUsd,
} from '../views/neighbourhood.ts';

interface RoundTrip<T> {
  out: T;
  back: T;
}

/** Open sends that a return may answer: a bound on the work, far above what a round trip needs. */
const OPEN_MAX = 16;

/** The same money goes to one party and comes back, several times within days. */
export const cycle: AroundDetector & Detector = {
  id: 'cycle',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  around: {
    pattern: 'cycle',
    variant: 'ring',
    rule: PATTERN_RULES.cycle,
    find: findCycles,
    // The address's own transfers show round trips with a single party.
    isBesideOwn: ({ flows }) => new Set(flows.flatMap(({ from, to }) => [from, to])).size > 2,
  },
  detect(ledger) {
    const rule = RULES.cycle;
    return repeatedTrips(ledger.payments.filter((payment) => !withService(ledger, payment))).map((trips) => {
      const sent = trips.map(({ out }) => out);
      const usd = totalUsd(sent);
      return {
        severity: 'MEDIUM',
        variant: 'pair',
        thresholds: rule,
        measured: {
          round_trips: trips.length,
          minutes: Math.ceil((trips.at(-1)!.back.at - trips[0]!.out.at) / MINUTE_MS),
          usd: rounded(usd),
          amounts: amountsOf(movementsOf(sent)),
          returned_share: rounded(totalUsd(trips.map(({ back }) => back)) / usd),
        },
        movements: movementsOf(trips.flatMap(({ out, back }) => [out, back])),
      };
    });
  },
};

/** By party and asset, the round trips where there are enough of them; payments oldest first. */
function repeatedTrips<T extends OneWay>(payments: readonly T[]): RoundTrip<T>[][] {
  const rule = RULES.cycle;
  const ownersOf = (way: OneWay['direction']) =>
    new Set(payments.flatMap(({ direction, owner }) => (direction === way ? [owner] : [])));
  const [paid, paying] = [ownersOf('out'), ownersOf('in')];
  const bothWays = payments.filter(({ owner }) => paid.has(owner) && paying.has(owner));
  return [...groupBy(bothWays, (p) => `${p.owner} ${dollarOrAsset(p.asset)}`).values()].flatMap((between) => {
    const trips = mostTrips(roundTrips(between), rule.hours * HOUR_MS);
    const usd = trips.reduce((sum, { out }) => sum + out.usd, 0);
    return trips.length < rule.round_trips || usd < rule.total_from_usd ? [] : [trips];
  });
}

/** Pairs each return with the latest open send of about its value. */
function roundTrips<T extends OneWay>(payments: readonly T[]): RoundTrip<T>[] {
  const rule = RULES.cycle;
  const open: T[] = [];
  const trips: RoundTrip<T>[] = [];
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
function mostTrips<T extends OneWay>(trips: readonly RoundTrip<T>[], windowMs: number): RoundTrip<T>[] {
  const byStart = trips.filter(({ out, back }) => back.at - out.at <= windowMs).sort((a, b) => a.out.at - b.out.at);
  let [from, to] = [0, 0];
  let start = 0;
  for (let end = 0; end < byStart.length; end++) {
    while (byStart[start]!.out.at < byStart[end]!.back.at - windowMs) start++;
    if (end + 1 - start > to - from) [from, to] = [start, end + 1];
  }
  return byStart.slice(from, to);
}

const RING = PATTERN_RULES.cycle;

/** Money that the subject sent comes back to it: over others, later and later, or several times from one party. */
function findCycles(around: Neighbourhood, search: Search): Pattern[] {
  const { subject, sentBy, receivedBy, isService } = around;
  const [ring] = ringsOf(around, search).sort((a, b) => b.at(-1)!.usd - a.at(-1)!.usd);
  const sent = sentBy(subject).map((flow) => ({ ...flow, owner: flow.to, direction: 'out' as const }));
  const back = receivedBy(subject).map((flow) => ({ ...flow, owner: flow.from, direction: 'in' as const }));
  const [trips = []] = repeatedTrips(inTimeOrder([...sent, ...back]).filter(({ owner }) => !isService(owner)));
  const pair = trips.flatMap((trip) => [trip.out, trip.back]);
  return [
    ...(ring ? [toPattern(ring, [ring.at(-1)!])] : []),
    ...(pair.length > 0
      ? [
          toPattern(
            pair.map(({ owner: _, direction: __, ...flow }) => flow),
            trips.map((trip) => trip.back),
          ),
        ]
      : []),
  ];
}

function toPattern(flows: PatternTransfer[], returned: readonly { usd: number }[]): Pattern {
  return { pattern_id: 'cycle', severity: 'MEDIUM', usd: sumUsd(returned), flows: inTimeOrder(flows) };
}

/** Every ring of three transfers or more, up to the most hops, until the most expansions are spent; a ring inside one transaction has no later step. */
function ringsOf({ subject, sentBy, knownFrom, isService }: Neighbourhood, search: Search): PatternTransfer[][] {
  const rings: PatternTransfer[][] = [];
  let left: number = RING.expansions_max;
  const walk = (path: PatternTransfer[], visited: Set<string>) => {
    const last = path.at(-1) as PatternTransfer;
    const first = path[0] as PatternTransfer;
    if (path.length >= RING.hops_max) return;
    for (const flow of soonAfter(knownFrom(last.to), last.at, first.at + RING.hours * HOUR_MS - last.at)) {
      if (--left < 0) {
        search.cut = true;
        return;
      }
      const kept = flow.usd / last.usd;
      if (
        kept < RING.kept_share ||
        kept > RING.kept_share_max ||
        dollarOrAsset(flow.asset) !== dollarOrAsset(last.asset)
      )
        continue;
      if (flow.to === subject) {
        if (path.length > 1) rings.push([...path, flow]);
      } else if (!visited.has(flow.to) && !isService(flow.to)) walk([...path, flow], new Set(visited).add(flow.to));
    }
  };
  for (const flow of sentBy(subject)) {
    if (flow.usd >= RING.from_usd && !isService(flow.to)) walk([flow], new Set([flow.to]));
  }
  return rings;
}

import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Category } from '../../domain/label.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Payment } from '../ledger/movements.ts';
import { movementsOf, totalUsd } from '../ledger/payments.ts';
import { PATTERN_RULES, RULES } from '../rules.ts';
import { longestChain, ownFlows } from '../views/chain.ts';
import type { AroundDetector, Detector } from '../views/detector.ts';
import {
  inTimeOrder,
  type Neighbourhood,
  type Pattern,
  type PatternTransfer,
  type Search,
  soonAfter,
} from '../views/neighbourhood.ts';

const PEEL_ENDS: readonly Category[] = ['exchange', 'mixer'];

/**
 * On Bitcoin, a balance is peeled: payment after payment takes a small slice off it, each to somebody else, and the
 * rest stays. Seen from one address only; a chain that moves on to a new address each time needs the graph.
 */
export const peelChain: AroundDetector & Detector = {
  id: 'peel_chain',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  needsFullHistory: true,
  around: { pattern: 'peel_chain', variant: 'chain', rule: PATTERN_RULES.peel_chain, find: findPeelChain },
  detect(ledger) {
    if (ledger.subject.chain !== 'bitcoin') return [];
    const rule = RULES.peel_chain;
    const run = longestRun(ledger);
    if (run.peels.length < rule.peels) return [];
    const ended = run.peels.filter(({ movements }) => {
      const category = ledger.categoryOf(movements[0]!.counterparty);
      return category !== null && PEEL_ENDS.includes(category);
    });
    const toServices = ended.length / run.peels.length;
    const many = run.peels.length >= rule.high_peels || toServices >= rule.high_to_service_share;
    const high = many && run.peels.length >= rule.medium_peels;
    return [
      {
        ...(paysRegulars(ledger, run) ? { suppressedBy: 'recurring_recipients' as const } : {}),
        severity: high ? 'HIGH' : run.peels.length >= rule.medium_peels ? 'MEDIUM' : 'LOW',
        thresholds: rule,
        measured: {
          peels: run.peels.length,
          start_usd: rounded(run.startUsd),
          usd: rounded(totalUsd(run.peels)),
          amounts: amountsOf(movementsOf(run.peels)),
          to_service_share: rounded(toServices),
        },
        movements: movementsOf(run.peels),
      },
    ];
  },
};

/** True where at least half of the receivers are paid at other times too, as staff and suppliers are. */
function paysRegulars({ payments }: Ledger, { peels }: Run): boolean {
  const inRun = new Set(peels);
  const regulars = new Set(payments.flatMap((one) => (one.direction === 'out' && !inRun.has(one) ? [one.owner] : [])));
  return peels.filter(({ owner }) => regulars.has(owner)).length >= RULES.peel_chain.recurring_share * peels.length;
}

interface Run {
  peels: Payment[];
  startUsd: number;
}

function longestRun({ payments }: Ledger): Run {
  const rule = RULES.peel_chain;
  const receivers = groupBy(
    payments.filter((payment) => payment.direction === 'out'),
    (payment) => payment.movements[0]!.transfer.txHash,
  );
  let best: Run = { peels: [], startUsd: 0 };
  let run: Run = { peels: [], startUsd: 0 };
  let seen = new Set<string>();
  let balance = 0;
  for (const payment of payments) {
    if (payment.direction === 'in') {
      balance += payment.usd;
      continue;
    }
    const share = balance > 0 ? payment.usd / balance : 1;
    const alone = receivers.get(payment.movements[0]!.transfer.txHash)!.length === 1;
    const isPeel = alone && share >= rule.peel_share && share <= rule.peel_share_max;
    const last = run.peels.at(-1);
    const goesOn = last === undefined || payment.at - last.at <= rule.gap_hours * HOUR_MS;
    if (!isPeel || !goesOn || seen.has(payment.owner)) {
      run = { peels: [], startUsd: 0 };
      seen = new Set();
    }
    if (isPeel && (run.peels.length > 0 || balance >= rule.start_from_usd)) {
      if (run.peels.length === 0) run.startUsd = balance;
      run.peels.push(payment);
      seen.add(payment.owner);
      if (run.peels.length > best.peels.length) best = run;
    }
    balance = Math.max(0, balance - payment.usd);
  }
  return best;
}

const RULE = PATTERN_RULES.peel_chain;

/** Money goes on from one new address to the next, each time nearly all of it, and each time a slice is paid to others. */
function findPeelChain(around: Neighbourhood, search: Search): Pattern[] {
  const { chain, cut } = longestChain(
    { ...around, own: ownFlows(around) },
    {
      fromUsd: RULE.from_usd,
      gapMs: RULE.gap_hours * HOUR_MS,
      keptShare: RULE.kept_share,
      handsOn: peeledBy(around),
    },
  );
  search.cut ||= cut;
  const passed = chain.length - 1;
  if (passed < RULE.hops) return [];
  const peels = chain.slice(1).flatMap((onward, i) => peelsOf(around, chain[i] as PatternTransfer, onward));
  const toServices = peels.filter((peel) => around.isService(peel.to)).length / peels.length;
  const high = passed >= RULE.high_hops || toServices >= RULE.high_to_service_share;
  return [
    {
      pattern_id: 'peel_chain',
      severity: high ? 'HIGH' : passed >= RULE.medium_hops ? 'MEDIUM' : 'LOW',
      usd: chain[0]?.usd ?? 0,
      flows: inTimeOrder([...chain, ...peels]),
    },
  ];
}

/** True where a new address sent nearly all of its first money on, and some of it to others. */
function peeledBy(around: Neighbourhood): (flow: PatternTransfer, onward: PatternTransfer) => boolean {
  const smallest = new Map<string, PatternTransfer[]>();
  return (flow, onward) => {
    if (onward.usd / flow.usd > RULE.kept_share_max || [flow.to, onward.to].some(around.isService)) return false;
    if (around.receivedBy(flow.to)[0]?.id !== flow.id) return false;
    const peels = smallest.get(flow.id) ?? smallestPeels(around, flow);
    smallest.set(flow.id, peels);
    return peels.some((peel) => peel.to !== onward.to && peel.usd <= restOf(flow, onward));
  };
}

/** The smallest payment to others, and the smallest to another than its recipient: whatever goes on, one of them is a peel or none is. */
function smallestPeels(around: Neighbourhood, flow: PatternTransfer): PatternTransfer[] {
  let least: PatternTransfer | undefined;
  let other: PatternTransfer | undefined;
  for (const peel of spent(around, flow)) {
    if (peel.to === flow.from) continue;
    if (least === undefined || peel.usd < least.usd) {
      if (least?.to !== peel.to) other = least;
      least = peel;
    } else if (peel.to !== least.to && !(other && other.usd <= peel.usd)) other = peel;
  }
  return [least, other].filter((peel) => peel !== undefined);
}

/** Payments to others, oldest first, as far as the money lasts; what came later pays for the rest. */
function peelsOf(around: Neighbourhood, flow: PatternTransfer, onward: PatternTransfer): PatternTransfer[] {
  let left = restOf(flow, onward);
  return spent(around, flow).filter((peel) => {
    if (peel.to === onward.to || peel.to === flow.from || peel.usd > left) return false;
    left -= peel.usd;
    return true;
  });
}

function restOf(flow: PatternTransfer, onward: PatternTransfer): number {
  return flow.usd * 1.001 - onward.usd;
}

function spent({ sentBy }: Neighbourhood, flow: PatternTransfer): readonly PatternTransfer[] {
  return soonAfter(sentBy(flow.to), flow.at, RULE.gap_hours * HOUR_MS);
}

import { rounded } from '../../domain/amount.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { numberOwners, type OwnedPayment, PaymentWindow, toColumns } from '../ledger/payment-windows.ts';
import { movementsOf, received, sent, spanMinutes, withService } from '../ledger/payments.ts';
import { PATTERN_RULES, RULES } from '../rules.ts';
import type { AroundDetector, Detector } from '../views/detector.ts';
import type { Neighbourhood, Pattern, PatternTransfer } from '../views/neighbourhood.ts';

/** Several senders pay in, then about the same sum goes out to several others, who are not those always paid. */
export const gatherScatter: AroundDetector & Detector = {
  id: 'gather_scatter',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  exemptContract: true,
  around: {
    pattern: 'gather_scatter',
    variant: 'around',
    rule: PATTERN_RULES.gather_scatter,
    find: findGatherScatter,
    isBesideOwn: () => false,
  },
  detect(ledger) {
    const rule = RULES.gather_scatter;
    const ins = received(ledger).filter((payment) => !withService(ledger, payment));
    const found = gatheredScattered(ins, sent(ledger), rule);
    if (!found) return [];
    return [
      {
        severity: 'HIGH',
        ...(found.recurringShare >= rule.recurring_share ? { suppressedBy: 'recurring_recipients' as const } : {}),
        thresholds: rule,
        measured: {
          senders: found.senders,
          receivers: found.receivers,
          minutes: spanMinutes([...found.gathered, ...found.scattered]),
          usd: rounded(found.gatheredUsd),
          amounts: amountsOf(movementsOf(found.gathered)),
          passed_share: rounded(found.scatteredUsd / found.gatheredUsd),
          overlap_share: found.overlapShare,
          recurring_share: found.recurringShare,
        },
        movements: movementsOf([...found.gathered, ...found.scattered]),
      },
    ];
  },
};

const RULE = PATTERN_RULES.gather_scatter;

/** Several pay the subject, then about the same sum goes out to several others, who are not those always paid. */
function findGatherScatter({ subject, receivedBy, sentBy, isService }: Neighbourhood): Pattern[] {
  const ins = receivedBy(subject).flatMap((flow) => (isService(flow.from) ? [] : [{ ...flow, owner: flow.from }]));
  const outs = sentBy(subject).flatMap((flow) => (isService(flow.to) ? [] : [{ ...flow, owner: flow.to }]));
  const found = gatheredScattered(ins, outs, RULE);
  if (!found || found.recurringShare >= RULE.recurring_share) return [];
  return [
    {
      pattern_id: 'gather_scatter',
      severity: 'HIGH',
      usd: found.scatteredUsd,
      flows: [...found.gathered, ...found.scattered].map(({ owner: _, ...flow }): PatternTransfer => flow),
    },
  ];
}

/** Payments looked at, window by window, for regulars and parties of both sides: a bound on the work of one pass. */
const LOOKED_AT_MAX = 50_000;
/** How a window may be split between gathering and scattering. */
const GATHER_PARTS = [0.125, 0.25, 0.5, 0.75, 0.875];

type Rule = (typeof RULES)['gather_scatter'];

/** Money of several that went out again to several others. */
interface GatheredScattered<T> {
  gathered: T[];
  scattered: T[];
  hours: number;
  senders: number;
  receivers: number;
  gatheredUsd: number;
  scatteredUsd: number;
  /** Share of the gathered money that came in after the gathering, or went out before its end. */
  overlapShare: number;
  /** 0-1 of what was scattered went to parties paid before. Small sums to many of them must not hide the rest. */
  recurringShare: number;
}

/**
 * An episode in which several paid in and then, after them, about the same sum went out to several others. Constant
 * traffic both ways is none. Prefers the first episode that pays others than regulars; both lists are in time order.
 *
 * @internal Tested alone.
 */
export function gatheredScattered<T extends OwnedPayment>(
  ins: readonly T[],
  outs: readonly T[],
  rule: Rule,
): GatheredScattered<T> | null {
  const numbers = numberOwners([...ins, ...outs]);
  const columns = {
    ins: toColumns(ins, numbers.owners.subarray(0, ins.length), numbers.count),
    outs: toColumns(outs, numbers.owners.subarray(ins.length), numbers.count),
  };
  const windows = {
    ins: () => new PaymentWindow(columns.ins),
    outs: () => new PaymentWindow(columns.outs),
  };
  const firstPaid = new Map(outs.toReversed().map(({ owner, at }) => [owner, at]));
  let toRegulars: GatheredScattered<T> | null = null;
  for (const hours of [rule.fast_hours, rule.slow_hours]) {
    for (const part of GATHER_PARTS) {
      const found = firstEpisode(ins, windows, { rule, hours, part, firstPaid });
      if (found && found.recurringShare < rule.recurring_share) return found;
      toRegulars ??= found;
    }
  }
  return toRegulars;
}

interface Scan {
  rule: Rule;
  hours: number;
  /** Of the hours, for the gathering. */
  part: number;
  firstPaid: ReadonlyMap<string, number>;
}

/**
 * The first episode that pays others than regulars, else the first of all. Slides the moment between gathering and
 * scattering over the history; all windows only move forward.
 */
function firstEpisode<T extends OwnedPayment>(
  ins: readonly T[],
  windows: Record<'ins' | 'outs', () => PaymentWindow<T>>,
  { rule, hours, part, firstPaid }: Scan,
): GatheredScattered<T> | null {
  const [gathered, late] = [windows.ins(), windows.ins()];
  const [early, scattered] = [windows.outs(), windows.outs()];
  let toRegulars: GatheredScattered<T> | null = null;
  let lookedAt = 0;
  for (const { at } of ins) {
    gathered.slide(at - part * hours * HOUR_MS, at);
    const [start, end] = [gathered.startsAt, gathered.startsAt + hours * HOUR_MS];
    scattered.slide(at + 1, end);
    if (!fits(gathered, scattered, rule)) continue;
    late.slide(at + 1, end);
    early.slide(start, at);
    const overlapShare = rounded((late.usd + early.usd) / gathered.usd);
    if (overlapShare > rule.overlap_share_max) continue;
    if (lookedAt >= LOOKED_AT_MAX) break;
    const [cameIn, wentOut] = [gathered.payments(), scattered.payments()];
    lookedAt += cameIn.length + wentOut.length;
    const [from, to] = withoutShared(cameIn, wentOut);
    if (!fits(from, to, rule)) continue;
    const regularSince = start - rule.recurring_days * DAY_MS;
    const regulars = sideOf(to.money.filter(({ owner }) => firstPaid.get(owner)! < regularSince));
    const found = {
      gathered: from.money,
      scattered: to.money,
      hours,
      senders: from.owners,
      receivers: to.owners,
      gatheredUsd: from.usd,
      scatteredUsd: to.usd,
      overlapShare,
      recurringShare: rounded(regulars.usd / to.usd),
    };
    if (found.recurringShare < rule.recurring_share) return found;
    toRegulars ??= found;
  }
  return toRegulars;
}

interface WindowSide {
  usd: number;
  owners: number;
}

function fits(gathered: WindowSide, scattered: WindowSide, rule: Rule): boolean {
  if (gathered.owners < rule.senders || scattered.owners < rule.receivers) return false;
  const share = rounded(scattered.usd / gathered.usd);
  return gathered.usd >= rule.total_from_usd && share >= rule.passed_share && share <= rule.passed_share_max;
}

/** Leaves out who both paid and was paid. */
function withoutShared<T extends OwnedPayment>(gathered: T[], scattered: T[]) {
  const [senders, receivers] = [ownersOf(gathered), ownersOf(scattered)];
  return [
    sideOf(gathered.filter(({ owner }) => !receivers.has(owner))),
    sideOf(scattered.filter(({ owner }) => !senders.has(owner))),
  ] as const;
}

function sideOf<T extends OwnedPayment>(money: T[]): WindowSide & { money: T[] } {
  return { money, usd: money.reduce((sum, { usd }) => sum + usd, 0), owners: ownersOf(money).size };
}

function ownersOf(money: readonly OwnedPayment[]): Set<string> {
  return new Set(money.map(({ owner }) => owner));
}

import { DAY_MS, type Detector, type Finding, HOUR_MS, rounded } from '../detector.ts';
import type { Payment } from '../ledger.ts';
import { numberOwners, PaymentWindow } from '../payment-window.ts';
import { movementsOf, received, sent, totalUsd, withService } from '../payments.ts';
import { RULES } from '../rules.ts';

/** Windows looked into for regulars and for parties of both sides: a bound on the work. */
const LOOKED_INTO_MAX = 200;
/** How a window may be split between gathering and scattering. */
const GATHER_PARTS = [0.125, 0.25, 0.5, 0.75, 0.875];

/** Several senders pay in, then about the same sum goes out to several others, who are not those always paid. */
export const gatherScatter: Detector = {
  id: 'gather_scatter',
  family: 'structural',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const { fast_hours, slow_hours } = RULES.gather_scatter;
    const ins = received(ledger).filter((payment) => !withService(ledger, payment));
    const outs = sent(ledger);
    const { owners, count } = numberOwners([...ins, ...outs]);
    const gathering = () => new PaymentWindow(ins, owners.subarray(0, ins.length), count);
    const scattering = () => new PaymentWindow(outs, owners.subarray(ins.length), count);
    const firstPaid = new Map(outs.toReversed().map((payment) => [payment.owner, payment.at]));
    let toRegulars: Finding | null = null;
    for (const hours of [fast_hours, slow_hours]) {
      for (const part of GATHER_PARTS) {
        const found = scan(ins, gathering(), scattering(), { hours, part, firstPaid });
        if (found && !found.suppressedBy) return [found];
        toRegulars ??= found;
      }
    }
    return toRegulars ? [toRegulars] : [];
  },
};

interface Scan {
  hours: number;
  /** Of the hours, for the gathering. */
  part: number;
  firstPaid: ReadonlyMap<string, number>;
}

/** Slides the moment between gathering and scattering over the history; both windows only move forward. */
function scan(
  ins: readonly Payment[],
  gathered: PaymentWindow,
  scattered: PaymentWindow,
  { hours, part, firstPaid }: Scan,
): Finding | null {
  let toRegulars: Finding | null = null;
  let left = LOOKED_INTO_MAX;
  for (const { at } of ins) {
    gathered.slide(at - part * hours * HOUR_MS, at);
    scattered.slide(at + 1, gathered.startsAt + hours * HOUR_MS);
    if (!fits(gathered, scattered)) continue;
    if (left-- === 0) break;
    const found = withoutShared(gathered.payments(), scattered.payments(), hours, firstPaid);
    if (found && !found.suppressedBy) return found;
    toRegulars ??= found;
  }
  return toRegulars;
}

interface Side {
  usd: number;
  owners: number;
}

function fits(gathered: Side, scattered: Side): boolean {
  const rule = RULES.gather_scatter;
  const ratio = rounded(scattered.usd / gathered.usd);
  if (gathered.usd < rule.total_from_usd || ratio < rule.passed_share || ratio > rule.passed_share_max) return false;
  return gathered.owners >= rule.senders && scattered.owners >= rule.receivers;
}

/** Who both paid and was paid belongs to neither side. */
function withoutShared(
  gathered: readonly Payment[],
  scattered: readonly Payment[],
  hours: number,
  firstPaid: ReadonlyMap<string, number>,
): Finding | null {
  const rule = RULES.gather_scatter;
  const senders = ownersOf(gathered);
  const receivers = ownersOf(scattered);
  const ins = gathered.filter(({ owner }) => !receivers.has(owner));
  const outs = scattered.filter(({ owner }) => !senders.has(owner));
  const from = { usd: totalUsd(ins), owners: ownersOf(ins).size };
  const to = { usd: totalUsd(outs), owners: ownersOf(outs).size };
  if (!fits(from, to)) return null;
  const regularSince = gathered[0]!.at - rule.recurring_days * DAY_MS;
  const regulars = [...ownersOf(outs)].filter((owner) => firstPaid.get(owner)! < regularSince).length;
  const recurring = rounded(regulars / to.owners);
  return {
    severity: 'HIGH',
    ...(recurring >= rule.recurring_share ? { suppressedBy: 'recurring_recipients' as const } : {}),
    thresholds: rule,
    measured: {
      senders: from.owners,
      receivers: to.owners,
      hours,
      usd: rounded(from.usd),
      passed_share: rounded(to.usd / from.usd),
      recurring_share: recurring,
    },
    movements: movementsOf([...ins, ...outs]),
  };
}

function ownersOf(payments: readonly Payment[]): Set<string> {
  return new Set(payments.map(({ owner }) => owner));
}

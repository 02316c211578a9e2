import { type Detector, type Finding, HOUR_MS, rounded } from '../detector.ts';
import type { Payment } from '../ledger.ts';
import { numberOwners, PaymentWindow } from '../payment-window.ts';
import { movementsOf, received, sent, withService } from '../payments.ts';
import { RULES } from '../rules.ts';

/** How a window may be split between gathering and scattering. */
const GATHER_PARTS = [0.125, 0.25, 0.5, 0.75, 0.875];

/** Several senders pay in, then about the same sum goes out to several others. */
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
    for (const hours of [fast_hours, slow_hours]) {
      for (const part of GATHER_PARTS) {
        const found = scan(ins, gathering(), scattering(), hours, part);
        if (found) return [found];
      }
    }
    return [];
  },
};

/** Slides the moment between gathering and scattering over the history; both windows only move forward. */
function scan(
  ins: readonly Payment[],
  gathered: PaymentWindow,
  scattered: PaymentWindow,
  hours: number,
  part: number,
): Finding | null {
  const rule = RULES.gather_scatter;
  for (const { at } of ins) {
    gathered.slide(at - part * hours * HOUR_MS, at);
    scattered.slide(at + 1, gathered.startsAt + hours * HOUR_MS);
    const ratio = rounded(scattered.usd / gathered.usd);
    if (gathered.usd < rule.total_from_usd || ratio < rule.passed_share || ratio > rule.passed_share_max) continue;
    if (gathered.owners < rule.senders || scattered.owners < rule.receivers) continue;
    if (gathered.overlaps(scattered)) continue;
    return {
      severity: 'HIGH',
      thresholds: rule,
      measured: {
        senders: gathered.owners,
        receivers: scattered.owners,
        hours,
        usd: rounded(gathered.usd),
        passed_share: ratio,
      },
      movements: movementsOf([...gathered.payments(), ...scattered.payments()]),
    };
  }
  return null;
}

import { type Detector, type Finding, HOUR_MS, rounded } from '../detector.ts';
import type { Payment } from '../ledger.ts';
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
    for (const hours of [fast_hours, slow_hours]) {
      for (const part of GATHER_PARTS) {
        const found = scan(ins, outs, hours, part);
        if (found) return [found];
      }
    }
    return [];
  },
};

/** Slides the moment between gathering and scattering over the history; both windows only move forward. */
function scan(ins: Payment[], outs: Payment[], hours: number, part: number): Finding | null {
  const rule = RULES.gather_scatter;
  const gathered = new Window(ins);
  const scattered = new Window(outs);
  for (const { at } of ins) {
    gathered.slide((payment) => payment.at >= at - part * hours * HOUR_MS, at);
    scattered.slide((payment) => payment.at > at, gathered.startsAt + hours * HOUR_MS);
    const ratio = rounded(scattered.usd / gathered.usd);
    if (gathered.usd < rule.total_from_usd || ratio < rule.passed_share || ratio > rule.passed_share_max) continue;
    if (gathered.owners.size < rule.senders || scattered.owners.size < rule.receivers) continue;
    if ([...gathered.owners.keys()].some((owner) => scattered.owners.has(owner))) continue;
    return {
      severity: 'HIGH',
      thresholds: rule,
      measured: {
        senders: gathered.owners.size,
        receivers: scattered.owners.size,
        hours,
        usd: rounded(gathered.usd),
        passed_share: ratio,
      },
      movements: movementsOf([...gathered.payments(), ...scattered.payments()]),
    };
  }
  return null;
}

/** A stretch of payments in time order whose both ends only move forward. */
class Window {
  readonly owners = new Map<string, number>();
  usd = 0;
  readonly #all: readonly Payment[];
  #start = 0;
  #end = 0;

  constructor(all: readonly Payment[]) {
    this.#all = all;
  }

  get startsAt(): number {
    return this.#all[this.#start]!.at;
  }

  payments(): Payment[] {
    return this.#all.slice(this.#start, this.#end);
  }

  /** Takes in all up to `until`, then drops the oldest ones that `stays` does not hold for. */
  slide(stays: (payment: Payment) => boolean, until: number): void {
    for (let next = this.#all[this.#end]; next && next.at <= until; next = this.#all[++this.#end]) {
      this.usd += next.usd;
      this.owners.set(next.owner, (this.owners.get(next.owner) ?? 0) + 1);
    }
    for (; this.#start < this.#end && !stays(this.#all[this.#start]!); this.#start++) {
      const { owner, usd } = this.#all[this.#start]!;
      const left = this.owners.get(owner)! - 1;
      if (left === 0) this.owners.delete(owner);
      else this.owners.set(owner, left);
      this.usd = this.owners.size === 0 ? 0 : this.usd - usd;
    }
  }
}

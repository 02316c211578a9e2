import type { Direction } from '../flow-portion.ts';
import { EarliestFirst } from './earliest-first.ts';
import type { HaircutReplay } from './pass/haircut-replay.ts';

interface Visit {
  pass: HaircutReplay;
  place: number;
  at: number;
  waits: number;
  position: number;
  seq: number;
}

/** The passes of one time, in the order of their next steps. */
export class Visits {
  private readonly queue = new EarliestFirst<Visit>(
    (a, b) => a.at - b.at || a.waits - b.waits || a.position - b.position || a.seq - b.seq,
  );
  private readonly sign: 1 | -1;
  private readonly passes = new Set<HaircutReplay>();

  constructor(direction: Direction) {
    this.sign = direction === 'sent' ? 1 : -1;
  }

  add(pass: HaircutReplay): void {
    this.passes.add(pass);
    if (!pass.isActive) return;
    const { at, kind, transfer } = pass.next;
    // Of one moment, steps by which money leaves come before those that it may still reach.
    const waits = kind === (this.sign === 1 ? 'receipt' : 'payment') ? 1 : 0;
    const position = this.sign * (transfer?.position ?? 0);
    const seq = this.sign * (transfer?.seq ?? 0);
    this.queue.push({ pass, place: pass.place, at: this.sign * at, waits, position, seq });
  }

  next(): HaircutReplay | undefined {
    for (let visit = this.queue.pop(); visit; visit = this.queue.pop()) {
      if (visit.pass.isActive && visit.pass.place === visit.place) return visit.pass;
    }
    return undefined;
  }

  /** All passes since the last time. */
  finish(): HaircutReplay[] {
    const all = [...this.passes];
    this.passes.clear();
    return all;
  }
}

import type { Direction } from '../../../domain/tracing/flow-portion.ts';
import type { HaircutReplay } from './haircut-replay.ts';

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

/** A queue that gives out the smallest first (a binary heap). */
class EarliestFirst<T> {
  private readonly items: T[] = [];
  private readonly compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.compare = compare;
  }

  push(item: T): void {
    const { items } = this;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.compare(items[parent] as T, item) <= 0) break;
      items[at] = items[parent] as T;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.compare(items[child + 1] as T, items[child] as T) < 0) child += 1;
      if (this.compare(last, items[child] as T) <= 0) break;
      items[at] = items[child] as T;
      at = child;
    }
    items[at] = last;
    return first;
  }
}

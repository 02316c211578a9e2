import { append } from '../../domain/append.ts';
import { compare } from '../../domain/compare.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { PATTERN_RULES } from '../rules.ts';
import {
  inTimeOrder,
  type Neighbourhood,
  type PatternTransfer,
  placesAfter,
  placesBefore,
  soonAfter,
} from './neighbourhood.ts';

/** Pairs of transfers compared and ways tried in one search: thousands of equal amounts in a day could all be one money. */
const STEPS_MAX = 2_000_000;
/** Payments looked at for addresses to open next. */
const HANDED_ON_MAX = 200_000;
/** Transfers that are followed of those that one may have become, and of those that it may come from: the nearest. */
const NEXT_MAX = 50;
/** A bound on the ways tried for one transfer of the subject. */
const TRIES_MAX = 500;

/** A transfer as a chain needs it, of a trace or of a token screening. */
type Step = Pick<PatternTransfer, 'id' | 'from' | 'to' | 'at' | 'usd'>;

/** Transfers by address, oldest first, and those that the chain has to pass one of. */
interface ChainSearch<T> {
  own: readonly T[];
  sentBy: (address: string) => readonly T[];
  receivedBy: (address: string) => readonly T[];
}

interface ChainRule<T> {
  fromUsd: number;
  /** No transfer comes longer after the one before it. */
  gapMs: number;
  /** The least part of a transfer that may go on; more than all of it never does. */
  keptShare: number;
  /** True where a transfer may hand on the money of another that came to its sender, amounts and time apart. */
  handsOn: (past: T, flow: T) => boolean;
}

export interface LongestChain<T> {
  chain: T[];
  /** Work done, at most about two million steps. */
  steps: number;
  /** Some ways were left out: there may be a longer one. */
  cut: boolean;
}

/** Of each transfer that can be reached: where it goes on to, and how long a chain it can begin. */
interface Steps<T> {
  next: Map<string, readonly T[]>;
  length: Map<string, number>;
}

/** The longest chain of transfers that begins with enough money, holds one of `own`, and passes no address twice. */
export function longestChain<T extends Step>(
  { own, sentBy, receivedBy }: ChainSearch<T>,
  { fromUsd, gapMs, keptShare, handsOn }: ChainRule<T>,
): LongestChain<T> {
  const work: Work = { steps: 0, cut: false };
  const isOne = (past: T, flow: T) =>
    flow.usd >= keptShare * past.usd && flow.usd <= past.usd * 1.001 && handsOn(past, flow);
  const after = (flow: T) => {
    const sent = sentBy(flow.to);
    const [start, end] = placesAfter(sent, flow.at, gapMs);
    return nearest({ flows: sent, count: end - start, nth: (n) => start + n }, (next) => isOne(flow, next), work);
  };
  const before = (flow: T) => {
    const received = receivedBy(flow.from);
    const [start, end] = placesBefore(received, flow.at, gapMs);
    return nearest({ flows: received, count: end - start, nth: (n) => end - 1 - n }, (past) => isOne(past, flow), work);
  };
  const ahead = explore(own, after, () => true);
  const behind = explore(own, before, ({ usd }) => usd >= fromUsd);

  let longest: T[] = [];
  const promised = new Map(own.map(({ id }) => [id, (behind.length.get(id) ?? 0) + (ahead.length.get(id) ?? 0) - 1]));
  for (const flow of own.toSorted((a, b) => promised.get(b.id)! - promised.get(a.id)!)) {
    if (promised.get(flow.id)! <= longest.length) break;
    const passed = new Set([flow.from, flow.to]);
    const past = walk(flow, behind, ({ from }) => from, passed, work).reverse();
    const chain = [...past, flow, ...walk(flow, ahead, ({ to }) => to, passed, work)];
    if (chain[0]!.usd >= fromUsd && chain.length > longest.length) longest = chain;
  }
  return { chain: longest, ...work };
}

/** Transfers of the subject, oldest first. */
export function ownFlows({ subject, sentBy, receivedBy }: Neighbourhood): PatternTransfer[] {
  return inTimeOrder([...sentBy(subject), ...receivedBy(subject)]);
}

interface Work {
  steps: number;
  cut: boolean;
}

/** Some of the transfers, the nearest first, without a copy of them. */
interface Nearby<T> {
  flows: readonly T[];
  count: number;
  /** The place of the nth of them in `flows`. */
  nth: (n: number) => number;
}

/** The first that fit, as far as the work may go. */
function nearest<T extends Step>({ flows, count, nth }: Nearby<T>, fits: (flow: T) => boolean, work: Work): T[] {
  const found: T[] = [];
  for (let n = 0; n < count; n++) {
    if (found.length === NEXT_MAX || work.steps >= STEPS_MAX) {
      work.cut = true;
      break;
    }
    work.steps++;
    const flow = flows[nth(n)] as T;
    if (fits(flow)) found.push(flow);
  }
  return found;
}

/** Follows each transfer once, forwards or backwards in time. */
function explore<T extends Step>(
  starts: readonly T[],
  steps: (flow: T) => readonly T[],
  isEnd: (flow: T) => boolean,
): Steps<T> {
  const next = new Map<string, readonly T[]>();
  const reached = new Map(starts.map((flow) => [flow.id, flow]));
  // A map goes on to what is added while it is gone through.
  for (const flow of reached.values()) {
    const onward = steps(flow);
    next.set(flow.id, onward);
    for (const step of onward) reached.set(step.id, step);
  }
  return { next, length: lengths([...reached.values()], next, isEnd) };
}

/** Of each transfer the longest chain that it begins and that comes to a good end; none where there is no such. */
function lengths<T extends Step>(
  flows: readonly T[],
  next: ReadonlyMap<string, readonly T[]>,
  isEnd: (flow: T) => boolean,
): Map<string, number> {
  const found = new Map<string, number>();
  const pending = [...flows];
  for (let flow = pending.at(-1); flow; flow = pending.at(-1)) {
    const steps = next.get(flow.id) ?? [];
    const open = found.has(flow.id) ? [] : steps.filter(({ id }) => !found.has(id));
    append(pending, open);
    if (open.length > 0) continue;
    pending.pop();
    const rest = Math.max(0, ...steps.map(({ id }) => found.get(id) ?? 0));
    found.set(flow.id, rest > 0 ? rest + 1 : Number(isEnd(flow)));
  }
  return found;
}

/** The longest way on that passes no address twice, what leads farthest tried first, as long as the tries last. */
function walk<T extends Step>(
  start: T,
  { next, length }: Steps<T>,
  party: (flow: T) => string,
  passed: Set<string>,
  work: Work,
): T[] {
  const far = ({ id }: T) => length.get(id) ?? 0;
  let longest: T[] = [];
  let left = TRIES_MAX;
  const way: T[] = [];
  const visit = (flow: T) => {
    if (way.length > longest.length) longest = [...way];
    const steps = next.get(flow.id) ?? [];
    work.steps += steps.length;
    const open = steps.filter((step) => far(step) > 0 && !passed.has(party(step)));
    for (const step of open.sort((a, b) => far(b) - far(a) || b.usd - a.usd)) {
      if (way.length + far(step) <= longest.length || left-- <= 0) return;
      if (work.steps >= STEPS_MAX) {
        work.cut = true;
        return;
      }
      way.push(step);
      passed.add(party(step));
      visit(step);
      passed.delete(party(step));
      way.pop();
    }
  };
  visit(start);
  for (const flow of longest) passed.add(party(flow));
  return longest;
}

const { kept_share, gap_hours, from_usd } = PATTERN_RULES.peel_chain;

/**
 * Unlabelled addresses to which money of the subject was handed on nearly whole, as far as was read. First those that a
 * new address handed on to, for there a chain of new ones may go on; widest first.
 */
export function nextInChain({ subject, sentBy, receivedBy, isService }: Neighbourhood): string[] {
  const fromNew = new Map<string, number>();
  const fromOthers = new Map<string, number>();
  // Two wallets that pay each other all day long would make every payment follow every receipt.
  let steps = 0;
  const handedOn = (flow: PatternTransfer) => {
    if (steps >= HANDED_ON_MAX) return [];
    const later = soonAfter(sentBy(flow.to), flow.at, gap_hours * HOUR_MS);
    steps += later.length;
    return later.filter(({ to, usd }) => usd >= kept_share * flow.usd && usd <= flow.usd * 1.001 && !isService(to));
  };
  const own = sentBy(subject).filter(({ to, usd }) => usd >= from_usd && !isService(to));
  const reached = new Map([...own, ...receivedBy(subject).flatMap(handedOn)].map((flow) => [flow.id, flow]));
  for (const { to, usd } of reached.values()) widen(fromOthers, to, usd);
  // A map goes on to what is added while it is gone through.
  for (const flow of reached.values()) {
    const found = receivedBy(flow.to)[0]?.id === flow.id ? fromNew : fromOthers;
    for (const onward of handedOn(flow)) {
      reached.set(onward.id, onward);
      widen(found, onward.to, onward.usd);
    }
  }
  return [...new Set([...widestFirst(fromNew), ...widestFirst(fromOthers)])];
}

function widen(found: Map<string, number>, address: string, usd: number): void {
  found.set(address, Math.max(found.get(address) ?? 0, usd));
}

function widestFirst(found: ReadonlyMap<string, number>): string[] {
  return [...found].sort(([a, x], [b, y]) => y - x || compare(a, b)).map(([address]) => address);
}

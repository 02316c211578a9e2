import { inTimeOrder, type Neighbourhood, type PatternTransfer, soonAfter, soonBefore } from './neighbourhood.ts';

/** Pairs of transfers compared and ways tried in one search: thousands of equal amounts in a day could all be one money. */
const STEPS_MAX = 2_000_000;
/** Of the transfers that one may have become, and of those that it may come from, so many are followed: the nearest. */
const NEXT_MAX = 50;
/** A bound on the ways tried for one transfer of the subject. */
const TRIES_MAX = 500;

interface ChainRule {
  fromUsd: number;
  /** No transfer comes longer after the one before it. */
  gapMs: number;
  /** The least part of a transfer that may go on; more than all of it never does. */
  keptShare: number;
  /** Whether a transfer of the address that another went to may hand the money of that one on, amounts and time apart. */
  handsOn: (past: PatternTransfer, flow: PatternTransfer) => boolean;
}

export interface LongestChain {
  chain: PatternTransfer[];
  /** Work done, at most about two million steps. */
  steps: number;
  /** Some ways were left out: there may be a longer one. */
  cut: boolean;
}

/** Of each transfer that can be reached: where it goes on to, and how long a chain it can begin. */
interface Steps {
  next: Map<string, readonly PatternTransfer[]>;
  length: Map<string, number>;
}

/** The longest chain of transfers that begins with enough money, passes the subject, and no address twice. */
export function longestChain(
  { subject, sentBy, receivedBy }: Neighbourhood,
  { fromUsd, gapMs, keptShare, handsOn }: ChainRule,
): LongestChain {
  const work: Work = { steps: 0, cut: false };
  const isOne = (past: PatternTransfer, flow: PatternTransfer) =>
    flow.usd >= keptShare * past.usd && flow.usd <= past.usd * 1.001 && handsOn(past, flow);
  const after = (flow: PatternTransfer) =>
    nearest(soonAfter(sentBy(flow.to), flow.at, gapMs), (next) => isOne(flow, next), work);
  const before = (flow: PatternTransfer) =>
    nearest(soonBefore(receivedBy(flow.from), flow.at, gapMs).toReversed(), (past) => isOne(past, flow), work);
  const own = inTimeOrder([...sentBy(subject), ...receivedBy(subject)]);
  const ahead = explore(own, after, () => true);
  const behind = explore(own, before, ({ usd }) => usd >= fromUsd);

  let longest: PatternTransfer[] = [];
  const promised = new Map(own.map(({ id }) => [id, (behind.length.get(id) ?? 0) + (ahead.length.get(id) ?? 0) - 1]));
  for (const flow of own.toSorted((a, b) => promised.get(b.id)! - promised.get(a.id)!)) {
    if (promised.get(flow.id)! <= longest.length) break;
    const passed = new Set([flow.from, flow.to]);
    const past = walk(flow, behind, ({ from }) => from, passed, work).reverse();
    const chain = [...past, flow, ...walk(flow, ahead, ({ to }) => to, passed, work)];
    if ((chain[0] as PatternTransfer).usd >= fromUsd && chain.length > longest.length) longest = chain;
  }
  return { chain: longest, ...work };
}

interface Work {
  steps: number;
  cut: boolean;
}

/** The first that fit, as far as the work may go. */
function nearest(
  flows: readonly PatternTransfer[],
  fits: (flow: PatternTransfer) => boolean,
  work: Work,
): PatternTransfer[] {
  const found: PatternTransfer[] = [];
  for (const flow of flows) {
    if (found.length === NEXT_MAX || work.steps >= STEPS_MAX) {
      work.cut = true;
      break;
    }
    work.steps++;
    if (fits(flow)) found.push(flow);
  }
  return found;
}

/** Follows each transfer once, forwards or backwards in time. */
function explore(
  starts: readonly PatternTransfer[],
  steps: (flow: PatternTransfer) => readonly PatternTransfer[],
  isEnd: (flow: PatternTransfer) => boolean,
): Steps {
  const next = new Map<string, readonly PatternTransfer[]>();
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
function lengths(
  flows: readonly PatternTransfer[],
  next: ReadonlyMap<string, readonly PatternTransfer[]>,
  isEnd: (flow: PatternTransfer) => boolean,
): Map<string, number> {
  const found = new Map<string, number>();
  const pending = [...flows];
  for (let flow = pending.at(-1); flow; flow = pending.at(-1)) {
    const steps = next.get(flow.id) ?? [];
    const open = found.has(flow.id) ? [] : steps.filter(({ id }) => !found.has(id));
    pending.push(...open);
    if (open.length > 0) continue;
    pending.pop();
    const rest = Math.max(0, ...steps.map(({ id }) => found.get(id) ?? 0));
    found.set(flow.id, rest > 0 ? rest + 1 : Number(isEnd(flow)));
  }
  return found;
}

/** The longest way on that passes no address twice, what leads farthest tried first, as long as the tries last. */
function walk(
  start: PatternTransfer,
  { next, length }: Steps,
  party: (flow: PatternTransfer) => string,
  passed: Set<string>,
  work: Work,
): PatternTransfer[] {
  const far = ({ id }: PatternTransfer) => length.get(id) ?? 0;
  let longest: PatternTransfer[] = [];
  let left = TRIES_MAX;
  const way: PatternTransfer[] = [];
  const visit = (flow: PatternTransfer) => {
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

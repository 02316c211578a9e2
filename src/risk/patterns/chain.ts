import { type Flow, inTimeOrder, type Neighbourhood, soonBefore } from './neighbourhood.ts';

/** A bound on the work for one transfer of the subject. */
const TRIES_MAX = 500;

interface ChainRule {
  fromUsd: number;
  /** No transfer comes longer after the one before it. */
  gapMs: number;
  /** The least part of a transfer that may go on; more than all of it never does. */
  keptShare: number;
  /** What a transfer may have become. */
  onward: (flow: Flow) => readonly Flow[];
}

/** Of each transfer that can be reached: where it goes on to, and how long a chain it can begin. */
interface Steps {
  next: Map<string, readonly Flow[]>;
  length: Map<string, number>;
}

/** The longest chain of transfers that begins with enough money, passes the subject, and no address twice. */
export function longestChain(
  { subject, sentBy, receivedBy }: Neighbourhood,
  { fromUsd, gapMs, keptShare, onward }: ChainRule,
): Flow[] {
  const became = new Map<string, readonly Flow[]>();
  const after = (flow: Flow) => {
    const known = became.get(flow.id);
    if (known) return known;
    const found = onward(flow);
    became.set(flow.id, found);
    return found;
  };
  // Where thousands came in and went out, comparing amounts first saves nearly all of the looking up.
  const isPart = (flow: Flow, past: Flow) => flow.usd >= keptShare * past.usd && flow.usd <= past.usd * 1.001;
  const before = (flow: Flow) =>
    soonBefore(receivedBy(flow.from), flow.at, gapMs).filter(
      (past) => isPart(flow, past) && after(past).some(({ id }) => id === flow.id),
    );
  const own = inTimeOrder([...sentBy(subject), ...receivedBy(subject)]);
  const ahead = explore(own, after, () => true);
  const behind = explore(own, before, ({ usd }) => usd >= fromUsd);

  let longest: Flow[] = [];
  for (const flow of own) {
    if ((behind.length.get(flow.id) ?? 0) + (ahead.length.get(flow.id) ?? 0) - 1 <= longest.length) continue;
    const passed = new Set([flow.from, flow.to]);
    const past = walk(flow, behind, ({ from }) => from, passed).reverse();
    const chain = [...past, flow, ...walk(flow, ahead, ({ to }) => to, passed)];
    if ((chain[0] as Flow).usd >= fromUsd && chain.length > longest.length) longest = chain;
  }
  return longest;
}

/** Follows each transfer once, forwards or backwards in time. */
function explore(
  starts: readonly Flow[],
  steps: (flow: Flow) => readonly Flow[],
  isEnd: (flow: Flow) => boolean,
): Steps {
  const next = new Map<string, readonly Flow[]>();
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
  flows: readonly Flow[],
  next: ReadonlyMap<string, readonly Flow[]>,
  isEnd: (flow: Flow) => boolean,
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
function walk(start: Flow, { next, length }: Steps, party: (flow: Flow) => string, passed: Set<string>): Flow[] {
  const far = ({ id }: Flow) => length.get(id) ?? 0;
  let longest: Flow[] = [];
  let left = TRIES_MAX;
  const way: Flow[] = [];
  const visit = (flow: Flow) => {
    if (way.length > longest.length) longest = [...way];
    const open = (next.get(flow.id) ?? []).filter((step) => far(step) > 0 && !passed.has(party(step)));
    for (const step of open.sort((a, b) => far(b) - far(a) || b.usd - a.usd)) {
      if (way.length + far(step) <= longest.length || left-- <= 0) return;
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

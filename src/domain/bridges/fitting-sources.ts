import { parseUnits } from '../amount.ts';
import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';
import { arrivesAtMost, assetClass, boundOn, CLOCK_SKEW_MS, isInTime } from './match.ts';
import { EMPTY, type MaxTree, maxTree } from './max-tree.ts';
import type { BridgeMessage, RouteEnd } from './message.ts';

/** The sources that match a destination. */
interface Fitting {
  /** The earliest that is not taken; null without one. */
  first: BridgeMessage | null;
  /** How many match, taken or not; counted up to 2. */
  count: number;
}

export interface FittingSources {
  /** Destinations are asked for in the order of time. */
  of(destination: BridgeMessage): Fitting;
  take(source: BridgeMessage): void;
}

/** Sources that agree in all but time and amount, for one kind of destination. */
interface Group {
  sources: readonly BridgeMessage[];
  /** Places of those that expire, the first to expire first. */
  expiring: readonly number[];
  /** How many have been entered, and have expired. */
  entered: number;
  expired: number;
  /** The most that may arrive of each source that is in time; `open` of those that are not taken. */
  all: MaxTree;
  open: MaxTree;
}

/**
 * An index of sources, given in the order of time: finds those that `match` a destination without comparing each with it.
 * `decimals` is the precision in which all amounts, and the most that may arrive of each source, are whole.
 */
export function fittingSources(sources: readonly BridgeMessage[], decimals: number): FittingSources {
  const usable = sources.filter(
    ({ side, id, recipient, chain, route }) =>
      side === 'source' && id !== null && recipient !== null && route.from?.chain === chain,
  );
  const namesOf = new Map(usable.map((source) => [source, Object.keys(source.agreed).sort()]));
  const shapes = [...new Map([...namesOf.values()].map((names) => [JSON.stringify(names), names])).values()];
  const kinds = new Map<string, ReturnType<typeof indexFor>>();
  const taken = new Set<BridgeMessage>();

  /** The groups for destinations that repeat these names, and name their source or not. */
  function indexFor(repeated: readonly string[], hasFrom: boolean) {
    const common = (names: readonly string[]) => names.filter((name) => repeated.includes(name));
    const keyed = groupBy(usable, (source) => keyOf(source, common(namesOf.get(source)!), hasFrom));
    const groups = new Map(
      [...keyed].map(([key, all]) => {
        const byClass = [...groupBy(all, assetClass)].map(([sent, some]) => [sent, groupOf(some)] as const);
        return [key, byClass] as const;
      }),
    );
    const names = [...new Map(shapes.map(common).map((some) => [JSON.stringify(some), some])).values()];
    return { groups, names };
  }

  function groupsOf(destination: BridgeMessage): (readonly [string | null, Group])[] {
    const repeated = Object.keys(destination.agreed).sort();
    const hasFrom = destination.route.from !== null;
    const kind = JSON.stringify([repeated, hasFrom]);
    const index = kinds.get(kind) ?? indexFor(repeated, hasFrom);
    kinds.set(kind, index);
    return index.names.flatMap((names) => index.groups.get(keyOf(destination, names, hasFrom)) ?? []);
  }

  return {
    of(destination) {
      const fitting: Fitting = { first: null, count: 0 };
      if (destination.side !== 'destination' || destination.route.to.chain !== destination.chain) return fitting;
      const arrived = assetClass(destination);
      const amount = parseUnits(destination.amount, decimals);
      for (const [sent, group] of groupsOf(destination)) {
        const bound = boundOn(destination.protocol, sent, arrived);
        if (bound === 'never') continue;
        advance(group, destination, { taken, decimals });
        const least = bound === 'amount' ? amount : 0n;
        const first = firstOpen(group, least, taken);
        if (first && (fitting.first === null || byMessageTime(first, fitting.first) < 0)) fitting.first = first;
        for (let place = group.all.firstAtLeast(least, 0); place !== null && fitting.count < 2; ) {
          fitting.count += 1;
          place = group.all.firstAtLeast(least, place + 1);
        }
      }
      return fitting;
    },
    take: (source) => taken.add(source),
  };
}

/** The order in which messages are paired. */
export function byMessageTime(a: BridgeMessage, b: BridgeMessage): number {
  return a.at - b.at || compare(a.tx, b.tx) || a.position - b.position;
}

/** Equal for sources and destinations that state the same message in everything but time, amount and asset. */
function keyOf({ protocol, id, recipient, route, agreed }: BridgeMessage, names: readonly string[], hasFrom: boolean) {
  const end = ({ chain, raw }: RouteEnd) => [chain, raw];
  const from = hasFrom && route.from ? end(route.from) : null;
  return JSON.stringify([protocol, id, recipient, end(route.to), from, names.map((name) => [name, agreed[name]])]);
}

function groupOf(sources: readonly BridgeMessage[]): Group {
  const expiring = sources.flatMap(({ expiresAt }, place) => (expiresAt === null ? [] : [place]));
  expiring.sort((a, b) => sources[a]!.expiresAt! - sources[b]!.expiresAt!);
  const [all, open] = [maxTree(sources.length), maxTree(sources.length)];
  return { sources, expiring, entered: 0, expired: 0, all, open };
}

/** Enters the sources that a destination of this time may deliver, and removes those that have expired. */
function advance(
  group: Group,
  destination: BridgeMessage,
  { taken, decimals }: { taken: ReadonlySet<BridgeMessage>; decimals: number },
): void {
  const { sources, expiring, all, open } = group;
  for (; group.entered < sources.length; group.entered++) {
    const source = sources[group.entered]!;
    if (source.at - CLOCK_SKEW_MS > destination.at) break;
    if (!isInTime(source, destination)) continue;
    const most = parseUnits(arrivesAtMost(source), decimals);
    all.set(group.entered, most);
    if (!taken.has(source)) open.set(group.entered, most);
  }
  for (; group.expired < expiring.length; group.expired++) {
    const place = expiring[group.expired]!;
    if (sources[place]!.expiresAt! + CLOCK_SKEW_MS >= destination.at) break;
    for (const tree of [all, open]) tree.set(place, EMPTY);
  }
}

/** A source may be in several groups: what another one gave away is removed here when it is met. */
function firstOpen({ sources, open }: Group, least: bigint, taken: ReadonlySet<BridgeMessage>): BridgeMessage | null {
  for (;;) {
    const place = open.firstAtLeast(least, 0);
    if (place === null) return null;
    const source = sources[place]!;
    if (!taken.has(source)) return source;
    open.set(place, EMPTY);
  }
}

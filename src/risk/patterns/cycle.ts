import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { STABLECOINS } from '../../domain/tokens/stablecoins.ts';
import { PATTERN_RULES } from '../rules.ts';
import {
  inTimeOrder,
  type Neighbourhood,
  type Pattern,
  type PatternTransfer,
  type Search,
  soonAfter,
  sumUsd,
} from './neighbourhood.ts';

const RULE = PATTERN_RULES.cycle;

/** Money that the subject sent comes back to it over others, later and later, hardly less than it was. */
export function findCycles(around: Neighbourhood, search: Search): Pattern[] {
  const rings = ringsOf(around, search);
  const long = rings.filter((ring) => ring.length > 2).sort((a, b) => returned(b) - returned(a))[0];
  const pairs = groupBy(
    rings.filter(({ length }) => length === 2),
    ([first]) => (first as PatternTransfer).to,
  );
  const repeated = [...pairs.values()].map(apart).find((trips) => trips.length >= RULE.pair_round_trips);
  return [long ? [long] : [], repeated ?? []].flatMap((found) => (found.length > 0 ? [toPattern(found)] : []));
}

function toPattern(rings: PatternTransfer[][]): Pattern {
  return {
    pattern_id: 'cycle',
    severity: 'MEDIUM',
    usd: sumUsd(rings.map((ring) => ({ usd: returned(ring) }))),
    flows: inTimeOrder(rings.flat()),
  };
}

function returned(ring: PatternTransfer[]): number {
  return ring.at(-1)?.usd ?? 0;
}

/** Rings that share no transfer, in the order of their beginning. */
function apart(rings: PatternTransfer[][]): PatternTransfer[][] {
  const used = new Set<string>();
  return rings.filter((ring) => {
    if (ring.some(({ id }) => used.has(id))) return false;
    for (const { id } of ring) used.add(id);
    return true;
  });
}

/** Every ring up to the most hops, until the most expansions are spent; a ring inside one transaction has no later step. */
function ringsOf({ subject, sentBy, knownFrom, isService }: Neighbourhood, search: Search): PatternTransfer[][] {
  const rings: PatternTransfer[][] = [];
  let left: number = RULE.expansions_max;
  const walk = (path: PatternTransfer[], visited: Set<string>) => {
    const last = path.at(-1) as PatternTransfer;
    const first = path[0] as PatternTransfer;
    if (path.length >= RULE.hops_max) return;
    for (const flow of soonAfter(knownFrom(last.to), last.at, first.at + RULE.hours * HOUR_MS - last.at)) {
      if (--left < 0) {
        search.cut = true;
        return;
      }
      const kept = flow.usd / last.usd;
      if (kept < RULE.kept_share || kept > RULE.kept_share_max || assetClass(flow) !== assetClass(last)) continue;
      if (flow.to === subject) rings.push([...path, flow]);
      else if (!visited.has(flow.to) && !isService(flow.to)) walk([...path, flow], new Set(visited).add(flow.to));
    }
  };
  for (const flow of sentBy(subject)) {
    if (flow.usd >= RULE.from_usd && !isService(flow.to)) walk([flow], new Set([flow.to]));
  }
  return rings;
}

function assetClass({ asset }: PatternTransfer): string {
  return STABLECOINS.includes(asset) ? 'one dollar' : asset;
}

import { SEVERITIES } from '../detection.ts';
import { findCycles } from './cycle.ts';
import { findGatherScatter } from './gather-scatter.ts';
import type { Neighbourhood, Pattern, Search } from './neighbourhood.ts';
import { findPassThrough } from './pass-through.ts';
import { findPeelChain } from './peel-chain.ts';
import { findRelayChain } from './relay-chain.ts';
import { findScatterGather } from './scatter-gather.ts';

const PATTERNS = [findPeelChain, findScatterGather, findGatherScatter, findCycles, findRelayChain, findPassThrough];

/** The patterns around a subject that is not a service, gravest first. */
export function findPatterns(around: Neighbourhood): Search & { patterns: Pattern[] } {
  const search: Search = { cut: false };
  const patterns = PATTERNS.flatMap((find) => find(around, search)).sort(
    (a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || b.usd - a.usd,
  );
  return { ...search, patterns };
}

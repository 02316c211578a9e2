import { SEVERITIES } from '../detection.ts';
import { cycle } from './cycle.ts';
import { gatherScatter } from './gather-scatter.ts';
import type { Neighbourhood, Pattern, Search } from './neighbourhood.ts';
import { passThrough } from './pass-through.ts';
import { peelChain } from './peel-chain.ts';
import { relayChain } from './relay-chain.ts';
import { scatterGather } from './scatter-gather.ts';

const PATTERNS = [peelChain, scatterGather, gatherScatter, cycle, relayChain, passThrough];

/** The patterns around a subject that is not a service, gravest first. */
export function findPatterns(around: Neighbourhood): Search & { patterns: Pattern[] } {
  const search: Search = { cut: false };
  const patterns = PATTERNS.flatMap((find) => find(around, search)).sort(
    (a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || b.usd - a.usd,
  );
  return { ...search, patterns };
}

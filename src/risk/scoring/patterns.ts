import { MINUTE_MS } from '../../domain/time.ts';
import { describe } from '../../words/describe.ts';
import type { Figures } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { SEVERITIES } from '../detection.ts';
import { findCycles } from '../typologies/cycle.ts';
import { findGatherScatter } from '../typologies/gather-scatter.ts';
import { findPassThrough } from '../typologies/pass-through.ts';
import { findPeelChain } from '../typologies/peel-chain.ts';
import { findRelayChain } from '../typologies/relay-chain.ts';
import { findScatterGather } from '../typologies/scatter-gather.ts';
import type { Neighbourhood, Pattern, Search } from '../views/neighbourhood.ts';

const PATTERNS = [findPeelChain, findScatterGather, findGatherScatter, findCycles, findRelayChain, findPassThrough];

/** The patterns around a subject that is not a service, gravest first. `pause` is awaited after each typology. */
export async function findPatterns(
  around: Neighbourhood,
  pause: () => Promise<void> | undefined,
): Promise<Search & { patterns: Pattern[] }> {
  const search: Search = { cut: false };
  const patterns: Pattern[] = [];
  for (const find of PATTERNS) {
    patterns.push(...find(around, search));
    await pause();
  }
  patterns.sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || b.usd - a.usd);
  return { ...search, patterns };
}

/** The detector that a pattern counts in, and which of its texts applies. */
export const DETECTOR_OF_PATTERN: Record<string, { id: string; variant?: string }> = {
  scatter_gather: { id: 'scatter_gather' },
  relay_chain: { id: 'relay_chain' },
  cycle: { id: 'cycle', variant: 'ring' },
  peel_chain: { id: 'peel_chain', variant: 'chain' },
  gather_scatter: { id: 'gather_scatter', variant: 'around' },
  rapid_pass_through: { id: 'pass_through', variant: 'around' },
};

interface Shape {
  pattern_id: string;
  usd: number;
  /** In time order. */
  flows: readonly { from: string; to: string; at: number }[];
}

/** Returns what the texts of a pattern say: its transfers, the addresses on its way, its money and its span. */
export function patternFigures({ flows, usd }: Shape, subject: string): Figures {
  const receivers = new Set(flows.map(({ to }) => to));
  const passed = new Set(flows.map(({ from }) => from).filter((address) => receivers.has(address)));
  const span = (flows.at(-1)?.at ?? 0) - (flows[0]?.at ?? 0);
  return {
    transfers: flows.length,
    addresses: [...passed].filter((address) => address !== subject).length,
    usd,
    minutes: Math.max(1, Math.ceil(span / MINUTE_MS)),
  };
}

/** Name and description of a pattern around a subject, in the words of the detector that it counts in. */
export function describePattern(
  pattern: Shape,
  subject: string,
  lang: Language,
): { name: string; description: string } {
  const { id, variant } = DETECTOR_OF_PATTERN[pattern.pattern_id] ?? { id: pattern.pattern_id };
  const arrives = id === 'scatter_gather' && !pattern.flows.some(({ from }) => from === subject);
  const details = { variant: arrives ? 'received' : variant, measured: patternFigures(pattern, subject) };
  const { detector_name, description } = describe({ detector_id: id, details }, lang);
  return { name: detector_name, description };
}

import { compare } from '../../domain/compare.ts';
import { fillMeasured } from '../../words/describe.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { SEVERITIES } from '../detection.ts';
import { sweepPoisoning } from '../exposure/address-poisoning.ts';
import { sweepKnownMalicious } from '../exposure/own-labels.ts';
import { sweepRapidDistribution } from '../typologies/distribution.ts';
import { sweepLargeTransfers } from '../typologies/large-transfer.ts';
import { sweepRelayChains } from '../typologies/relay-chain.ts';
import { type Flag, openWindow, SWEEP_PATTERNS, type SweepInput } from '../views/window.ts';
import { countedFindings } from './run-detector.ts';

const PATTERNS = [sweepKnownMalicious, sweepPoisoning, sweepRelayChains, sweepRapidDistribution, sweepLargeTransfers];

/**
 * The addresses in a token's transfers that match one of five patterns, gravest first; an address may match several. What a
 * scan would not count, as of a service, is not named. Pure: the order and repetition of the transfers do not matter. docs/risk.md describes the patterns.
 */
export function sweepTransfers(input: SweepInput): Flag[] {
  const window = openWindow(input, countedFindings);
  return PATTERNS.flatMap((find) => find(window)).sort(
    (a, b) =>
      SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
      SWEEP_PATTERNS.indexOf(a.pattern) - SWEEP_PATTERNS.indexOf(b.pattern) ||
      compare(a.address, b.address),
  );
}

/** Why an address was flagged, in one or two sentences; what others wrote is quoted, as before signing. */
export function reasonOf({ pattern, variant, measured }: Flag, lang: Language): string {
  const kind = variant ?? ('times_median' in measured ? 'median' : undefined);
  const texts: Record<string, string> = WORDS[lang].sweep;
  const { label, source } = measured;
  const quoted: typeof measured =
    label === undefined ? {} : { label: JSON.stringify(label), source: JSON.stringify(source) };
  return fillMeasured(texts[kind === undefined ? pattern : `${pattern}.${kind}`]!, { ...measured, ...quoted }, lang);
}

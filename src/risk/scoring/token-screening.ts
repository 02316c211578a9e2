import { fillMeasured } from '../../../words/describe.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import { compare } from '../../domain/compare.ts';
import { SEVERITIES } from '../detection.ts';
import { addressPoisoning } from '../exposure/address-poisoning.ts';
import { knownMalicious } from '../exposure/own-labels.ts';
import { rapidDistribution } from '../typologies/distribution.ts';
import { largeTransfer } from '../typologies/large-transfer.ts';
import { relayChain } from '../typologies/relay-chain.ts';
import type { Flag } from '../views/detector.ts';
import { openWindow, type TokenScreening } from '../views/window.ts';
import { countedFindings } from './run-detector.ts';

/** Detectors that know a pattern in a token's transfers, in the order in which equally grave flags are listed. */
const SCREENING = [knownMalicious, addressPoisoning, relayChain, rapidDistribution, largeTransfer];
export const SCREENING_PATTERNS: readonly string[] = SCREENING.map(({ id }) => id);

/**
 * The addresses in a token's transfers that match one of five patterns, gravest first; an address may match several. What a
 * scan would not count, as of a service, is not named. Pure: the order and repetition of the transfers do not matter. docs/risk.md describes the patterns.
 */
export function screenTokenTransfers(input: TokenScreening): Flag[] {
  const window = openWindow(input, countedFindings);
  return SCREENING.flatMap(({ inWindow }) => inWindow?.(window) ?? []).sort(
    (a, b) =>
      SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
      SCREENING_PATTERNS.indexOf(a.pattern) - SCREENING_PATTERNS.indexOf(b.pattern) ||
      compare(a.address, b.address),
  );
}

/** Why an address was flagged, in one or two sentences; what others wrote is quoted, as before signing. */
export function reasonOf({ pattern, variant, measured }: Flag, lang: Language): string {
  const kind = variant ?? ('times_median' in measured ? 'median' : undefined);
  const texts: Record<string, string> = WORDS[lang].tokenScreening;
  const { label, source } = measured;
  const quoted: typeof measured =
    label === undefined ? {} : { label: JSON.stringify(label), source: JSON.stringify(source) };
  return fillMeasured(texts[kind === undefined ? pattern : `${pattern}.${kind}`]!, { ...measured, ...quoted }, lang);
}

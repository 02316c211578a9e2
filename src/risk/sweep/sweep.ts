import { compare } from '../../domain/compare.ts';
import { SEVERITIES } from '../detection.ts';
import { sweepPoisoning } from './address-poisoning.ts';
import { sweepKnownMalicious } from './known-malicious.ts';
import { sweepLargeTransfers } from './large-transfer.ts';
import { sweepRapidDistribution } from './rapid-distribution.ts';
import { sweepRelayChains } from './relay-chain.ts';
import { type Flag, openWindow, SWEEP_PATTERNS, type SweepInput } from './window.ts';

const PATTERNS = [sweepKnownMalicious, sweepPoisoning, sweepRelayChains, sweepRapidDistribution, sweepLargeTransfers];

/**
 * The addresses in a token's transfers that match one of five patterns, gravest first; an address may match several.
 * Pure: the order and repetition of the transfers do not matter. docs/risk.md describes the patterns.
 */
export function sweepTransfers(input: SweepInput): Flag[] {
  const window = openWindow(input);
  return PATTERNS.flatMap((find) => find(window)).sort(
    (a, b) =>
      SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
      SWEEP_PATTERNS.indexOf(a.pattern) - SWEEP_PATTERNS.indexOf(b.pattern) ||
      compare(a.address, b.address),
  );
}

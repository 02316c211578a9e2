import { MINUTE_MS } from '../../../domain/time.ts';
import type { PatternAround } from '../../assessment.ts';
import type { Severity } from '../../detection.ts';
import { origins, taintedShareOf } from '../../exposure/taint.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { PATTERN_MONEY, PATTERN_RULES } from '../../rules.ts';
import { atMost, oneHigher, oneLower } from '../../severity.ts';
import { type Detector, type Finding, rounded } from '../detector.ts';
import { gatherScatter } from './gather-scatter.ts';
import { passThrough } from './pass-through.ts';

/** The detector that a pattern counts in, and which of its texts applies. */
const DETECTOR_OF: Record<string, { id: string; variant?: string; alone?: Detector }> = {
  scatter_gather: { id: 'scatter_gather' },
  relay_chain: { id: 'relay_chain' },
  cycle: { id: 'cycle', variant: 'ring' },
  peel_chain: { id: 'peel_chain', variant: 'chain' },
  // Where the address's own transfers show it already, it is one finding.
  gather_scatter: { id: 'gather_scatter', variant: 'around', alone: gatherScatter },
  rapid_pass_through: { id: 'pass_through', variant: 'around', alone: passThrough },
};

/** Patterns of several addresses that a trace found, with the subject at their origin or in their middle. */
export const PATTERNS_AROUND: readonly Detector[] = Object.entries(DETECTOR_OF).map(
  ([patternId, { id, variant, alone }]) => ({
    id,
    family: 'structural',
    exemptService: true,
    detect(ledger) {
      const patterns = ledger.patterns.filter(
        ({ pattern_id, flows }) =>
          pattern_id === patternId && flows.some(({ from }) => from === ledger.subject.address),
      );
      if (patterns.length === 0 || (alone && alone.detect(ledger).length > 0)) return [];
      return patterns.map((pattern) => toFinding(ledger, pattern, variant));
    },
  }),
);

function toFinding(ledger: Ledger, pattern: PatternAround, variant: string | undefined): Finding {
  const { subject } = ledger;
  const { pattern_id, flows, usd } = pattern;
  const own = flows.filter(({ from, to }) => from === subject.address || to === subject.address);
  const ids = new Set(own.map(({ id }) => id));
  const movements = ledger.movements.filter(({ transfer }) => ids.has(`${transfer.txHash}#${transfer.index}`));
  const passed = new Set(flows.map(({ from }) => from).filter((address) => flows.some(({ to }) => to === address)));
  const span = (flows.at(-1)?.at ?? 0) - (flows[0]?.at ?? 0);
  const { counted_hops } = PATTERN_RULES.relay_chain;
  return {
    severity: severityOf(ledger, pattern, taintedShareOf(ledger, movements)),
    ...(variant === undefined ? {} : { variant }),
    ...(pattern_id === 'relay_chain' && flows.length < counted_hops ? { suppressedBy: 'short_chain' as const } : {}),
    thresholds: thresholdsOf(pattern_id),
    measured: {
      transfers: flows.length,
      addresses: [...passed].filter((address) => address !== subject.address).length,
      usd: rounded(usd),
      minutes: Math.ceil(span / MINUTE_MS),
    },
    movements,
    elsewhere: {
      evidence: flows.map(({ id }) => id),
      counterparties: [...new Set(own.map(({ from, to }) => (from === subject.address ? to : from)))],
      ways: [],
    },
  };
}

/** Worse where the money is tainted, better where nearly all of it came from lawful services. */
function severityOf(ledger: Ledger, { severity }: PatternAround, taintedShare: number): Severity {
  if (taintedShare >= PATTERN_MONEY.tainted_share) return oneHigher(severity);
  return origins(ledger).cleanShare >= PATTERN_MONEY.clean_share ? oneLower(severity) : atMost(severity, 'HIGH');
}

function thresholdsOf(patternId: string): Finding['thresholds'] {
  const name = patternId === 'rapid_pass_through' ? 'pass_through' : patternId;
  const rule = PATTERN_RULES[name as keyof typeof PATTERN_RULES] as Record<string, number | readonly number[]>;
  const flat = Object.entries(rule).map(([key, value]) => [key, Array.isArray(value) ? value.map(String) : value]);
  return { ...Object.fromEntries(flat), ...PATTERN_MONEY };
}

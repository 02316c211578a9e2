import { rounded } from '../../domain/amount.ts';
import type { PatternAround } from '../assessment.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { origins, severityByMoney, taintedShareOf } from '../exposure/taint.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { PATTERN_MONEY, PATTERN_RULES } from '../rules.ts';
import { cycle } from '../typologies/cycle.ts';
import { gatherScatter } from '../typologies/gather-scatter.ts';
import { passThrough } from '../typologies/pass-through.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { DETECTOR_OF_PATTERN, patternFigures } from './patterns.ts';

/** Where the address's own transfers show a pattern already, it is one finding; of cycles, those with a single party. */
const ALONE: Record<string, Detector> = { gather_scatter: gatherScatter, rapid_pass_through: passThrough, cycle };

/** Patterns of several addresses that a trace found, with the subject at their origin or in their middle. */
export const PATTERNS_AROUND: readonly Detector[] = Object.entries(DETECTOR_OF_PATTERN).map(
  ([patternId, { id, variant }]) => ({
    id,
    family: 'structural',
    exemptService: true,
    detect(ledger) {
      const patterns = ledger.patterns.filter(
        ({ pattern_id, flows }) =>
          pattern_id === patternId && flows.some(({ from }) => from === ledger.subject.address),
      );
      if (patterns.length === 0) return [];
      const isKnown = (ALONE[patternId]?.detect(ledger).length ?? 0) > 0;
      const news = patterns.filter((pattern) => !isKnown || (patternId === 'cycle' && partiesOf(pattern) > 2));
      return news.map((pattern) => toFinding(ledger, pattern, variant));
    },
  }),
);

function partiesOf({ flows }: PatternAround): number {
  return new Set(flows.flatMap(({ from, to }) => [from, to])).size;
}

function toFinding(ledger: Ledger, pattern: PatternAround, variant: string | undefined): Finding {
  const { subject } = ledger;
  const { pattern_id, flows, usd } = pattern;
  const own = flows.filter(({ from, to }) => from === subject.address || to === subject.address);
  const ids = new Set(own.flatMap(({ transfers }) => transfers));
  const movements = ledger.movements.filter(({ transfer }) => ids.has(transfer.id));
  const { counted_hops } = PATTERN_RULES.relay_chain;
  return {
    severity: severityByMoney(pattern.severity, {
      taintedShare: taintedShareOf(ledger, movements),
      cleanShare: origins(ledger).cleanShare,
    }),
    ...(variant === undefined ? {} : { variant }),
    ...(pattern_id === 'relay_chain' && flows.length < counted_hops ? { suppressedBy: 'short_chain' as const } : {}),
    thresholds: thresholdsOf(pattern_id),
    measured: {
      ...patternFigures(pattern, subject.address),
      usd: rounded(usd),
      amounts: amountsOf(movements.filter(({ direction }) => direction === 'out')),
    },
    movements,
    elsewhere: {
      evidence: flows.map(({ id }) => id),
      counterparties: [...new Set(own.map(({ from, to }) => (from === subject.address ? to : from)))],
      ways: [],
    },
  };
}

function thresholdsOf(patternId: string): Finding['thresholds'] {
  const name = patternId === 'rapid_pass_through' ? 'pass_through' : patternId;
  const rule = PATTERN_RULES[name as keyof typeof PATTERN_RULES] as Record<string, number | readonly number[]>;
  const flat = Object.entries(rule).map(([key, value]) => [key, Array.isArray(value) ? value.map(String) : value]);
  return { ...Object.fromEntries(flat), ...PATTERN_MONEY };
}

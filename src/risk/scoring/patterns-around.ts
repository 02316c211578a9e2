import type { Figures } from '../../../words/figures.ts';
import { rounded } from '../../domain/amount.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { PatternAround } from '../assessment.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { origins, severityByMoney, taintedShareOf } from '../exposure/taint.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { PATTERN_MONEY } from '../rules.ts';
import type { AroundDetector, Detector, Finding } from '../views/detector.ts';

/** Finds in the surroundings what the same record finds in the subject's own transfers: where those show it, it is one finding. */
export function aroundSubject({ id, family, indicator, around, detect }: AroundDetector): Detector {
  return {
    id,
    family,
    indicator,
    exemptService: true,
    detect(ledger) {
      const patterns = ledger.patterns.filter(
        ({ pattern_id, flows }) =>
          pattern_id === around.pattern && flows.some(({ from }) => from === ledger.subject.address),
      );
      if (patterns.length === 0) return [];
      const isKnown = around.isBesideOwn !== undefined && (detect?.(ledger).length ?? 0) > 0;
      const news = patterns.filter((pattern) => !isKnown || around.isBesideOwn?.(pattern));
      return news.map((pattern) => toFinding(ledger, pattern, around));
    },
  };
}

function toFinding(ledger: Ledger, pattern: PatternAround, around: AroundDetector['around']): Finding {
  const { subject } = ledger;
  const { flows, usd } = pattern;
  const suppressedBy = around.suppressedBy?.(pattern);
  const own = flows.filter(({ from, to }) => from === subject.address || to === subject.address);
  const ids = new Set(own.flatMap(({ transfers }) => transfers));
  const movements = ledger.movements.filter(({ transfer }) => ids.has(transfer.id));
  return {
    severity: severityByMoney(pattern.severity, {
      taintedShare: taintedShareOf(ledger, movements),
      cleanShare: origins(ledger).cleanShare,
    }),
    ...(around.variant === undefined ? {} : { variant: around.variant }),
    ...(suppressedBy && { suppressedBy }),
    thresholds: thresholdsOf(around.rule),
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

function thresholdsOf(rule: AroundDetector['around']['rule']): Finding['thresholds'] {
  const flat = Object.entries(rule).map(([key, value]) => [key, typeof value === 'number' ? value : value.map(String)]);
  return { ...Object.fromEntries(flat), ...PATTERN_MONEY };
}

export interface Shape {
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

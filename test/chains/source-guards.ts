import type { SourceGuards } from '../../src/chains/guarded-source.ts';
import { Paces } from '../../src/chains/pace.ts';
import { openMemoryLimits } from '../../src/fairness/limits/memory.ts';
import { createMetrics } from '../../src/http/metrics/metrics.ts';

/** The guards of a process of its own, for suites that open a source themselves. */
export function sourceGuards(now: () => number = Date.now): SourceGuards {
  return { uses: new Map(), metrics: createMetrics(), paces: new Paces(openMemoryLimits(Date.now)), now };
}

import { onTestFinished, vi } from 'vitest';
import type { Graph } from '../../src/graph/port.ts';

/** The graph in which the time of a query is over as soon as the engine has begun it, so that none ends before. */
export function withTimeOver(graph: Graph): Graph {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    ...graph,
    read: (statement, params, options) => {
      const answer = graph.read<never>(statement, params, options);
      vi.advanceTimersByTime(options?.timeoutMs ?? 0);
      return answer;
    },
  };
}

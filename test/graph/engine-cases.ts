import { afterAll, beforeAll, it } from 'vitest';
import type { Graph } from '../../src/graph/port.ts';
import type { GraphEngine } from './engines.ts';

/**
 * For a suite that runs on each engine of ENGINES: how its cases are written. Each is given an empty graph before it
 * works and whenever it calls `reset`, and is skipped with the reason where the engine cannot be had.
 */
export function engineCases(start: () => Promise<GraphEngine>, give: (graph: Graph) => void) {
  let engine: GraphEngine;
  beforeAll(async () => {
    engine = await start();
  }, 600_000);
  afterAll(() => engine?.close());

  const reset = async () => give(await engine.open());
  return (name: string, work: (reset: () => Promise<void>) => Promise<void>, timeoutMs?: number): void => {
    it(name, { timeout: timeoutMs }, async (ctx) => {
      if (engine.missing) return ctx.skip(engine.missing);
      await reset();
      await work(reset);
    });
  };
}

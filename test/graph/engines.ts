import { openGrafeo } from '../../src/graph/grafeo.ts';
import type { Graph } from '../../src/graph/port.ts';

/** A graph engine as a suite uses it, from beforeAll to afterAll. */
export interface GraphEngine {
  /** Null, or why the engine cannot be had here. */
  missing: string | null;
  /** A graph without contents; closes what the call before opened. */
  open(): Promise<Graph>;
  close(): Promise<void>;
}

/** Every engine that a suite about the graph must pass. */
export const ENGINES: Record<Graph['engine'], () => Promise<GraphEngine>> = {
  grafeo: async () => {
    let graph: Graph | undefined;
    const close = async () => graph?.close();
    return {
      missing: null,
      async open() {
        await close();
        graph = await openGrafeo({ path: null, shuffleUnordered: true });
        return graph;
      },
      close,
    };
  },
} as Record<Graph['engine'], () => Promise<GraphEngine>>;

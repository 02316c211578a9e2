import neo4j from 'neo4j-driver';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { openNeo4j } from '../../src/graph/neo4j/neo4j.ts';
import type { Graph } from '../../src/graph/port.ts';
import { leaseServer } from '../setup/services.ts';

/** A graph engine as a suite uses it, from beforeAll (of ten minutes) to afterAll. */
export interface GraphEngine {
  /** Null, or why the engine cannot be had here. */
  missing: string | null;
  /** Of the server; empty for an engine without one. */
  settings: Record<string, string>;
  /** A graph without contents; the one of the call before is gone. */
  open(): Promise<Graph>;
  close(): Promise<void>;
}

/**
 * Every engine that a suite about the graph must pass. What is made of the rows of its statements, which are the same on
 * each (contract.test.ts), a suite of questions asks on the embedded one; walks, which a statement plans, on each.
 */
export const ENGINES: Record<Graph['engine'], () => Promise<GraphEngine>> = {
  grafeo: async () => {
    let graph: Graph | undefined;
    const close = async () => graph?.close();
    return {
      missing: null,
      settings: {},
      async open() {
        await close();
        graph = await openGrafeo({ path: null, shuffleUnordered: true });
        return graph;
      },
      close,
    };
  },

  neo4j: async () => {
    const server = await leaseServer('neo4j');
    if (server.missing !== null)
      return { missing: server.missing, settings: {}, open: unavailable, close: async () => server.release() };
    const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
    const graph = await openNeo4j({ uri, user, password });
    const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
    return {
      missing: null,
      settings: server.settings,
      async open() {
        await driver.executeQuery('MATCH (n) DETACH DELETE n');
        return graph;
      },
      async close() {
        await graph.close();
        await driver.close();
        server.release();
      },
    };
  },
};

function unavailable(): never {
  throw new Error('the engine is missing here');
}

import type { Graph, Params } from './port.ts';

/** A statement as it was asked. */
export interface AskedStatement {
  /** Name of the statement, as in Graph.read. */
  name: string;
  params: Params;
}

/** A graph that notes each statement that is read from it, in the order of asking. */
export function recorded(graph: Graph): { graph: Graph; asked: AskedStatement[] } {
  const asked: AskedStatement[] = [];
  const read: Graph['read'] = (name, params, options) => {
    asked.push({ name, params });
    return graph.read(name, params, options);
  };
  return { graph: { ...graph, read }, asked };
}

import type { Graph, Params } from '../../src/graph/port.ts';

/** The graph, and the statements that its transactions run. */
export function countedStatements(graph: Graph) {
  const ran: { statement: string; params: Params }[] = [];
  const counted: Graph = {
    ...graph,
    transact: (work) =>
      graph.transact((tx) =>
        work({
          run: (statement, params) => {
            ran.push({ statement, params });
            return tx.run(statement, params);
          },
        }),
      ),
  };
  return { counted, ran };
}

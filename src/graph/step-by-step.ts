import type { Graph, Row, WriteStep } from './port.ts';

/** `write` by means of `transact`: one step after the other, with the rows of the last. */
export function stepByStep(transact: Graph['transact']): Graph['write'] {
  return <T extends Row>(steps: WriteStep[]) =>
    transact(async (tx) => {
      let rows: T[] = [];
      for (const { statement, params } of steps) rows = await tx.run<T>(statement, params);
      return rows;
    });
}

import type { Graph, GraphTransaction, Params, Row, WriteStep } from './port.ts';

/** `write` by means of `transact`: one step after the other, with the rows of the last. */
export function stepByStep(transact: Graph['transact']): Graph['write'] {
  return <T extends Row>(steps: WriteStep[]) =>
    transact(async (tx) => {
      let rows: T[] = [];
      for (const { statement, params } of steps) rows = await tx.run<T>(statement, params);
      return rows;
    });
}

/**
 * Runs the work of a transaction, which fails with its first statement that failed, also where the work goes on after it:
 * the engine has written nothing of it, and would end it without a word.
 */
export async function allOrNothing<T>(
  run: GraphTransaction['run'],
  work: (tx: GraphTransaction) => Promise<T>,
): Promise<T> {
  let failed: { cause: unknown } | undefined;
  const result = await work({
    run: async <R extends Row>(statement: string, params: Params) => {
      if (failed) throw failed.cause;
      try {
        return await run<R>(statement, params);
      } catch (cause) {
        failed ??= { cause };
        throw cause;
      }
    },
  });
  if (failed) throw failed.cause;
  return result;
}

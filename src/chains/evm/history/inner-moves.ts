import { ZodError } from 'zod';
import { SourceError } from '../../../errors.ts';
import type { RequestOptions } from '../../port.ts';
import { internalRows, pathOrder } from '../explorer/rows.ts';
import { type ExecutionTrace, readCallTrace, readParityTrace } from '../format/trace.ts';
import { type EvmMovement, traceMovement } from '../format/transfer.ts';
import { isMethodUnknown, type Rpc, type RpcOutcome } from '../node/rpc.ts';
import type { EvmSources } from './sources.ts';

export interface InnerMoves {
  movements: EvmMovement[];
  /** The transaction's own call was undone, as far as the source says. */
  failed: boolean;
}

/** The EVM allows 1,024 nested frames, each of them an object in a list; traces of large transactions have 30 MiB. */
const TRACE_BOUNDS = { bytesMax: 32 * 1024 * 1024, valuesMax: 1_000_000, depthMax: 2_200 };

/** Inner moves of coin in one transaction, from the node's tracer, else its flat traces, else the explorer; none where no source has them. */
export async function innerMoves(
  sources: EvmSources,
  hash: string,
  failed: boolean,
  options?: RequestOptions,
): Promise<InnerMoves> {
  const trace = sources.rpc && (await traceOf(sources.rpc, hash, options));
  if (trace) {
    const numbered = sources.explorer?.style === 'blockscout';
    const movements = trace.movements
      .filter((movement) => movement.amountRaw > 0n)
      .map((movement) => {
        const order = numbered ? movement.order : pathOrder(movement.path);
        return traceMovement({ ...movement, order }, `trace:${numbered ? order : movement.path}`, failed);
      });
    return { movements, failed: trace.failed };
  }
  if (!sources.explorer) return { movements: [], failed: false };
  // A block range beside the hash would bring rows of other transactions.
  const outcome = await sources.explorer.ask({ module: 'account', action: 'txlistinternal', txhash: hash }, options);
  const rows = 'rows' in outcome ? await internalRows(sources.explorer, outcome.rows, hash) : [];
  return { movements: rows.map(({ movement }) => ({ ...movement, failed: movement.failed || failed })), failed: false };
}

async function traceOf(rpc: Rpc, hash: string, options?: RequestOptions): Promise<ExecutionTrace | null> {
  const bounded = { ...options, bounds: TRACE_BOUNDS };
  const tree = await rpc.attempt('debug_traceTransaction', [hash, { tracer: 'callTracer' }], bounded);
  if ('result' in tree) return read(rpc, () => readCallTrace(tree.result));
  if (!notOffered(tree)) return null;
  const list = await rpc.attempt('trace_transaction', [hash], bounded);
  return 'result' in list && list.result !== null ? read(rpc, () => readParityTrace(list.result)) : null;
}

/** Old state is pruned on most nodes: then the transaction is shown without its inner moves. */
function notOffered(outcome: RpcOutcome): boolean {
  return (
    'error' in outcome &&
    (isMethodUnknown(outcome.error) || /missing trie|historical|pruned/i.test(outcome.error.message))
  );
}

async function read(rpc: Rpc, reader: () => Promise<ExecutionTrace>): Promise<ExecutionTrace> {
  try {
    return await reader();
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    throw new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: the call trace has another shape`, {
      cause: error,
    });
  }
}

import { z } from 'zod';
import { timeSlices } from '../../../fairness/time-slices.ts';
import { addressField, quantity } from './fields.ts';

/** One inner move of the chain's own coin. */
export interface TraceMovement {
  /** Place in the tree below the transaction's own call: `0`, `0_1`. */
  path: string;
  /** Place in depth-first order, the transaction's own call being 0. */
  order: number;
  from: string;
  to: string;
  amountRaw: bigint;
  /** The frame, or one around it, was undone. */
  failed: boolean;
}

export interface ExecutionTrace {
  /** The transaction's own call was undone. */
  failed: boolean;
  movements: TraceMovement[];
  /** Set where a contract destroyed itself and the trace does not say what it held, or who got it. */
  isPartial?: true;
}

const frameFields = z.object({
  type: z.string(),
  from: addressField.nullish(),
  to: addressField.nullish(),
  value: quantity.nullish(),
  error: z.string().nullish(),
  calls: z.array(z.unknown()).nullish(),
});

/** Frames that move coin; DELEGATECALL and CALLCODE only repeat a value, STATICCALL has none. */
const MOVING = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

/** Reads a `callTracer` tree; old tracers leave the sides of a self-destruction unsaid. Throws ZodError for another shape. */
export async function readCallTrace(root: unknown): Promise<ExecutionTrace> {
  const movements: TraceMovement[] = [];
  let order = 0;
  let unsaid = 0;
  const pause = timeSlices();
  const walk = async (raw: unknown, path: number[], voided: boolean): Promise<boolean> => {
    await pause();
    const frame = frameFields.parse(raw);
    const failed = voided || typeof frame.error === 'string';
    const mine = order++;
    const { from, to, value } = frame;
    if (!from || !to || value == null) {
      if (frame.type === 'SELFDESTRUCT' && !failed) unsaid += 1;
    } else if (path.length > 0 && MOVING.has(frame.type) && value > 0n) {
      movements.push({ path: path.join('_'), order: mine, from, to, amountRaw: value, failed });
    }
    for (const [place, child] of (frame.calls ?? []).entries()) await walk(child, [...path, place], failed);
    return failed;
  };
  const failed = await walk(root, [], false);
  return { failed, movements, ...(unsaid > 0 && { isPartial: true }) };
}

/** The EVM allows 1,024 nested frames. */
const FRAMES_DEEP_MAX = 1_024;

const parityTrace = z.object({
  type: z.string(),
  action: z.looseObject({}),
  result: z.object({ address: addressField.optional() }).nullish(),
  error: z.string().nullish(),
  traceAddress: z.array(z.number().int().nonnegative()).max(FRAMES_DEEP_MAX),
});
const callAction = z.object({ callType: z.string(), from: addressField, to: addressField, value: quantity });
const createAction = z.object({ from: addressField, value: quantity });
const suicideAction = z.object({ address: addressField, refundAddress: addressField, balance: quantity });

/** Reads `trace_transaction`. Throws ZodError for another shape. */
export async function readParityTrace(list: unknown): Promise<ExecutionTrace> {
  const pause = timeSlices();
  const traces: z.output<typeof parityTrace>[] = [];
  for (const raw of z.array(z.unknown()).parse(list)) {
    traces.push(parityTrace.parse(raw));
    await pause();
  }
  const undone = new Set(traces.filter((trace) => trace.error).map((trace) => trace.traceAddress.join('_')));
  const movements: TraceMovement[] = [];
  for (const [order, trace] of traces.entries()) {
    await pause();
    const { traceAddress } = trace;
    const moved = parityMovement(trace);
    if (!moved || traceAddress.length === 0 || moved.amountRaw === 0n) continue;
    const failed =
      undone.has('') || traceAddress.some((_, depth) => undone.has(traceAddress.slice(0, depth + 1).join('_')));
    movements.push({ path: traceAddress.join('_'), order, ...moved, failed });
  }
  return { failed: undone.has(''), movements };
}

function parityMovement(trace: z.output<typeof parityTrace>): { from: string; to: string; amountRaw: bigint } | null {
  if (trace.type === 'call') {
    const action = callAction.parse(trace.action);
    return action.callType === 'call' ? { from: action.from, to: action.to, amountRaw: action.value } : null;
  }
  if (trace.type === 'create') {
    const action = createAction.parse(trace.action);
    const to = trace.result?.address;
    return to ? { from: action.from, to, amountRaw: action.value } : null;
  }
  if (trace.type === 'suicide') {
    const action = suicideAction.parse(trace.action);
    return { from: action.address, to: action.refundAddress, amountRaw: action.balance };
  }
  return null;
}

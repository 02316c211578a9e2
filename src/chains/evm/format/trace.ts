import { z } from 'zod';
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

export interface Trace {
  /** The transaction's own call was undone. */
  failed: boolean;
  movements: TraceMovement[];
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
export function readCallTrace(root: unknown): Trace {
  const movements: TraceMovement[] = [];
  let order = 0;
  const walk = (raw: unknown, path: number[], voided: boolean): boolean => {
    const frame = frameFields.parse(raw);
    const failed = voided || typeof frame.error === 'string';
    const mine = order++;
    if (path.length > 0 && MOVING.has(frame.type) && frame.from && frame.to && frame.value) {
      movements.push({
        path: path.join('_'),
        order: mine,
        from: frame.from,
        to: frame.to,
        amountRaw: frame.value,
        failed,
      });
    }
    for (const [place, child] of (frame.calls ?? []).entries()) walk(child, [...path, place], failed);
    return failed;
  };
  const failed = walk(root, [], false);
  return { failed, movements };
}

const parityTrace = z.object({
  type: z.string(),
  action: z.looseObject({}),
  result: z.object({ address: addressField.optional() }).nullish(),
  error: z.string().nullish(),
  traceAddress: z.array(z.number().int().nonnegative()),
});
const callAction = z.object({ callType: z.string(), from: addressField, to: addressField, value: quantity });
const createAction = z.object({ from: addressField, value: quantity });
const suicideAction = z.object({ address: addressField, refundAddress: addressField, balance: quantity });

/** Reads `trace_transaction`. Throws ZodError for another shape. */
export function readParityTrace(list: unknown): Trace {
  const traces = z.array(parityTrace).parse(list);
  const undone = traces.filter((trace) => trace.error).map((trace) => trace.traceAddress);
  const movements = traces.flatMap((trace, order): TraceMovement[] => {
    const moved = parityMovement(trace);
    if (!moved || trace.traceAddress.length === 0 || moved.amountRaw === 0n) return [];
    const failed = undone.some((frame) => frame.every((step, depth) => trace.traceAddress[depth] === step));
    return [{ path: trace.traceAddress.join('_'), order, ...moved, failed }];
  });
  return { failed: undone.some((frame) => frame.length === 0), movements };
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

import type { AbiFault } from './abi.ts';
import type { Action, InnerCall } from './action.ts';

/** A call that a Safe makes. */
export interface SafeCall {
  /** The Safe lends itself to the code at `to`, which then acts in its name. */
  delegated: boolean;
  to: string;
  value: bigint;
  /** Hex without `0x`. */
  data: string;
}

/**
 * Contracts of Safe that do nothing but `multiSend`, at the same addresses on every chain: 1.3.0 with and without replay
 * protection of its deployment, 1.4.1; each in two forms. All else that a Safe lends itself to is its master.
 */
const BATCHERS: ReadonlySet<string> = new Set([
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
]);

const CALLS_MAX = 256;
/** Operation (1 byte), address (20), value (32) and length of the data (32), in hex digits. */
const [TO, VALUE, LENGTH, DATA] = [2, 42, 106, 170];

/** Returns what a call of a Safe does, and the call inside it. */
export function safeActions(call: string, { delegated, to, value, data }: SafeCall): (Action | InnerCall)[] {
  if (delegated) {
    return [
      BATCHERS.has(to) ? { kind: 'target', call, to } : { kind: 'control', call, to },
      { kind: 'inner', to: null, data, value: null, asContract: false },
    ];
  }
  return [
    { kind: 'target', call, to },
    ...(value > 0n ? [{ kind: 'move' as const, call, owner: null, to, signed: false }] : []),
    { kind: 'inner', to, data, value, asContract: true },
  ];
}

/** The calls of `multiSend`, which stand one behind the other without padding. Reads as far as it can. */
export function unpackCalls(packed: string): { calls: SafeCall[]; fault: AbiFault | null } {
  const calls: SafeCall[] = [];
  for (let at = 0; at < packed.length; ) {
    if (calls.length === CALLS_MAX) return { calls, fault: 'too_many' };
    const head = packed.slice(at, at + DATA);
    if (head.length < DATA) return { calls, fault: 'truncated' };
    const operation = head.slice(0, TO);
    const end = at + DATA + 2 * Number(BigInt(`0x${head.slice(LENGTH)}`));
    calls.push({
      delegated: operation !== '00',
      to: `0x${head.slice(TO, VALUE)}`,
      value: BigInt(`0x${head.slice(VALUE, LENGTH)}`),
      data: packed.slice(at + DATA, end),
    });
    if (operation !== '00' && operation !== '01') return { calls, fault: 'dirty' };
    if (end > packed.length) return { calls, fault: 'truncated' };
    at = end;
  }
  return { calls, fault: null };
}

import type { AbiFault } from './abi.ts';

/** Effect of one call, as far as its arguments show. `call` is its name. */
export type Action =
  /** Assets go to `to`; `owner` null: the caller's own. `signed`: the owner's signature comes with the call. */
  | { kind: 'move'; call: string; owner: string | null; to: string; signed: boolean }
  /** `amount` null: everything, now and later. `collection`: all tokens of an NFT contract. */
  | { kind: 'grant'; call: string; spender: string; amount: bigint | null; bits: 160 | 256; collection: boolean }
  | { kind: 'revoke'; call: string; spender: string }
  /** The grant or its signature can be used until then, epoch seconds. */
  | { kind: 'lifetime'; call: string; until: bigint }
  /** A call without arguments whose name only asks for a click; `value` null: that of the transaction. */
  | { kind: 'lure'; call: string; value: bigint | null }
  /** `to` becomes master of the contract, or its code. */
  | { kind: 'control'; call: string; to: string }
  /** A contract that is called from inside another call. */
  | { kind: 'target'; call: string; to: string };

/** A call inside a call. `to` null: the contract itself. `asContract`: the contract is the caller of what is inside. */
export interface InnerCall {
  kind: 'inner';
  to: string | null;
  data: string;
  value: bigint | null;
  asContract: boolean;
}

/** Part of the arguments that cannot be read. */
interface Unreadable {
  kind: 'unreadable';
  fault: AbiFault;
}

export type CallStep = Action | InnerCall | Unreadable;

import { tronAddressOf } from '../address/base58-check.ts';
import { type Chain, isEvmChain } from '../chain.ts';
import { type AbiFault, type Budget, readArguments } from './abi.ts';
import type { Action } from './action.ts';
import { KNOWN_CALLS } from './calls.ts';

/** Faults that a strict reader rejects, with the call of each (a name, or the selector of an unknown one). */
export interface CalldataFault {
  fault: AbiFault | 'not_hex' | 'no_selector' | 'unknown_call' | 'too_deep' | 'no_calldata_chain';
  call: string | null;
}

/**
 * `caller` null: whoever signs the transaction; else the contract that makes the call in its own name. `contract` null:
 * the transaction's own target is called; else another.
 */
export type CalledAction = Action & { caller: string | null; contract: string | null };

export interface Calldata {
  /** Effects in the order of the calls; addresses in the chain's canonical form. */
  actions: CalledAction[];
  /** Empty when everything was understood. */
  faults: CalldataFault[];
}

/** Containers around a call that are opened. */
const DEPTH_MAX = 4;
/** Calls and array items that are read; a message of a few hundred bytes can name itself a million times. */
const CALLS_MAX = 256;
const ITEMS_MAX = 4_096;

interface Walk {
  /** The transaction's target, in the chain's form, which what is read from calldata gets at the end. */
  self: string;
  actions: CalledAction[];
  faults: CalldataFault[];
  calls: number;
  budget: Budget;
}

/**
 * Returns what a transaction's calldata would do at `target`, calls inside calls included. Pure, bounded, never throws:
 * what it cannot read in full is named in `faults`, and what it could read of it is in `actions` all the same.
 */
export function decodeCalldata(chain: Chain, data: string, target: string): Calldata {
  if (!isEvmChain(chain) && chain !== 'tron') return unreadable('no_calldata_chain');
  const hex = data.trim().replace(/^0x/i, '').toLowerCase();
  if (hex.length % 2 === 1 || !/^[0-9a-f]*$/.test(hex)) return unreadable('not_hex');
  const walk: Walk = { self: target, actions: [], faults: [], calls: 0, budget: { items: ITEMS_MAX } };
  open(walk, { hex, target: null, caller: null, value: null, depth: 0 });
  const { actions, faults } = walk;
  return { actions: chain === 'tron' ? actions.map((action) => inTronForm(target, action)) : actions, faults };
}

interface Opened {
  hex: string;
  /** Null: the transaction's own target. */
  target: string | null;
  caller: string | null;
  value: bigint | null;
  depth: number;
}

function open(walk: Walk, { hex, target, caller, value, depth }: Opened): void {
  if (hex === '') return;
  const selector = hex.slice(0, 8);
  const call = KNOWN_CALLS.get(selector);
  const fail = (fault: CalldataFault['fault']) => {
    const name = call?.name ?? (selector.length === 8 ? `0x${selector}` : null);
    if (!walk.faults.some((known) => known.fault === fault && known.call === name))
      walk.faults.push({ fault, call: name });
  };
  walk.calls += 1;
  if (walk.calls > CALLS_MAX || !call) {
    fail(walk.calls > CALLS_MAX ? 'too_many' : selector.length < 8 ? 'no_selector' : 'unknown_call');
    return;
  }
  const { values, faults } = readArguments(call.types, hex.slice(8), walk.budget);
  for (const fault of faults) fail(fault);
  for (const step of call.read(values)) {
    if (step.kind === 'unreadable') {
      fail(step.fault);
      continue;
    }
    if (step.kind !== 'inner') {
      const action = Object.assign(step, { caller, contract: target });
      walk.actions.push(action.kind === 'lure' ? { ...action, value } : action);
      continue;
    }
    if (step.data === '') continue;
    if (depth === DEPTH_MAX) {
      fail('too_deep');
      continue;
    }
    const inside = { target: step.to ?? target, caller: step.asContract ? (target ?? walk.self) : caller };
    open(walk, { hex: step.data, ...inside, value: step.value ?? value, depth: depth + 1 });
  }
}

/** `self` has its form already. */
function inTronForm(self: string, action: CalledAction): CalledAction {
  const form = (address: string) => (address === self ? self : tronForm(address));
  const caller = action.caller === null ? null : form(action.caller);
  const contract = action.contract === null ? null : form(action.contract);
  switch (action.kind) {
    case 'move':
      return {
        ...action,
        caller,
        contract,
        owner: action.owner === null ? null : form(action.owner),
        to: form(action.to),
      };
    case 'grant':
    case 'revoke':
      return { ...action, caller, contract, spender: form(action.spender) };
    case 'control':
    case 'target':
      return { ...action, caller, contract, to: form(action.to) };
    default:
      return { ...action, caller, contract };
  }
}

function tronForm(address: string): string {
  return tronAddressOf(Buffer.from(address.slice(2), 'hex'));
}

function unreadable(fault: CalldataFault['fault']): Calldata {
  return { actions: [], faults: [{ fault, call: null }] };
}

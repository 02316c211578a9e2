import { InvalidArgumentError } from 'commander';
import { canonicalAddress } from '../../domain/address/address.ts';
import { CHAINS, type Chain, isChain } from '../../domain/chain.ts';
import { isVisible } from '../../domain/text/visible.ts';
import { PLAN_IDS, type PlanId } from '../../plans.ts';
import type { AddressOfChain } from '../asked-cypher.ts';

/** Argument parsers: what they refuse is wrong usage. */

export function planId(value: string): PlanId {
  const plan = PLAN_IDS.find((id) => id === value);
  if (!plan) throw new InvalidArgumentError(`Unknown plan. One of ${PLAN_IDS.join(', ')}.`);
  return plan;
}

export function chain(value: string): Chain {
  if (!isChain(value)) throw new InvalidArgumentError(`Unknown chain. One of ${CHAINS.join(', ')}.`);
  return value;
}

export function name(value: string): string {
  const text = value.trim();
  if (!isVisible(text) || text.length > 200)
    throw new InvalidArgumentError('1 to 200 characters, one of them visible.');
  return text;
}

export function positiveCount(value: string): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) === 0) throw new InvalidArgumentError('A whole number of 1 or more.');
  return Number(value);
}

export function countUpTo(most: number): (value: string) => number {
  return (value) => {
    if (!/^\d{1,9}$/.test(value) || Number(value) === 0 || Number(value) > most) {
      throw new InvalidArgumentError(`A whole number from 1 to ${most}.`);
    }
    return Number(value);
  };
}

/** `CHAIN:ADDRESS`, the address in any form that its chain has. */
export function chainAddress(value: string): AddressOfChain {
  const colon = value.indexOf(':');
  if (colon < 0) throw new InvalidArgumentError('Written as CHAIN:ADDRESS.');
  const named = chain(value.slice(0, colon));
  const canonical = canonicalAddress(named, value.slice(colon + 1));
  if (canonical === null) throw new InvalidArgumentError(`No address of ${named}.`);
  return { chain: named, address: canonical.address };
}

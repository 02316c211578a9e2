import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { parseMoment } from '../../../graph-loaders/reading/moments.ts';
import { type KeyRight, RIGHTS, ROLE_NAMES, type Role } from '../../domain/account/rights.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { CHAINS, type Chain, isChain } from '../../domain/chain.ts';
import { isVisible, PLAIN_NAME } from '../../domain/text/visible.ts';
import { isNetwork } from '../../outbound/networks.ts';
import { isUrl } from '../../outbound/places.ts';
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
  const text = value.trim().normalize('NFC');
  if (!isVisible(text) || text.length > 200)
    throw new InvalidArgumentError('1 to 200 characters, one of them visible.');
  if (!PLAIN_NAME.test(text)) throw new InvalidArgumentError('No control and no invisible characters.');
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

/** A URL, or the absolute path of a file or folder. */
export function place(value: string): string {
  return isUrl(value) ? value : resolve(value);
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

/** Rights of a key, separated by commas. */
export function rights(value: string): KeyRight[] {
  return listOf(value, RIGHTS, 'right');
}

/** Roles of a person, separated by commas. */
export function roles(value: string): Role[] {
  return listOf(value, ROLE_NAMES, 'role');
}

function listOf<T extends string>(value: string, known: readonly T[], kind: string): T[] {
  const given = value.split(',').map((part) => part.trim());
  const unknown = given.find((part) => !known.includes(part as T));
  if (unknown !== undefined) throw new InvalidArgumentError(`Unknown ${kind}: ${unknown}. Of ${known.join(', ')}.`);
  return given as T[];
}

export function emailAddress(value: string): string {
  const text = value.trim().toLowerCase();
  if (!z.email().safeParse(text).success || text.length > 254) throw new InvalidArgumentError('An e-mail address.');
  return text;
}

/** Epoch ms; a bare day is its first moment, UTC. */
export function endOfKey(value: string): number {
  const at = parseMoment(value);
  if (at === null) throw new InvalidArgumentError('A moment such as 2027-01-31 or 2027-01-31T12:00:00Z.');
  return at;
}

/** Addresses and networks, separated by commas. */
export function networks(value: string): string[] {
  const given = value.split(',').map((part) => part.trim());
  if (!given.every(isNetwork)) throw new InvalidArgumentError('A list such as 192.0.2.7,10.0.0.0/8.');
  return given;
}

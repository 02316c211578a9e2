import { ADDRESS_FORMATS } from '../../domain/address/formats.ts';
import { type Chain, chainFamily, isEvmChain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import type { Likeness } from '../assessment.ts';
import { RULES } from '../rules.ts';
import { type Ledger, perLedger } from './ledger.ts';

type PoisoningKind = 'zero_value' | 'tiny' | 'dust_native' | 'counterfeit';

/** A worthless transfer from or to an address that looks like one the subject really deals with. */
export interface PoisoningTransfer {
  transfer: Transfer;
  kind: PoisoningKind;
  lookalike: string;
  genuine: string;
  prefix: number;
  suffix: number;
  chance: number;
}

/** One pass in time order; genuine parties are found by their first and last characters. */
export const findPoisoning = perLedger((ledger: Ledger): PoisoningTransfer[] => {
  const { chain, address: subject } = ledger.subject;
  const genuine = new Set<string>();
  const poisoning = new Set<string>();
  const met = ledger.transfers.flatMap((transfer) => {
    const other = transfer.from === subject ? transfer.to : transfer.from;
    if (transfer.failed || other === subject) return [];
    const kind = poisoningKind(transfer, subject);
    if (kind === null && (transfer.usd ?? 0) < RULES.address_poisoning.genuine_from_usd) return [];
    (kind === null ? genuine : poisoning).add(other);
    return [{ transfer, other, kind }];
  });
  const pairs = genuine.size * poisoning.size;
  const byEnds = new Map<string, Set<string>>();
  return met.flatMap(({ transfer, other, kind }): PoisoningTransfer[] => {
    const ends = endsOf(chain, other);
    const alike = byEnds.get(ends) ?? new Set();
    if (kind === null) {
      byEnds.set(ends, alike.add(other));
      return [];
    }
    if (alike.has(other)) return [];
    const found = mostAlike(chain, other, [...alike], pairs);
    return found ? [{ transfer, kind, lookalike: other, ...found }] : [];
  });
});

/** The worthless transfers, in time order, with which an address may poison the history of one victim. */
export interface SentPoisoning {
  victim: string;
  /** Of the first. */
  kind: PoisoningKind;
  transfers: Transfer[];
}

/** By victim, whose history an address may poison; not those that it really dealt with before. */
export function poisoningSent(address: string, transfers: readonly Transfer[]): SentPoisoning[] {
  const dealtWith = new Set<string>();
  const byVictim = new Map<string, SentPoisoning>();
  for (const transfer of distinctTransfers(transfers)) {
    const victim = transfer.from === address ? transfer.to : transfer.from;
    if (transfer.failed || victim === address || dealtWith.has(victim)) continue;
    const kind = poisoningKind(transfer, victim);
    if (kind === null) {
      const isGenuine = (transfer.usd ?? 0) >= RULES.address_poisoning.genuine_from_usd;
      if (isGenuine && !byVictim.has(victim)) dealtWith.add(victim);
      continue;
    }
    const known = byVictim.get(victim) ?? { victim, kind, transfers: [] };
    known.transfers.push(transfer);
    byVictim.set(victim, known);
  }
  return [...byVictim.values()];
}

/** Null for a transfer that cannot poison a history: of some value, or one that the subject signed itself. */
function poisoningKind(transfer: Transfer, subject: string): PoisoningKind | null {
  if (transfer.txSender === subject) return null;
  if (transfer.token !== null && transfer.asset.endsWith(`:${transfer.token}`)) return 'counterfeit';
  if (!movedValue(transfer)) return transfer.token === null && transfer.from === subject ? null : 'zero_value';
  if (transfer.to !== subject || transfer.usd === null) return null;
  if (transfer.usd >= RULES.address_poisoning.tiny_below_usd) return null;
  return transfer.token === null ? 'dust_native' : 'tiny';
}

/** The party that an address resembles most, where chance does not explain it among that number of pairs. */
export function mostAlike(chain: Chain, address: string, genuine: readonly string[], pairs: number): Likeness | null {
  const alike = genuine.flatMap((one) => (one === address ? [] : (likenessOf(chain, address, one, pairs) ?? [])));
  return alike.sort((a, b) => a.chance - b.chance || compare(a.genuine, b.genuine))[0] ?? null;
}

/** Addresses with other ends than these are not compared. */
export function endsOf(chain: Chain, address: string): string {
  const { least_each_end } = RULES.address_poisoning;
  const variable = variablePart(chain, address);
  return variable.slice(0, least_each_end) + variable.slice(-least_each_end);
}

function likenessOf(chain: Chain, address: string, genuine: string, pairs: number): Likeness | null {
  const { least_each_end, least_together, made_run, medium_chance } = RULES.address_poisoning;
  const ends = sharedEnds(chain, address, genuine);
  // Addresses that begin with a long run of one character, as of zeros, are made so on purpose, by many. Two or three
  // equal ones stand at the beginning of every fifteenth address: they are as good a likeness as any others.
  const run = /^(.)\1*/.exec(variablePart(chain, genuine))?.[0].length ?? 0;
  const prefix = run >= made_run ? ends.prefix - Math.min(run, ends.prefix) + 1 : ends.prefix;
  if (Math.min(prefix, ends.suffix) < least_each_end || prefix + ends.suffix < least_together) return null;
  const chance = Math.min(1, Math.max(1, pairs) * alphabetOf(chain, genuine) ** -(prefix + ends.suffix));
  return chance < medium_chance ? { genuine, ...ends, chance } : null;
}

function alphabetOf(chain: Chain, address: string): number {
  return chain === 'bitcoin' && address.startsWith('bc1') ? 32 : ADDRESS_FORMATS[chainFamily(chain)].alphabet;
}

/** The part of an address that differs from one to the next: without what all addresses of the chain begin with. */
export function variablePart(chain: Chain, address: string): string {
  const variable = address.replace(ADDRESS_FORMATS[chainFamily(chain)].beginning, '');
  return isEvmChain(chain) ? variable.toLowerCase() : variable;
}

/** How many characters two addresses share at either end. */
export function sharedEnds(chain: Chain, a: string, b: string): { prefix: number; suffix: number } {
  const left = variablePart(chain, a);
  const right = variablePart(chain, b);
  const length = Math.min(left.length, right.length);
  let prefix = 0;
  while (prefix < length && left[prefix] === right[prefix]) prefix++;
  let suffix = 0;
  while (suffix < length - prefix && left.at(-1 - suffix) === right.at(-1 - suffix)) suffix++;
  return { prefix, suffix };
}

import { significantDigits } from '../../domain/amount.ts';
import { type Chain, isEvmChain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { STABLECOINS } from '../../domain/tokens/stablecoins.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { RULES } from '../rules.ts';
import type { Ledger } from './ledger.ts';
import { perLedger } from './per-ledger.ts';

type BaitKind = 'zero_value' | 'tiny' | 'dust_native' | 'counterfeit';

/** A worthless transfer from or to an address that looks like one the subject really deals with. */
export interface Bait {
  transfer: Transfer;
  kind: BaitKind;
  lookalike: string;
  genuine: string;
  prefix: number;
  suffix: number;
  points: number;
}

interface Genuine {
  address: string;
  at: number;
  amounts: Set<string>;
}

/** One pass in time order; genuine parties are found by their first and last characters. */
export const findBaits = perLedger((ledger: Ledger): Bait[] => {
  const rule = RULES.address_poisoning;
  const { chain, address: subject } = ledger.subject;
  if (!ledger.transfers.some((transfer) => baitKind(transfer, subject) !== null)) return [];
  const isBatch = batches(ledger.transfers);
  const byEnds = new Map<string, Map<string, Genuine>>();
  const baits: Bait[] = [];
  for (const transfer of ledger.transfers) {
    const other = transfer.from === subject ? transfer.to : transfer.from;
    if (transfer.failed || other === subject) continue;
    const ends = endsOf(variablePart(chain, other), rule.weak_match_characters);
    const kind = baitKind(transfer, subject);
    if (kind === null) {
      if ((transfer.usd ?? 0) < rule.genuine_from_usd) continue;
      const parties = byEnds.get(ends) ?? new Map<string, Genuine>();
      const known = parties.get(other) ?? { address: other, at: transfer.at, amounts: new Set<string>() };
      known.at = transfer.at;
      known.amounts.add(transfer.amount);
      byEnds.set(ends, parties.set(other, known));
      continue;
    }
    const batch = isBatch(transfer);
    const best = [...(byEnds.get(ends)?.values() ?? [])]
      .filter((genuine) => genuine.address !== other && transfer.at - genuine.at <= rule.genuine_days * DAY_MS)
      .map((genuine) => toBait(ledger, transfer, kind, other, genuine, batch))
      .filter((bait) => bait.points >= rule.fires_at)
      .sort((a, b) => b.points - a.points || compare(a.genuine, b.genuine))[0];
    if (best && !byEnds.get(ends)?.has(other)) baits.push(best);
  }
  return baits;
});

/** The worthless transfers, in time order, with which an address may bait one victim. */
export interface SentBaits {
  victim: string;
  /** Of the first. */
  kind: BaitKind;
  baits: Transfer[];
  /** One of them came with several payments of nothing in one transaction. */
  batch: boolean;
}

/** By victim, how an address may bait others; not those that it really dealt with before. */
export function baitsSent(address: string, transfers: readonly Transfer[]): SentBaits[] {
  const dealtWith = new Set<string>();
  const byVictim = new Map<string, SentBaits>();
  const distinct = distinctTransfers(transfers);
  const isBatch = batches(distinct);
  for (const transfer of distinct) {
    const victim = transfer.from === address ? transfer.to : transfer.from;
    if (transfer.failed || victim === address || dealtWith.has(victim)) continue;
    const kind = baitKind(transfer, victim);
    if (kind === null) {
      const isGenuine = (transfer.usd ?? 0) >= RULES.address_poisoning.genuine_from_usd;
      if (isGenuine && !byVictim.has(victim)) dealtWith.add(victim);
      continue;
    }
    const known = byVictim.get(victim) ?? { victim, kind, baits: [], batch: false };
    known.baits.push(transfer);
    known.batch ||= isBatch(transfer);
    byVictim.set(victim, known);
  }
  return [...byVictim.values()];
}

/**
 * Whom the victim paid and the bait address looks like: four characters at either end are not chance, three count where
 * a bait came soon after the payment and what else is known of it makes up for them. Null where nobody.
 */
export function imitated(
  chain: Chain,
  address: string,
  { baits, batch }: SentBaits,
  paid: readonly { address: string; lastAt: number }[],
): string | null {
  const { match_characters, fires_at } = RULES.address_poisoning;
  const alike = paid.map((party) => ({ ...party, ends: sharedEnds(chain, address, party.address) }));
  const strong = alike.find(({ ends }) => Math.min(ends.prefix, ends.suffix) >= match_characters);
  const found =
    strong ??
    alike.find(({ ends, lastAt }) =>
      baits.some(({ at }) => at >= lastAt && pointsOf(ends, { gap: at - lastAt, batch, mimic: false }) >= fires_at),
    );
  return found?.address ?? null;
}

/** Which transactions hold so many payments of nothing that somebody baits many at once. */
function batches(transfers: readonly Transfer[]): (transfer: Transfer) => boolean {
  const zeroEvents = new Map<string, number>();
  for (const transfer of transfers) {
    if (!movedValue(transfer)) zeroEvents.set(transfer.txHash, (zeroEvents.get(transfer.txHash) ?? 0) + 1);
  }
  return ({ txHash }) => (zeroEvents.get(txHash) ?? 0) >= RULES.address_poisoning.batch_events;
}

function toBait(
  ledger: Ledger,
  transfer: Transfer,
  kind: BaitKind,
  lookalike: string,
  genuine: Genuine,
  batch: boolean,
): Bait {
  const ends = sharedEnds(ledger.subject.chain, lookalike, genuine.address);
  const mimic = kind !== 'zero_value' && mimics(transfer.amount, genuine.amounts);
  const points = pointsOf(ends, { gap: transfer.at - genuine.at, batch, mimic });
  return { transfer, kind, lookalike, genuine: genuine.address, ...ends, points };
}

/** How much a worthless transfer `gap` ms after a genuine one looks like a bait; 0 where the likeness may be chance. */
function pointsOf(
  { prefix, suffix }: { prefix: number; suffix: number },
  { gap, batch, mimic }: { gap: number; batch: boolean; mimic: boolean },
): number {
  const rule = RULES.address_poisoning;
  const strong = Math.min(prefix, suffix) >= rule.match_characters;
  const weak = Math.min(prefix, suffix) >= rule.weak_match_characters && gap <= rule.weak_gap_hours * HOUR_MS;
  if (!strong && !weak) return 0;
  const likeness = Math.min(40, (40 * (prefix + suffix - 6)) / 8);
  const near = gap <= rule.near_hours * HOUR_MS ? 20 : 0;
  return likeness + 30 + near + (batch ? 10 : 0) + (mimic ? 10 : 0);
}

/** Null for a transfer that can be no bait: of some value, or one that the subject signed itself. */
function baitKind(transfer: Transfer, subject: string): BaitKind | null {
  if (transfer.txSender === subject) return null;
  if (transfer.token !== null && transfer.asset.endsWith(`:${transfer.token}`)) return 'counterfeit';
  if (!movedValue(transfer)) return transfer.token === null && transfer.from === subject ? null : 'zero_value';
  if (transfer.to !== subject || transfer.usd === null) return null;
  const { tiny_below_usd, tiny_stable_below_usd } = RULES.address_poisoning;
  if (transfer.usd >= (STABLECOINS.includes(transfer.asset) ? tiny_stable_below_usd : tiny_below_usd)) return null;
  return transfer.token === null ? 'dust_native' : 'tiny';
}

function endsOf(variable: string, length: number): string {
  return `${variable.slice(0, length)} ${variable.slice(-length)}`;
}

function mimics(amount: string, amounts: ReadonlySet<string>): boolean {
  const digits = significantDigits(amount);
  return [...amounts].some((known) => significantDigits(known) === digits);
}

/** The part of an address that differs from one to the next: without what all addresses of the chain begin with. */
export function variablePart(chain: Chain, address: string): string {
  if (isEvmChain(chain)) return address.slice(2).toLowerCase();
  if (chain === 'bitcoin') return address.replace(/^(bc1[a-z0-9]|[13])/, '');
  if (chain === 'tron' || chain === 'xrp') return address.slice(1);
  return address;
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

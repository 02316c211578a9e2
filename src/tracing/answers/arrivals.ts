import { addressOf, chainOf } from '../../domain/address/address-key.ts';
import { roundUsd } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { iso } from '../../domain/time.ts';
import type { Arrival, DepositPart, TagParts } from '../../domain/tracing/answers.ts';
import { type Direction, type FlowPortion, farEnd } from '../../domain/tracing/flow-portion.ts';
import { shownTags } from '../../domain/transfers/tags.ts';
import { apportion } from '../../domain/transfers/utxo.ts';
import { assetsOf, atTheParty, pricedUsd } from '../engine/walk/evidence.ts';

/** Returns at most `most` transfers with their followed parts at the far end, each once, oldest first. */
export function arrivalsOf(portions: Iterable<FlowPortion>, direction: Direction, most: number): Arrival[] {
  const byTransfer = new Map<string, FlowPortion[]>();
  for (const one of portions) {
    const isUnpriced = !one.transfer.priced && one.fraction > 0;
    if (one.usd > 0 || isUnpriced) addToGroup(byTransfer, one.transfer.id, one);
  }
  const arrivals = [...byTransfer.values()].map((same): Arrival => {
    const { transfer } = same[0] as FlowPortion;
    const there = atTheParty(transfer, direction);
    const [amount = '0'] = Object.values(assetsOf({ arrivals: same }, direction));
    return {
      chain: chainOf(farEnd(transfer, direction)),
      tx_hash: there.txHash,
      at: iso(there.at),
      from: addressOf(transfer.from),
      to: addressOf(transfer.to),
      asset: there.asset,
      moved_amount: there.amount,
      amount,
      usd: roundUsd(usdOf(same, direction)),
      ...shownTags(there),
    };
  });
  return arrivals.sort((a, b) => compare(a.at, b.at) || compare(a.tx_hash, b.tx_hash)).slice(0, most);
}

/** US dollars of the quantities at their time; of what has no price the followed money. */
export function usdOf(arrivals: readonly FlowPortion[], direction: Direction): number {
  return pricedUsd({ arrivals }, direction) ?? arrivals.reduce((sum, { usd }) => sum + usd, 0);
}

/** Recognises deposit addresses, and finds what they got of the money. */
export interface Deposits {
  /** True where an address hands on to a service all that it gets; both graph keys. */
  isDeposit: (address: string, service: string) => boolean;
  /** All that brought the money to an address. */
  broughtTo: (address: string) => readonly FlowPortion[];
}

/** Returns what came to a service by deposit addresses, largest first. */
export function depositParts(
  service: string,
  arrivals: readonly FlowPortion[],
  { isDeposit, broughtTo }: Deposits,
  most: number,
): DepositPart[] {
  const carrying = arrivals.filter(({ usd }) => usd > 0);
  const byPayer = [...groupBy(carrying, ({ transfer }) => transfer.from)];
  const parts = byPayer
    .filter(([payer]) => isDeposit(payer, service))
    .map(([deposit, own]): DepositPart => {
      const brought = broughtTo(deposit);
      const times = own.map(({ transfer }) => atTheParty(transfer, 'sent').at);
      return {
        address: addressOf(deposit),
        usd: roundUsd(usdOf(own, 'sent')),
        assets: assetsOf({ arrivals: own }, 'sent'),
        first_at: iso(times.reduce((least, at) => Math.min(least, at))),
        last_at: iso(times.reduce((last, at) => Math.max(last, at))),
        arrivals: arrivalsOf(brought, 'sent', most),
        transfers: new Set(brought.map(({ transfer }) => transfer.id)).size,
      };
    });
  return parts.sort((a, b) => b.usd - a.usd || compare(a.address, b.address));
}

const TAGS_MAX = 50;

/** The money at one address by tag; empty where no transfer bears one. */
export function tagParts(arrivals: readonly FlowPortion[], direction: Direction): TagParts {
  const carrying = arrivals.filter(({ fraction }) => fraction > 0);
  const side = direction === 'sent' ? 'destination' : 'source';
  const tagOf = ({ transfer }: FlowPortion) => atTheParty(transfer, direction).tags?.[side] ?? null;
  if (carrying.every((one) => tagOf(one) === null)) return {};
  const groups = [...groupBy(carrying, tagOf)].map(([tag, own]) => ({
    tag,
    own,
    usd: usdOf(own, direction),
  }));
  groups.sort((a, b) => b.usd - a.usd || (a.tag ?? -1) - (b.tag ?? -1));
  const { parts } = exactly(
    groups.reduce((sum, { usd }) => sum + usd, 0),
    groups.map(({ usd }) => usd),
  );
  const tags = groups.slice(0, TAGS_MAX).map(({ tag, own }, i) => {
    const times = own.map(({ transfer }) => transfer.at);
    return {
      tag,
      usd: parts[i] as number,
      assets: assetsOf({ arrivals: own }, direction),
      transfers: new Set(own.map(({ transfer }) => transfer.id)).size,
      first_at: iso(times.reduce((least, at) => Math.min(least, at))),
      last_at: iso(times.reduce((most, at) => Math.max(most, at))),
    };
  });
  return { tags, tag_count: groups.length };
}

const MICRO = 1e6;
/** Digits that weights have beyond what is shown. */
const FINER = 1e3;

/** US dollars as answers show them: rounded so that the parts still add up to the total. */
export function exactly(totalUsd: number, partsUsd: readonly number[]): { total: number; parts: number[] } {
  const total = roundUsd(totalUsd);
  const weights = partsUsd.map((usd) => BigInt(Math.round(usd * MICRO * FINER)));
  const shares = apportion(BigInt(Math.round(total * MICRO)), weights);
  return { total, parts: shares.map((share) => Number(share) / MICRO) };
}

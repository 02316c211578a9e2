import type { Chain } from '../chain.ts';
import { compare } from '../compare.ts';
import type { Arrival } from '../tracing/funds/arrivals.ts';
import type { FundsRow } from '../tracing/funds/row.ts';

/** An end of the money that a request names: a service, or a wallet that holds it. */
export type RequestedEnd = Pick<FundsRow, 'label' | 'usd' | 'assets' | 'first_at' | 'last_at'> &
  Pick<FundsRow, 'arrivals' | 'deposits' | 'tags'> & { chain: Chain; address: string };

/** An address at which money came into the hands of a service; one entry for each customer, by deposit address or tag. */
export interface RequestedAddress {
  chain: Chain;
  address: string;
  label: string | null;
  destination_tag: number | null;
  /** Of a deposit address: where it handed on what it got. Left out for others. */
  handed_on_to?: string;
  usd: number;
  /** Quantities by asset symbol: decimal strings. */
  assets: Record<string, string>;
  first_at: string | null;
  last_at: string | null;
}

/** A transfer by which money came into the hands of a service, or which a deposit address handed on. */
export type RequestedTransaction = Arrival & { step: 'arrival' | 'handed_on' };

/** Returns the addresses of an end: deposit addresses first, each with what it handed on, then what reached the end directly. */
export function requestedAddresses(end: RequestedEnd): RequestedAddress[] {
  const { chain, address, label, usd, assets, first_at, last_at, tags, deposits } = end;
  const there = { chain, address, label, destination_tag: null };
  if (deposits) {
    const parts = deposits.map(({ address: deposit, usd, assets, first_at, last_at }): RequestedAddress => {
      const part = { usd, assets, first_at, last_at };
      if (deposit === null) return { ...there, ...part };
      return { ...there, address: deposit, label: null, handed_on_to: address, ...part };
    });
    return parts.sort((a, b) => Number(!a.handed_on_to) - Number(!b.handed_on_to));
  }
  const parts = tags ?? [{ tag: null, usd, assets, first_at, last_at }];
  return parts.map(({ tag, usd, assets, first_at, last_at }) => {
    return { ...there, destination_tag: tag, usd, assets, first_at, last_at };
  });
}

/** Returns the transfers to ends: arrivals, those at deposit addresses included, then what these handed on, each oldest first. */
export function requestedTransactions(ends: readonly RequestedEnd[]): RequestedTransaction[] {
  const transactions = ends.flatMap(({ arrivals, deposits = [] }) => {
    const known = new Set(deposits.map(({ address }) => address));
    return [
      ...deposits.flatMap((deposit) => deposit.arrivals.map((one) => ({ ...one, step: 'arrival' as const }))),
      ...arrivals.map((one) => ({ ...one, step: known.has(one.from) ? ('handed_on' as const) : ('arrival' as const) })),
    ];
  });
  return transactions.sort((a, b) => compare(a.step, b.step) || compare(a.at, b.at) || compare(a.tx_hash, b.tx_hash));
}

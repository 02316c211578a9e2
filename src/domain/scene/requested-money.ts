import type { Chain, ChainAddress } from '../chain.ts';
import { compare } from '../compare.ts';
import type { Arrival, FundsRow } from '../tracing/answers.ts';

/** An end of the money that a request names: a service, or a wallet that holds it. */
export type RequestedEnd = Pick<FundsRow, 'label' | 'usd' | 'assets' | 'first_at' | 'last_at'> &
  Pick<FundsRow, 'arrivals' | 'deposits' | 'tags' | 'frozen_since' | 'frozen'> &
  ChainAddress;

/** Money at one address. */
interface ReachedAddress {
  chain: Chain;
  address: string;
  usd: number;
  /** Quantities by asset symbol: decimal strings. */
  assets: Record<string, string>;
  first_at: string | null;
  last_at: string | null;
}

/** An address of a service at which money arrived; one entry for each customer, by destination tag. */
export interface RequestedAddress extends ReachedAddress, Pick<FundsRow, 'frozen_since' | 'frozen'> {
  label: string | null;
  destination_tag: number | null;
}

/** The address of a customer that hands on to a service all that it gets, with what it handed on. */
export interface RequestedDeposit extends ReachedAddress {
  /** The address of the service. */
  handed_on_to: string;
  /** The followed transfers to the deposit address, oldest first. */
  transactions: Arrival[];
  /** Named or not. */
  transaction_count: number;
}

/** The ends of the money at one service, as a request names them. */
export interface RequestedMoney {
  /** Largest first; part of what arrived at the addresses. */
  deposit_addresses: RequestedDeposit[];
  addresses: RequestedAddress[];
  /** The transfers to the addresses, oldest first. */
  transactions: Arrival[];
}

export function requestedMoney(ends: readonly RequestedEnd[]): RequestedMoney {
  return {
    deposit_addresses: ends.flatMap(requestedDeposits).sort((a, b) => b.usd - a.usd || compare(a.address, b.address)),
    addresses: ends.flatMap(addressesOf),
    transactions: ends
      .flatMap(({ arrivals }) => arrivals)
      .sort((a, b) => compare(a.at, b.at) || compare(a.tx_hash, b.tx_hash)),
  };
}

function requestedDeposits({ chain, address: handed_on_to, deposits = [] }: RequestedEnd): RequestedDeposit[] {
  return deposits.map(({ arrivals: transactions, transfers: transaction_count, ...part }) => {
    return { chain, ...part, handed_on_to, transactions, transaction_count };
  });
}

function addressesOf(end: RequestedEnd): RequestedAddress[] {
  const { chain, address, label, usd, assets, first_at, last_at, tags, frozen_since, frozen } = end;
  const freeze = frozen ? { frozen_since, frozen } : {};
  const parts = tags ?? [{ tag: null, usd, assets, first_at, last_at }];
  return parts.map((part) => ({
    chain,
    address,
    label,
    destination_tag: part.tag,
    usd: part.usd,
    assets: part.assets,
    first_at: part.first_at,
    last_at: part.last_at,
    ...freeze,
  }));
}

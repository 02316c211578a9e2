import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain, ChainAddress } from '../../domain/chain.ts';
import { listsOfChain } from '../../domain/chain.ts';
import type { HistoryList } from '../../domain/chains.ts';
import { slicesOf } from '../../domain/slices.ts';
import {
  joinBalances,
  joinIntervals,
  type KnownBalance,
  type ReadInterval,
  readInAll,
} from '../../domain/tracing/reading.ts';
import { keepKey, keysOfNew, type ProvenKey } from '../entities/keys.ts';
import { settle } from '../entities/settle.ts';
import type { Graph, Row } from '../port.ts';

const MARKED_AT_ONCE = 1_000;

/** A reading of an address: all of its history, or the part around one transfer. */
export interface AddressReading {
  chain: Chain;
  address: string;
  /** Epoch ms: when its source was asked. */
  at: number;
  intervals: readonly ReadInterval[];
  /** Balances that the chain states where intervals begin and end; absent where it states none. */
  balances?: readonly KnownBalance[];
  /** Null where the source does not say. */
  isContract: boolean | null;
  /** True if it has too many transactions to be traced through; false changes nothing. */
  isHub: boolean;
  /** The key that the reading proves it to have; absent where it shows none. */
  proven?: ProvenKey;
  /** Keys that it proves other addresses to have. */
  others?: readonly { owner: ChainAddress; proven: ProvenKey }[];
  /** True where a scan of the whole history reached its end. Null for a part of it. */
  complete: boolean | null;
}

/** Balances in the graph: parallel lists, null where there is none. */
export interface BalanceLists {
  balance_assets: string[] | null;
  balance_at: number[] | null;
  balance_amounts: string[] | null;
}

interface IntervalsRow extends Row, BalanceLists {
  key: string;
  is_contract: boolean | null;
  read_lists: string[] | null;
  read_from: number[] | null;
  read_to: number[] | null;
  read_sources: string[] | null;
  read_at: number[] | null;
}

/**
 * Adds what was read of an address to what was read before. The address counts as scanned at `at` after a scan of its
 * history, and after a part that makes what is known of every list reach that moment.
 */
export async function markRead(graph: Graph, reading: AddressReading): Promise<void> {
  const { chain, address, at, intervals, isContract, isHub } = reading;
  const key = addressKey(chain, address);
  await graph.transact(async (tx) => {
    const [held] = await tx.run<IntervalsRow>('ingest/read-intervals', { key: [key] });
    const known = joinIntervals(held ? intervalsOf(held) : [], intervals);
    if (known.length > 0 || isContract !== null || isHub) {
      const balances = joinBalances(held ? balancesOf(held) : [], reading.balances ?? [], known);
      const item = { ...itemOf(chain, address, known, balances), is_contract: isContract, is_hub: isHub || null };
      await tx.run('ingest/mark-read', { items: [item] });
    }
    const complete = reading.complete ?? completeAt(chain, known, at);
    if (complete !== null) await tx.run('ingest/mark-scanned', { key, chain, address, at, complete });
    if (reading.proven) await keepKey(tx, { chain, address }, reading.proven);
    for (const { owner, proven } of reading.others ?? []) await keepKey(tx, owner, proven);
    await settle(tx, await keysOfNew(tx, held ? [] : [{ chain, address }]));
  });
}

/** Adds intervals that hold for each of these addresses to what was read of them; `contracts` are not known to be wallets. */
export async function markAllRead(
  graph: Graph,
  chain: Chain,
  addresses: readonly string[],
  intervals: readonly ReadInterval[],
  contracts: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const batch of slicesOf(addresses, MARKED_AT_ONCE)) {
    await graph.transact(async (tx) => {
      const keys = batch.map((address) => addressKey(chain, address));
      const rows = await tx.run<IntervalsRow>('ingest/read-intervals', { key: keys });
      const held = new Map(rows.map((row) => [row.key, row]));
      const items = batch.map((address, i) => {
        const row = held.get(keys[i] as string);
        const known = joinIntervals(row ? intervalsOf(row) : [], intervals);
        const balances = joinBalances(row ? balancesOf(row) : [], [], known);
        const isContract = row?.is_contract ?? (contracts.has(address) || null);
        return { ...itemOf(chain, address, known, balances), is_contract: isContract, is_hub: null };
      });
      await tx.run('ingest/mark-read', { items });
    });
  }
}

function itemOf(chain: Chain, address: string, known: readonly ReadInterval[], balances: readonly KnownBalance[]) {
  return {
    key: addressKey(chain, address),
    chain,
    address,
    lists: known.map(({ list }) => list),
    from: known.map(({ from }) => from),
    to: known.map(({ to }) => to),
    sources: known.map(({ source }) => source),
    at: known.map((interval) => interval.at),
    ...balanceLists(balances),
  };
}

function balanceLists(balances: readonly KnownBalance[]): BalanceLists {
  if (balances.length === 0) return { balance_assets: null, balance_at: null, balance_amounts: null };
  return {
    balance_assets: balances.map(({ asset }) => asset),
    balance_at: balances.map(({ at }) => at),
    balance_amounts: balances.map(({ amount }) => amount),
  };
}

export function balancesOf({ balance_assets, balance_at, balance_amounts }: BalanceLists): KnownBalance[] {
  return (balance_assets ?? []).map((asset, i) => ({
    asset,
    at: balance_at?.[i] ?? 0,
    amount: balance_amounts?.[i] ?? '0',
  }));
}

/** Null where some list is not known up to the moment. */
function completeAt(chain: Chain, known: readonly ReadInterval[], at: number): boolean | null {
  const latest = readInAll(listsOfChain(chain), known).at(-1);
  return latest === undefined || latest.to < at ? null : latest.from === 0;
}

function intervalsOf({ read_lists, read_from, read_to, read_sources, read_at }: IntervalsRow): ReadInterval[] {
  return (read_lists ?? []).map((list, i) => ({
    list: list as HistoryList,
    from: read_from?.[i] ?? Number.POSITIVE_INFINITY,
    to: read_to?.[i] ?? 0,
    source: read_sources?.[i] ?? '',
    at: read_at?.[i] ?? 0,
  }));
}

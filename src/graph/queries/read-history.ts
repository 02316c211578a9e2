import type { AddressHistory } from '../../chains/port.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { COIN } from '../../domain/tracing/asset-id.ts';
import type { Reading } from '../../domain/tracing/reading.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { transferOfFact } from '../ingest/facts.ts';
import { balancesOf } from '../ingest/mark-read.ts';
import type { Graph, Row } from '../port.ts';
import { loadedReading, type ReadProperties } from './histories.ts';

/** Transfers of one address at most, the newest. */
export const TRANSFERS_MAX = 20_000;
/** Stands for all tokens: one list holds them. */
const ANY_TOKEN = 'token';

/** Reads the history of an address that the graph holds, in the shape of a chain source's answer. */
export async function graphHistory(graph: Graph, chain: Chain, address: string): Promise<AddressHistory> {
  const transfers = await newestTransfers(graph, chain, address, TRANSFERS_MAX);
  const found = transfers.length > 0;
  const row = found ? await openRow(graph, chain, address) : null;
  return {
    found,
    addressType: row?.is_contract ? (chain === 'solana' ? 'program' : 'contract') : 'unknown',
    balance: null,
    transactionCount: new Set(transfers.map((transfer) => transfer.txHash)).size,
    transfers,
    tags: [],
    coverage: { sources: found ? ['graph'] : [], ...coverageOf(transfers, row && loadedReading(row)) },
    read: [],
  };
}

type OpenRow = ReadProperties & Row & { is_contract: boolean | null };

async function openRow(graph: Graph, chain: Chain, address: string): Promise<OpenRow | null> {
  const items = [{ key: addressKey(chain, address), in_max: 0, out_max: 0 }];
  const [row] = await graph.read<OpenRow>('exposure/open', { items, most: 1, per_row: 1 });
  return row ?? null;
}

/** A file that was declared to hold an address from its beginning is its whole history, up to where the file ends. */
function coverageOf(
  transfers: readonly Transfer[],
  loaded: Reading | null,
): Pick<AddressHistory['coverage'], 'complete' | 'reasons'> {
  if (transfers.length >= TRANSFERS_MAX)
    return { complete: false, reasons: ['no_source_configured', 'transfer_limit'] };
  const last = transfers.reduce((latest, { at }) => Math.max(latest, at), 0);
  const isWhole = (asset: string) =>
    loaded?.(asset).some(({ from, to }) => from === Number.NEGATIVE_INFINITY && to >= last) ?? false;
  if (isWhole(COIN)) return { complete: true, reasons: [] };
  return { complete: false, reasons: [isWhole(ANY_TOKEN) ? 'native_not_listed' : 'no_source_configured'] };
}

/** The newest transfers of an address that the graph holds, newest first. */
export async function newestTransfers(graph: Graph, chain: Chain, address: string, limit: number): Promise<Transfer[]> {
  const rows = await graph.read<TransferRow>('scan/read-transfers', { key: addressKey(chain, address), limit });
  return rows.map((row) => transferIn(chain, row));
}

/** Reads the transfers of an address that have these ids, in no order. */
export async function namedTransfers(
  graph: Graph,
  chain: Chain,
  address: string,
  ids: readonly string[],
): Promise<Transfer[]> {
  if (ids.length === 0) return [];
  const named = Object.fromEntries(ids.map((id) => [id, true]));
  const rows = await graph.read<TransferRow>('scan/named-transfers', { key: addressKey(chain, address), named });
  return rows.map((row) => transferIn(chain, row));
}

/** Payers of an output's address that are looked at for others who spent beside the subject. */
const PAYERS_MAX = 1_000;
const BESIDE_MAX = 5_000;

/** Reads what others put into the transactions that an address of Bitcoin paid in: who signs for one input mostly signs for all. */
export async function spentBeside(graph: Graph, chain: Chain, address: string): Promise<Transfer[]> {
  const rows = await graph.read<TransferRow>('scan/spent-beside', {
    key: addressKey(chain, address),
    most: PAYERS_MAX,
    limit: BESIDE_MAX,
  });
  return rows.map((row) => transferIn(chain, row));
}

interface StatedBalance {
  key: string;
  /** Id of the asset (asset-id.ts). */
  asset: string;
  /** Decimal string, in whole coins. */
  amount: string;
  /** Epoch ms. */
  at: number;
}

/** Returns what the chain said last that addresses hold of each asset. */
export async function statedBalances(graph: Graph, keys: readonly string[]): Promise<StatedBalance[]> {
  if (keys.length === 0) return [];
  const items = keys.map((key) => ({ key, in_max: 0, out_max: 0 }));
  const rows = await graph.read<ReadProperties & Row>('exposure/open', { items, most: keys.length, per_row: 1 });
  const last = new Map<string, StatedBalance>();
  for (const row of rows) {
    for (const { asset, amount, at } of balancesOf(row)) {
      const name = `${row.key} ${asset}`;
      // All transfers of earlier moments count, none of this one.
      if (at - 1 > (last.get(name)?.at ?? 0)) last.set(name, { key: row.key, asset, amount, at: at - 1 });
    }
  }
  return [...last.values()];
}

/** Returns which of the addresses (keys) the graph holds. */
export async function keysInGraph(
  graph: Graph,
  keys: readonly string[],
  timeoutMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await graph.read<{ key: string }>('labels/held', { key: [...keys] }, { timeoutMs });
  return new Set(rows.map(({ key }) => key));
}

/** True where the graph holds a transfer of the address. */
export async function isInGraph(graph: Graph, chain: Chain, address: string): Promise<boolean> {
  return (await newestTransfers(graph, chain, address, 1)).length > 0;
}

interface TransferRow extends Row {
  transfer: Row;
  from_address: string;
  to_address: string;
}

function transferIn(chain: Chain, { transfer, from_address: from, to_address: to }: TransferRow): Transfer {
  return transferOfFact({ chain, from, to }, transfer);
}

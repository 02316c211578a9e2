import type { AddressHistory } from '../../chains/port.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { addressKey } from '../address-key.ts';
import { transferOfFact } from '../ingest/facts.ts';
import type { Graph, Row } from '../port.ts';

/** Of one address, the newest. */
export const TRANSFERS_MAX = 20_000;

/** Reads the history of an address that the graph holds, in the shape of a chain source's answer. */
export async function graphHistory(graph: Graph, chain: Chain, address: string): Promise<AddressHistory> {
  const rows = await graph.read<TransferRow>('scan/read-transfers', {
    key: addressKey(chain, address),
    limit: TRANSFERS_MAX,
  });
  const transfers = rows.map((row) => transferIn(chain, row));
  const found = transfers.length > 0;
  return {
    found,
    addressType: 'unknown',
    balance: null,
    transactionCount: new Set(transfers.map((transfer) => transfer.txHash)).size,
    transfers,
    tags: [],
    coverage: { complete: false, sources: found ? ['graph'] : [], reasons: ['no_source_configured'] },
    read: [],
  };
}

/** Those of an address's transfers that have these ids, in no order. */
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

/** Whether the graph holds a transfer of the address. */
export async function isInGraph(graph: Graph, chain: Chain, address: string): Promise<boolean> {
  const rows = await graph.read<TransferRow>('scan/read-transfers', { key: addressKey(chain, address), limit: 1 });
  return rows.length > 0;
}

interface TransferRow extends Row {
  transfer: Row;
  from_address: string;
  to_address: string;
}

function transferIn(chain: Chain, { transfer, from_address: from, to_address: to }: TransferRow): Transfer {
  return transferOfFact({ chain, from, to }, transfer);
}

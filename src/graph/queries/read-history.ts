import type { AddressHistory } from '../../chains/port.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Transfer, TransferKind } from '../../domain/transfers/transfer.ts';
import { addressKey } from '../address-key.ts';
import type { Graph, Row } from '../port.ts';

const TRANSFERS_MAX = 20_000;

/** What the graph already holds of an address, in the shape of a chain source's answer. */
export async function graphHistory(graph: Graph, chain: Chain, address: string): Promise<AddressHistory> {
  const rows = await graph.read<TransferRow>('scan/read-transfers', {
    key: addressKey(chain, address),
    limit: TRANSFERS_MAX,
  });
  const transfers = rows.map((row) => toTransfer(chain, row));
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

interface TransferRow extends Row {
  transfer: Row;
  from_address: string;
  to_address: string;
}

function toTransfer(chain: Chain, { transfer: t, from_address, to_address }: TransferRow): Transfer {
  const optional = <T>(name: string) => (t[name] ?? null) as T | null;
  return {
    id: t.id as string,
    chain,
    txHash: t.tx_hash as string,
    index: t.index as string,
    seq: (t.seq as number | undefined) ?? 0,
    block: optional('block'),
    blockHash: optional('block_hash'),
    position: optional('position'),
    at: t.at as number,
    from: from_address,
    to: to_address,
    asset: t.asset as string,
    token: optional('token'),
    amount: t.amount as string,
    amountRaw: optional('amount_raw'),
    decimals: optional('decimals'),
    usd: optional('usd'),
    kind: t.kind as TransferKind,
    failed: false,
    apportioned: t.apportioned === true,
    txSender: optional('tx_sender'),
    method: optional('method'),
    fee: optional('fee'),
    tokenId: optional('token_id'),
  };
}

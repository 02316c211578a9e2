import type { Chain } from '../chain.ts';

export type TransferKind = 'native' | 'token' | 'internal' | 'nft';

/**
 * One movement of one asset between two addresses, as a chain source reports it: the fact
 * that everything else is computed from.
 */
export interface Transfer {
  /** `<chain>:<tx_hash>:<index>`, or with `:<from>:<to>` behind it where one output is shared among senders. */
  id: string;
  chain: Chain;
  txHash: string;
  /** Where in the transaction: `native`, `log:12`, `trace:0_1`, `out:3`, … or a plain number from a file. */
  index: string;
  /** Order inside the transaction; a smaller one happened earlier. */
  seq: number;
  block: number | null;
  blockHash: string | null;
  /** Position of the transaction in its block, where the source tells it. */
  position: number | null;
  /** Epoch milliseconds of the block. */
  at: number;
  /** Canonical addresses (domain/address.ts). */
  from: string;
  to: string;
  /** Symbol as answers show it (domain/token.ts). */
  asset: string;
  /** Contract, mint or `CURRENCY.issuer`; null for the chain's own coin. */
  token: string | null;
  /** Exact decimal string, never in floating point. */
  amount: string;
  /** The same in the smallest unit; null where the asset has none (issued currencies of the XRP Ledger). */
  amountRaw: string | null;
  decimals: number | null;
  /** US dollars at transfer time; null = unknown, never 0 for unknown. */
  usd: number | null;
  kind: TransferKind;
  /** A failed transfer moved nothing: it is counted, never followed. */
  failed: boolean;
  /** True where the chain does not say who paid whom and the amount is a share (Bitcoin, several senders). */
  apportioned: boolean;
  /** Who signed or paid for the transaction, where known. */
  txSender: string | null;
  /** Four-byte selector or method name. */
  method: string | null;
  /** Fee of the whole transaction in the chain's own coin, decimal string. */
  fee: string | null;
  tokenId: string | null;
}

/** True when value really moved: such transfers are edges of the graph and enter every sum. */
export function movedValue(transfer: Transfer): boolean {
  return !transfer.failed && /[1-9]/.test(transfer.amount);
}

/** Total order in time: time, block, position in the block, place in the transaction, id. */
export function compareTransfers(a: Transfer, b: Transfer): number {
  return (
    a.at - b.at ||
    (a.block ?? 0) - (b.block ?? 0) ||
    (a.position ?? 0) - (b.position ?? 0) ||
    (a.txHash === b.txHash ? a.seq - b.seq : 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

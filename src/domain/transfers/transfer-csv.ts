import { formulaCell } from '../text/formula.ts';
import { iso } from '../time.ts';
import type { Transfer } from './transfer.ts';

type Cell = string | number | boolean | null;

/**
 * The columns of this product's own table of transfers, with what stands in them: nothing where unknown. The first ten are
 * what a file has at least. `number` counts equal transfers of one transaction, from 0.
 */
const CELLS = {
  chain: ({ chain }) => chain,
  tx_hash: ({ txHash }) => txHash,
  index: ({ index }) => index,
  block: ({ block }) => block,
  timestamp: ({ at }) => iso(at),
  from: ({ from }) => from,
  to: ({ to }) => to,
  asset: ({ asset }) => asset,
  amount: ({ amount }) => amount,
  usd: ({ usd }) => usd,
  token: ({ token }) => token,
  kind: ({ kind }) => kind,
  asset_type: ({ assetType }) => assetType,
  token_id: ({ tokenId }) => tokenId,
  decimals: ({ decimals }) => decimals,
  amount_raw: ({ amountRaw }) => amountRaw,
  number: (_, number) => number,
  seq: ({ seq }) => seq,
  block_hash: ({ blockHash }) => blockHash,
  position: ({ position }) => position,
  tx_sender: ({ txSender }) => txSender,
  method: ({ method }) => method,
  fee: ({ fee }) => fee,
  fee_payer: ({ feePayer }) => feePayer,
  fee_share: ({ feeShare }) => feeShare,
  apportioned: ({ apportioned }) => apportioned || null,
  destination_tag: ({ destinationTag }) => destinationTag,
  source_tag: ({ sourceTag }) => sourceTag,
} as const satisfies Record<string, (transfer: Transfer, number: number | null) => Cell>;

export type TransferColumn = keyof typeof CELLS;
export const TRANSFER_CSV_COLUMNS = Object.keys(CELLS) as TransferColumn[];

/** The cells of a transfer, in the order of the columns; no spreadsheet takes one for a formula. */
export function transferCells(transfer: Transfer, number: number | null): string[] {
  return TRANSFER_CSV_COLUMNS.map((column) => {
    const cell: Cell = CELLS[column](transfer, number);
    return typeof cell === 'string' ? formulaCell(cell) : cell === null ? '' : String(cell);
  });
}

import { canonicalAddress } from '../../src/domain/address/address.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { coinJoinAddress } from '../../src/domain/coinjoin/transaction.ts';
import { assetName, cleanSymbol } from '../../src/domain/tokens/token.ts';
import { TRANSFER_FIELDS } from '../../src/domain/transfers/transfer.ts';
import type { TransferColumn } from '../../src/domain/transfers/transfer-csv.ts';
import { shown } from '../labels/label-row.ts';
import { amountOf, type GivenTransfer } from './transfer-row.ts';

type Exported = Partial<Record<TransferColumn, string>>;

/** The number of a row among its equals; null for a table that does not count them, undefined for a text that is none. */
export function numberOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return null;
  if (text === '') return 0;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** True for the row's own CoinJoin transaction, and for its own transaction as a side of an exchange. */
export function isPseudoEnd(chain: Chain, txHash: string, text: string): boolean {
  return text === `tx:${txHash}` || (chain === 'bitcoin' && text === coinJoinAddress(txHash));
}

/**
 * The asset of a row. A table with the column `token` says by its empty cell that it is the coin; a name that imitates
 * another stays marked as such.
 */
export function statedAsset(chain: Chain, { asset = '', token: stated }: Exported) {
  if (stated === undefined) return { asset };
  if (stated === '') return { asset: assetName(chain, null, asset), token: null };
  const contract = canonicalAddress(chain, stated)?.address;
  const token = contract ?? stated;
  const symbol = asset.endsWith(`:${token}`) ? asset.slice(0, -token.length - 1) : asset;
  const isNamed = contract === undefined && cleanSymbol(stated) === stated && asset === stated;
  return { asset: isNamed ? asset : assetName(chain, token, symbol), token };
}

/** Fields that the tables of this product have beside those that anyone writes; the reason where one cannot be. */
export function exportedFields(cells: Exported): NonNullable<GivenTransfer['more']> | string {
  const { kind = '', asset_type = '', token_id = '', decimals = '', amount_raw = '' } = cells;
  const { seq, fee_share = '', apportioned = '' } = cells;
  if (kind !== '' && !isOneOf(TRANSFER_FIELDS.kind.values, kind)) return `no kind of transfer: ${shown(kind)}`;
  if (asset_type !== '' && !isOneOf(TRANSFER_FIELDS.assetType.values, asset_type))
    return `no type of asset: ${shown(asset_type)}`;
  if (!/^\d{0,3}$/.test(decimals)) return `decimals is not a whole number: ${shown(decimals)}`;
  if (!/^\d{0,120}$/.test(amount_raw)) return `amount_raw is not a whole number: ${shown(amount_raw)}`;
  if (!/^\d{0,15}$/.test(seq ?? '')) return `seq is not a whole number: ${shown(seq ?? '')}`;
  if (token_id.length > 128) return `token_id is longer than 128 characters: ${shown(token_id)}`;
  const share = fee_share === '' ? null : amountOf(fee_share);
  if (fee_share !== '' && share === null) return `fee_share is not a number of 0 or more: ${shown(fee_share)}`;
  if (!['', 'true', 'false'].includes(apportioned)) return `apportioned is not true or false: ${shown(apportioned)}`;
  return {
    ...(kind !== '' && { kind }),
    ...(asset_type !== '' && { assetType: asset_type }),
    ...(token_id !== '' && { tokenId: token_id }),
    ...(decimals !== '' && { decimals: Number(decimals) }),
    ...(amount_raw !== '' && { amountRaw: amount_raw }),
    ...(seq !== undefined && { seq: seq === '' ? null : Number(seq) }),
    ...(share !== null && { feeShare: share }),
    ...(apportioned === 'true' && { apportioned: true }),
  };
}

function isOneOf<Text extends string>(values: readonly Text[], text: string): text is Text {
  return (values as readonly string[]).includes(text);
}

import { canonicalAddress } from '../../src/domain/address/address.ts';
import type { CanonicalAddress } from '../../src/domain/address/formats.ts';
import { type Chain, isChain } from '../../src/domain/chain.ts';
import { coinJoinAddress } from '../../src/domain/coinjoin/transaction.ts';
import { formulaText } from '../../src/domain/text/formula.ts';
import { assetName, cleanSymbol } from '../../src/domain/tokens/token.ts';
import { XRP_TAG_MAX } from '../../src/domain/transfers/tags.ts';
import { TRANSFER_FIELDS, type Transfer } from '../../src/domain/transfers/transfer.ts';
import type { TransferColumn } from '../../src/domain/transfers/transfer-csv.ts';
import { transferId } from '../../src/domain/transfers/transfer-id.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { shown } from '../labels/label-row.ts';
import { readTable } from '../reading/csv.ts';
import { decimalMarkOf } from '../reading/decimal-mark.ts';
import type { InputFile } from '../reading/input.ts';
import { hasEnding, type TransferLoader, type Work } from '../reading/loader.ts';
import { parseBlockTime } from '../reading/moments.ts';
import { shortenedNoter } from '../reading/shortened.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { type KnownTable, type TableRow, tableOf } from './known-tables.ts';
import { numbered, type RowTransfer } from './numbered.ts';
import { amountOf, type GivenTransfer, impossibility, transferOf } from './transfer-row.ts';

const COLUMNS = ['chain', 'tx_hash', 'index', 'block', 'timestamp', 'from', 'to', 'asset', 'amount', 'usd'] as const;
/** More dollars than all payments of a year: sums of such numbers lose what is real. */
const USD_MAX = 1e15;
/** Columns that a file may have besides stand for what is unknown where they are empty. */
type Cells = Record<(typeof COLUMNS)[number], string> & Partial<Record<TransferColumn, string>>;

/** Transfers as CSV, from a file of any length. */
export const transfersLoader: TransferLoader = {
  kind: 'transfers',
  hasInternal: true,
  asks: ['format', 'chain', 'token', 'address', 'columns'],
  format: `CSV with the header ${COLUMNS.join(',')}, or a table of docs/formats.md`,
  accepts: hasEnding('.csv', '.tsv', '.txt'),
  read,
};

async function* read(work: Work): AsyncGenerator<Transfer> {
  const { files, tally, isFolder } = work;
  let isKnown = false;
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    try {
      yield* numbered(readRows(file, own, work));
      isKnown = true;
    } catch (cause) {
      if (!(cause instanceof UnknownTableError) || files.length === 1) throw cause;
      own.notRead(file.name);
    }
  }
  if (!isKnown) throw new WrongFormatError(`${files.length} files: none has the header of a known table`);
}

class UnknownTableError extends WrongFormatError {}

/** The rows of one table, by its header: this product's own, or a known one. Throws WrongFormatError for another. */
async function* readRows(file: InputFile, tally: Tally, { table = {}, signal }: Work): AsyncGenerator<RowTransfer> {
  const knownOf = (header: readonly string[]): KnownTable | null => {
    const missing = COLUMNS.filter((column) => !header.includes(column));
    if (missing.length === 0 && !table.columns && !table.format) return null;
    const known = tableOf(file.name, header, table);
    if (!known) {
      throw new UnknownTableError(
        `${file.name}: the header lacks ${missing.join(', ')}; expected ${COLUMNS.join(',')} or the header of a known table`,
      );
    }
    return known;
  };
  let known: KnownTable | null = null;
  const mark = await decimalMarkOf(file, (header) => knownOf(header)?.numbers ?? [], signal);
  const onHeader = (header: readonly string[]) => {
    known = knownOf(header);
    if (known) tally.known(known.format.name);
  };
  const noteShortened = shortenedNoter(tally);
  let isBare = true;
  for await (const { line, cells } of readTable(file, tally, onHeader, signal)) {
    isBare = false;
    const row = known ? (known as KnownTable).toRow(cells, mark) : ownRow(cells as Cells);
    if (typeof row === 'string') tally.skip(line, row);
    // It moves nothing: not a row of its own.
    else if (row === null) tally.read -= 1;
    else {
      if (row.note !== undefined) tally.note(line, row.note);
      noteShortened(line, cells);
      yield row;
    }
  }
  if (isBare && tally.skipped === 0) tally.note(0, 'a header and no rows: nothing to load');
}

function ownRow(cells: Cells): TableRow {
  for (const [column, cell] of Object.entries(cells))
    if (cell.includes("'")) cells[column as TransferColumn] = formulaText(cell);
  const transfer = toTransfer(cells);
  return typeof transfer === 'string' ? transfer : { transfer, isPlaced: true };
}

/** The transfer of a row, or the reason why there is none. */
function toTransfer(cells: Cells): Transfer | string {
  const chain = cells.chain.toLowerCase();
  if (!isChain(chain)) return `unsupported chain: ${shown(cells.chain)}`;
  // Other forms are taken too: a file may number the transactions of a study.
  const txHash = canonicalTxHash(chain, cells.tx_hash) ?? cells.tx_hash;
  if (!/^[\w.:-]{1,128}$/.test(txHash)) return `no transaction hash: ${shown(cells.tx_hash)}`;
  const number = numberOf(cells.number);
  if (number === undefined) return `number is not a whole number below 1,000,000: ${shown(cells.number ?? '')}`;
  // An export counts equals where it knows no place.
  const isPlaceless = cells.index === '' && number !== null;
  if (!isPlaceless && !/^[\w.:-]{1,128}$/.test(cells.index)) return `no index: ${shown(cells.index)}`;
  if (!/^\d{0,15}$/.test(cells.block)) return `block is not a number: ${shown(cells.block)}`;
  const at = parseBlockTime(cells.timestamp);
  if (at === null) return `timestamp is neither ISO 8601 nor epoch seconds: ${shown(cells.timestamp)}`;
  const endOf = (text: string) =>
    isPseudoEnd(chain, txHash, text) ? { address: text } : canonicalAddress(chain, text);
  const from = endOf(cells.from);
  if (!from) return `from ${shown(cells.from)} is not a valid ${chain} address`;
  const to = endOf(cells.to);
  if (!to) return `to ${shown(cells.to)} is not a valid ${chain} address`;
  if (cells.asset === '') return 'no asset';
  const amount = amountOf(cells.amount);
  if (amount === null) return `amount is not a number of 0 or more: ${shown(cells.amount)}`;
  const usd = cells.usd === '' ? null : Number(cells.usd);
  if (usd !== null && !(usd >= 0 && usd <= USD_MAX))
    return `usd is not a number from 0 to ${USD_MAX}: ${shown(cells.usd)}`;
  const block = cells.block === '' ? null : Number(cells.block);
  const more = optionalFields(chain, cells);
  if (typeof more === 'string') return more;
  const destinationTag = tagOf(chain, to, cells.destination_tag);
  if (destinationTag === undefined) return `destination_tag is not a tag of to: ${shown(cells.destination_tag ?? '')}`;
  const sourceTag = tagOf(chain, from, cells.source_tag);
  if (sourceTag === undefined) return `source_tag is not a tag of from: ${shown(cells.source_tag ?? '')}`;
  const exported = exportedFields(cells);
  if (typeof exported === 'string') return exported;
  const index = isPlaceless ? null : cells.index;
  const ends = { from: from.address, to: to.address };
  const tags = { destinationTag, sourceTag };
  const transfer = transferOf({
    chain,
    txHash,
    index,
    block,
    at,
    ...ends,
    ...statedAsset(chain, cells),
    amount,
    usd,
    more: { ...more, ...tags, ...exported },
  });
  if (number) transfer.id = transferId(transfer, number);
  return impossibility(transfer) ?? transfer;
}

/** The tag of an end, null for none; undefined for a text that is none, or not the one of the X-address. */
function tagOf(chain: Chain, end: CanonicalAddress, text = ''): number | null | undefined {
  const stated = end.tag ?? null;
  if (text === '') return stated;
  const tag = /^\d{1,10}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  const isTag = chain === 'xrp' && tag <= XRP_TAG_MAX;
  return isTag && (stated === null || stated === tag) ? tag : undefined;
}

function optionalFields(chain: Chain, cells: Cells): NonNullable<GivenTransfer['more']> | string {
  const { block_hash: blockHash, position = '', tx_sender, method, fee: given = '', fee_payer } = cells;
  if (!/^\d{0,9}$/.test(position)) return `position is not a whole number: ${shown(position)}`;
  const fee = given === '' ? null : amountOf(given);
  if (given !== '' && fee === null) return `fee is not a number of 0 or more: ${shown(given)}`;
  const [txSender, feePayer] = [tx_sender, fee_payer].map((text) =>
    text ? canonicalAddress(chain, text)?.address : null,
  );
  if (txSender === undefined) return `tx_sender ${shown(tx_sender ?? '')} is not an address of ${chain}`;
  if (feePayer === undefined) return `fee_payer ${shown(fee_payer ?? '')} is not an address of ${chain}`;
  const texts = { blockHash: blockHash || null, method: method?.slice(0, 64) || null };
  return { ...texts, position: position === '' ? null : Number(position), fee, txSender, feePayer };
}

type Exported = Partial<Record<TransferColumn, string>>;

/** The number of a row among its equals; null for a table that does not count them, undefined for a text that is none. */
function numberOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return null;
  if (text === '') return 0;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** True for the row's own CoinJoin transaction, and for its own transaction as a side of an exchange. */
function isPseudoEnd(chain: Chain, txHash: string, text: string): boolean {
  return text === `tx:${txHash}` || (chain === 'bitcoin' && text === coinJoinAddress(txHash));
}

/**
 * The asset of a row. A table with the column `token` says by its empty cell that it is the coin; a name that imitates
 * another stays marked as such.
 */
function statedAsset(chain: Chain, { asset = '', token: stated }: Exported) {
  if (stated === undefined) return { asset };
  if (stated === '') return { asset: assetName(chain, null, asset), token: null };
  const contract = canonicalAddress(chain, stated)?.address;
  const token = contract ?? stated;
  const symbol = asset.endsWith(`:${token}`) ? asset.slice(0, -token.length - 1) : asset;
  const isNamed = contract === undefined && cleanSymbol(stated) === stated && asset === stated;
  return { asset: isNamed ? asset : assetName(chain, token, symbol), token };
}

/** Fields that the tables of this product have beside those that anyone writes; the reason where one cannot be. */
function exportedFields(cells: Exported): NonNullable<GivenTransfer['more']> | string {
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

import { canonicalAddress } from '../../src/domain/address/address.ts';
import { formatUnits, fractionDigits, parseUnits } from '../../src/domain/amount.ts';
import { CHAINS, type Chain, NATIVE_COIN } from '../../src/domain/chain.ts';
import { isCoinContract, KNOWN_TOKENS } from '../../src/domain/tokens/known-tokens.ts';
import { assetName, verifiedToken } from '../../src/domain/tokens/token.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { shown } from '../labels/label-row.ts';
import { chainNamed } from '../reading/chain-names.ts';
import { type DecimalMark, withPoint } from '../reading/decimal-mark.ts';
import { smallNumber, wholeNumber } from '../reading/json.ts';
import { parseBlockTime } from '../reading/moments.ts';
import { type AskedTable, TRANSFER_FIELDS, type TransferField, type TransferFormat } from '../reading/table-format.ts';
import { wordTable } from '../reading/word-table.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import type { RowTransfer } from './numbered.ts';
import { TRANSFER_FORMATS } from './transfer-formats.ts';
import { amountOf, type GivenTransfer, impossibility, transferOf } from './transfer-row.ts';

/** A transfer, the reason why a row gives none, or null for a row that moves nothing. */
export type TableRow = RowTransfer | string | null;

/** A table whose header is known. */
export interface KnownTable {
  format: TransferFormat;
  /** Columns of numbers that may have a fraction. */
  numbers: readonly string[];
  toRow(cells: Record<string, string>, mark: DecimalMark): TableRow;
}

/** Coins that tables name otherwise than the chain does now. */
const OTHER_NAMES: Record<string, string> = {
  MATIC: 'POL',
  KLAY: 'KAIA',
  ETHER: 'ETH',
  ETHEREUM: 'ETH',
  BITCOIN: 'BTC',
  XBT: 'BTC',
  TRON: 'TRX',
  SOLANA: 'SOL',
  RIPPLE: 'XRP',
};
const symbolOf = (coin: string) => OTHER_NAMES[coin.toUpperCase()] ?? coin.toUpperCase();

/** The format of a table by its header, or null where none fits. Throws WrongFormatError where a fact lacks that has to be asked for. */
export function tableOf(name: string, header: readonly string[], asked: AskedTable): KnownTable | null {
  for (const format of candidates(name, asked)) {
    const columns = columnsOf(format, header);
    if (!format.needs.every((field) => columns.has(field))) continue;
    // One address's list of one kind says little of the others that it names.
    if (asked.isWhole) throw new WrongFormatError(`${name}: ${format.name} is not the whole history of its addresses`);
    return { format, numbers: numbersIn(format, columns), toRow: openRow(name, format, { columns, header }, asked) };
  }
  if (asked.columns === undefined && asked.format === undefined) return null;
  const format = asked.columns ?? candidates(name, asked)[0]!;
  const missing = format.needs.filter((field) => !columnsOf(format, header).has(field));
  const named = missing.map((field) => (format.columns[field] ?? [field]).join(' or '));
  throw new WrongFormatError(`${name}: the header lacks ${named.join(', ')} of ${format.name}`);
}

function candidates(name: string, { format, columns }: AskedTable): readonly TransferFormat[] {
  if (columns) return [columns];
  if (format === undefined) return TRANSFER_FORMATS;
  const found = TRANSFER_FORMATS.filter((one) => one.name === format);
  if (found.length > 0) return found;
  const known = TRANSFER_FORMATS.map((one) => one.name).join(', ');
  throw new WrongFormatError(`${name}: unknown format ${shown(format)}, one of ${known}`);
}

function numbersIn({ units }: TransferFormat, columns: Columns): string[] {
  const fields = ['amount_in', 'amount_out', ...(units === 'decimal' ? (['amount', 'fee'] as const) : [])] as const;
  return fields.flatMap((field) => columns.get(field)?.name ?? []);
}

interface Column {
  /** As the cells of a row name it. */
  name: string;
  /** The coin in the name, upper case. */
  coin: string | null;
}
type Columns = ReadonlyMap<TransferField, Column>;

function columnsOf(format: TransferFormat, header: readonly string[]): Columns {
  const columns = new Map<TransferField, Column>();
  for (const field of TRANSFER_FIELDS) {
    for (const alias of format.columns[field] ?? []) {
      const column = findColumn(header, alias);
      const isTaken = [...columns.values()].some(({ name }) => name === column?.name);
      if (column === null || isTaken) continue;
      columns.set(field, column);
      break;
    }
  }
  return columns;
}

function findColumn(header: readonly string[], alias: string): Column | null {
  const wanted = plain(alias);
  const isOpen = wanted.endsWith('(*)');
  for (const name of header) {
    const text = plain(name);
    if (!isOpen) {
      if (text === wanted) return { name, coin: null };
      continue;
    }
    const coin = text.startsWith(wanted.slice(0, -2)) ? /\(([a-z0-9]{1,12})\)$/.exec(text)?.[1] : undefined;
    if (coin !== undefined && coin !== 'usd') return { name, coin: coin.toUpperCase() };
  }
  return null;
}

/** A name of a column as names are compared. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_]/g, '');

interface Table {
  format: TransferFormat;
  columns: Columns;
  asked: AskedTable;
  /** Null where each row names its own. */
  chain: Chain | null;
}

/** Names of columns that say in words what moved. */
const ASSET_NAMES = ['asset', 'token', 'currency', 'coin', 'symbol', 'tokensymbol'];

/** The column that says what moved, of a table of coin whose format takes it for nothing else. */
function assetColumnOf({ kind }: TransferFormat, header: readonly string[], columns: Columns): string | null {
  if (kind !== 'native' && kind !== 'internal') return null;
  const taken = [...columns.values()].map(({ name }) => name);
  return header.find((name) => ASSET_NAMES.includes(plain(name)) && !taken.includes(name)) ?? null;
}

function openRow(
  name: string,
  format: TransferFormat,
  { columns, header }: { columns: Columns; header: readonly string[] },
  asked: AskedTable,
): KnownTable['toRow'] {
  const table = {
    format,
    columns,
    asked,
    chain: columns.has('chain') ? null : chainOf(name, format, columns, asked),
  };
  if (format.kind === 'token' && !columns.has('token') && asked.token === undefined) {
    throw new WrongFormatError(
      `${name}: ${format.name} does not say which token it lists: name its contract with --token`,
    );
  }
  if (!columns.has('from') && asked.address === undefined) {
    throw new WrongFormatError(`${name}: ${format.name} does not say whose it is: name the address with --address`);
  }
  const numbers = numbersIn(format, columns);
  const assetColumn = assetColumnOf(format, header, columns);
  let isNoted = false;
  return (cells, mark) => {
    const asset = assetColumn === null ? '' : (cells[assetColumn] ?? '').trim();
    const values = Object.create(null) as Values;
    for (const [field, column] of columns) {
      const text = (cells[column.name] ?? '').trim();
      values[field] = numbers.includes(column.name) ? withPoint(text, mark) : text;
    }
    const chain = table.chain ?? chainNamed(values.chain ?? '');
    const isCoin = chain === null || asset === '' ? true : isNameOfCoin(chain, asset);
    // An explorer that names what moved names a token in words that nobody else knows; a column of one's own may say anything.
    if (isCoin === false || (isCoin === null && asked.columns === undefined && !FIATS.has(asset.toUpperCase())))
      return `the row is of ${shown(asset)}, and ${format.name} lists the coin alone`;
    const row = toRow(table, values);
    if (isCoin !== null || isNoted || row === null || typeof row === 'string') return row;
    isNoted = true;
    const { symbol } = NATIVE_COIN[chain!];
    return {
      ...row,
      note: `${assetColumn} says ${shown(asset)}, which is not an asset: such rows are taken for ${symbol}`,
    };
  };
}

/** Contracts that do not exist, as aggregators write them where the coin moved. */
const COIN_CONTRACTS = [`0x${'e'.repeat(40)}`, `0x${'0'.repeat(40)}`];
const COIN_WORDS = ['NATIVE', 'COIN', 'NATIVE COIN', 'NATIVE TOKEN'];
const ASSETS: ReadonlySet<string> = new Set([
  ...[...KNOWN_TOKENS.values()].flatMap(({ symbol, priceAs }) => [symbol.toUpperCase(), priceAs.toUpperCase()]),
  ...CHAINS.map((chain) => NATIVE_COIN[chain].symbol),
]);
/** Money in which some tables state values. */
const FIATS: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** True for a name of the chain's coin, false for a contract or an asset that is another; null for a text that names neither. */
function isNameOfCoin(chain: Chain, text: string): boolean | null {
  // `Ether (ETH)`, or the symbol alone.
  const asset = /\(([^()\s]+)\)$/.exec(text)?.[1] ?? text;
  if (COIN_WORDS.includes(asset.toUpperCase()) || symbolOf(asset) === NATIVE_COIN[chain].symbol) return true;
  const contract = canonicalAddress(chain, asset)?.address;
  if (COIN_CONTRACTS.includes(asset.toLowerCase())) return true;
  if (contract !== undefined) return isCoinContract(chain, contract);
  return ASSETS.has(symbolOf(asset)) ? false : null;
}

function chainOf(name: string, { name: of, chain: fixed }: TransferFormat, columns: Columns, asked: AskedTable): Chain {
  const coin = [...columns.values()].find((column) => column.coin !== null)?.coin ?? null;
  const symbol = coin && symbolOf(coin);
  const withCoin = symbol === null ? [] : CHAINS.filter((chain) => NATIVE_COIN[chain].symbol === symbol);
  const chain = asked.chain ?? fixed ?? (withCoin.length === 1 ? withCoin[0] : undefined);
  if (chain === undefined) {
    throw new WrongFormatError(`${name}: ${of} does not say its chain: name it with --chain`);
  }
  if (fixed !== undefined && chain !== fixed)
    throw new WrongFormatError(`${name}: ${of} is of ${fixed}, not of ${chain}`);
  if (symbol !== null && !withCoin.includes(chain)) {
    throw new WrongFormatError(`${name}: its coin is ${coin}, and that of ${chain} is ${NATIVE_COIN[chain].symbol}`);
  }
  return chain;
}

type Values = Partial<Record<TransferField, string>>;

function toRow(table: Table, values: Values): TableRow {
  const { format } = table;
  const chain = table.chain ?? chainNamed(values.chain ?? '');
  if (chain === null) return `unsupported chain: ${shown(values.chain ?? '')}`;
  if (table.asked.chain !== undefined && chain !== table.asked.chain)
    return `the row is of ${chain}, not of ${table.asked.chain}`;
  const txHash = canonicalTxHash(chain, values.hash ?? '');
  if (!txHash) return `no transaction hash of ${chain}: ${shown(values.hash ?? '')}`;
  const at = parseBlockTime(values.time ?? '');
  if (at === null) return `not a time: ${shown(values.time ?? '')}`;
  const ends = endsOf(chain, table, values);
  if (typeof ends === 'string') return ends;
  const moved = movedOf(chain, table, values);
  if (typeof moved === 'string') return moved;
  const failed = hasFailed(format, values);
  if (moved.kind === 'internal' && (failed || Number(moved.amount) === 0)) return null;
  const fee = values.fee === undefined ? null : feeOf(chain, table, values.fee);
  const { asset, token, amount, kind, ...more } = moved;
  const sender = kind === 'native' ? ends.from : canonicalAddress(chain, values.parent_from ?? '')?.address;
  const transfer = transferOf({
    chain,
    txHash,
    index: kind === 'native' ? 'native' : null,
    block: smallNumber((values.block ?? '').replaceAll(',', '')),
    at,
    ...ends,
    asset,
    token,
    amount,
    usd: null,
    more: {
      ...more,
      kind,
      failed,
      fee: kind === 'native' ? fee : null,
      txSender: sender ?? null,
      method: /^0x[0-9a-f]{8}$/i.test(values.method ?? '') ? values.method!.toLowerCase() : null,
    },
  });
  return impossibility(transfer) ?? { transfer };
}

function endsOf(chain: Chain, { columns, asked }: Table, values: Values): { from: string; to: string } | string {
  const addressOf = (text: string) => canonicalAddress(chain, text)?.address;
  if (!columns.has('from')) {
    const own = addressOf(asked.address!);
    if (!own) return `--address is not an address of ${chain}: ${shown(asked.address!)}`;
    const other = addressOf(values.counterparty ?? '');
    if (!other) return `counterparty is not an address of ${chain}: ${shown(values.counterparty ?? '')}`;
    if (/^(?:in|received?|deposit|credit)$/i.test(values.direction ?? '')) return { from: other, to: own };
    if (/^(?:out|sent?|withdrawal|debit)$/i.test(values.direction ?? '')) return { from: own, to: other };
    return `direction is neither in nor out: ${shown(values.direction ?? '')}`;
  }
  const from = addressOf(values.from ?? '');
  if (!from) return `from is not an address of ${chain}: ${shown(values.from ?? '')}`;
  const given = values.to || values.created || '';
  const to = addressOf(given);
  return to ? { from, to } : `to is not an address of ${chain}: ${shown(given)}`;
}

type Moved = Pick<GivenTransfer, 'asset' | 'amount'> & { token: string | null } & Pick<
    NonNullable<GivenTransfer['more']>,
    'amountRaw' | 'decimals' | 'tokenId' | 'assetType'
  > & { kind: 'native' | 'internal' | 'token' | 'nft' };

/** Names of standards, as lists of both kinds of collectibles write them. */
const STANDARDS = wordTable<'erc721' | 'erc1155'>({
  erc721: 'erc721',
  bep721: 'erc721',
  erc1155: 'erc1155',
  bep1155: 'erc1155',
});

/** Finds what moved: the chain's coin, a token or a collectible; or the reason why that is not known. */
function movedOf(chain: Chain, table: Table, values: Values): Moved | string {
  const { format, asked } = table;
  const coin = NATIVE_COIN[chain];
  const contract = contractOf(chain, format, { values, asked });
  if (format.kind === 'native' || format.kind === 'internal' || contract === null) {
    const amount = amountIn(table, values, { unit: coin.symbol, decimals: coin.decimals });
    if (amount === null) return noAmount(values);
    return { asset: coin.symbol, token: null, amount, kind: format.kind === 'internal' ? 'internal' : 'native' };
  }
  if (contract === undefined)
    return `token is not a contract of ${chain}: ${shown(values.token || asked.token || values.symbol || '')}`;
  const asset = assetName(chain, contract, values.symbol ?? '');
  if (format.kind === 'erc721' || format.kind === 'erc1155') {
    const tokenId = wholeNumber(values.token_id);
    const quantity = format.kind === 'erc721' ? 1n : wholeNumber((values.quantity ?? '').replaceAll(',', ''));
    if (tokenId === null) return `no token id: ${shown(values.token_id ?? '')}`;
    if (quantity === null) return `quantity is not a whole number: ${shown(values.quantity ?? '')}`;
    const assetType = STANDARDS[plain(values.standard ?? '').replace('-', '')] ?? format.kind;
    const one = { tokenId: String(tokenId), assetType, amountRaw: String(quantity), decimals: 0 };
    return { asset, token: contract, amount: String(quantity), kind: 'nft', ...one };
  }
  const decimals = verifiedToken(chain, contract)?.decimals ?? smallNumber(values.decimals) ?? null;
  if (format.units === 'smallest' && (decimals === null || decimals > 100)) {
    return `no decimals of the token: ${shown(values.decimals ?? '')}`;
  }
  const amount = amountIn(table, values, { unit: values.symbol ?? '', decimals });
  if (amount === null) return noAmount(values);
  const raw = format.units === 'smallest' ? wholeNumber(values.amount)!.toString() : undefined;
  // Where the issuer multiplies what is shown, decimals do not say what the smallest units are.
  const isMultiplied = multiplierOf(values) !== '1';
  const whole = raw === undefined ? {} : { amountRaw: raw, decimals: isMultiplied ? null : decimals };
  return { asset, token: contract, amount, kind: 'token', ...whole };
}

const noAmount = (values: Values) =>
  `not an amount of 0 or more: ${shown(values.amount ?? [values.amount_in, values.amount_out].join(' / '))}`;

/** The contract of a row's token; null for the chain's own coin, undefined where none can be read. */
function contractOf(
  chain: Chain,
  { kind, coinToken }: TransferFormat,
  { values, asked }: { values: Values; asked: AskedTable },
): string | null | undefined {
  const text = values.token || asked.token || '';
  if (kind === 'by_token') {
    const { symbol = '' } = values;
    if (text === '' && symbol !== '' && symbol.toUpperCase() !== NATIVE_COIN[chain].symbol) return undefined;
    if (text === coinToken || text.toUpperCase() === NATIVE_COIN[chain].symbol || text === '') return null;
    // `USDT(TR7…)`, or the contract alone.
    const inside = /\(([^()\s]+)\)\s*$/.exec(text)?.[1] ?? text;
    if (inside === '_' || inside.toUpperCase() === NATIVE_COIN[chain].symbol) return null;
    return canonicalAddress(chain, inside)?.address;
  }
  return canonicalAddress(chain, text)?.address;
}

/** Texts that tables write in the one of two columns in which nothing moved. */
const NOTHING = /^(?:[-–—]|n\/a|null)?$/i;

/** The row's amount as a decimal of whole coins; null where it states none. */
function amountIn(
  { format, columns }: Table,
  values: Values,
  { unit, decimals }: { unit: string; decimals: number | null },
): string | null {
  if (columns.has('amount_in')) {
    const stated = [values.amount_in ?? '', values.amount_out ?? ''].filter((text) => !NOTHING.test(text));
    const amounts = stated.map((text) => decimalOf(text, unit));
    // Where one of them cannot be read, the other's zero does not count.
    if (amounts.includes(null)) return null;
    return amounts.find((amount) => Number(amount) > 0) ?? amounts[0] ?? null;
  }
  if (format.units === 'decimal') return decimalOf(values.amount ?? '', unit);
  const whole = wholeNumber(values.amount);
  const multiplier = multiplierOf(values);
  if (whole === null || multiplier === null) return null;
  const digits = fractionDigits(multiplier);
  return formatUnits(whole * parseUnits(multiplier, digits), (decimals ?? 0) + digits);
}

/** The number by which the issuer multiplies amounts, `1` where none is stated; null for another text. */
function multiplierOf({ multiplier = '' }: Values): string | null {
  return multiplier === '' ? '1' : amountOf(multiplier);
}

/** `1250.5` or `1250.5 ETH`. */
function decimalOf(text: string, unit: string): string | null {
  const isWithUnit = unit !== '' && text.toUpperCase().endsWith(` ${unit.toUpperCase()}`);
  return amountOf(isWithUnit ? text.slice(0, -unit.length - 1) : text);
}

/** Null where the fee is an estimate or not stated. */
function feeOf(chain: Chain, { format }: Table, text: string): string | null {
  const { symbol, decimals } = NATIVE_COIN[chain];
  if (format.units === 'decimal') return decimalOf(text, symbol);
  const whole = wholeNumber(text);
  return whole === null ? null : formatUnits(whole, decimals);
}

const FAILURE = /^(?:0|false|no|err.*|fail.*|revert.*|out of .*|bad .*)$/i;

function hasFailed({ succeeds }: TransferFormat, { status = '', error = '' }: Values): boolean {
  if (error !== '' && error !== '0') return true;
  return succeeds ? !succeeds.includes(status.toLowerCase()) : FAILURE.test(status);
}

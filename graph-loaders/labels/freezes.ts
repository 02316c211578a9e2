import { parseAddressKey } from '../../src/domain/address/address-key.ts';
import { FREEZE_REPORT } from '../../src/domain/tokens/issuer-freeze.ts';
import { KNOWN_TOKENS } from '../../src/domain/tokens/known-tokens.ts';
import { timeSlices } from '../../src/fairness/time-slices.ts';
import { chainNamed } from '../reading/chain-names.ts';
import { readTable } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { readJson, textField } from '../reading/json.ts';
import { hasEnding, type LabelLoader, type ListedLabel, type Work } from '../reading/loader.ts';
import { parseMoment } from '../reading/moments.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { wordTable } from '../reading/word-table.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { isRecord } from './json-statements.ts';
import { labelChainOf, labelOf, listedAddress, shown } from './label-row.ts';

/** Fields of an entry, by the names that exports give them, compared without case, blanks and underscores. */
const FIELDS = {
  address: [
    'address',
    'wallet',
    'walletaddress',
    'account',
    'user',
    'blacklisteduser',
    'blacklistedaddress',
    'frozenaddress',
  ],
  chain: ['chain', 'blockchain', 'network', 'chainid'],
  token: [
    'token',
    'stablecoin',
    'asset',
    'symbol',
    'tokensymbol',
    'currency',
    'contractaddress',
    'contract',
    'tokenaddress',
  ],
  at: [
    'frozenat',
    'frozensince',
    'blacklistedat',
    'date',
    'time',
    'timestamp',
    'datetime',
    'blocktime',
    'blocktimestamp',
  ],
  until: ['unfrozenat', 'removedat'],
  event: ['event', 'eventname', 'action', 'type', 'status'],
} as const;
type Field = keyof typeof FIELDS;
const FIELD_OF = wordTable<Field>(
  Object.fromEntries(Object.entries(FIELDS).flatMap(([field, names]) => names.map((name) => [name, field as Field]))),
);
type Fields = Partial<Record<Field, string>>;
interface Entry {
  row: number;
  fields: Fields;
}

const ISSUERS = wordTable<string>({
  ...{ USDT: 'Tether', USDT0: 'Tether', EURT: 'Tether', XAUT: 'Tether', USDC: 'Circle', EURC: 'Circle' },
  ...{ PYUSD: 'Paxos', USDP: 'Paxos', BUSD: 'Paxos', PAXG: 'Paxos', USDG: 'Paxos', TUSD: 'TrueUSD' },
  ...{ FDUSD: 'First Digital', GUSD: 'Gemini', RLUSD: 'Ripple' },
});
const CONTRACTS = new Map(
  [...KNOWN_TOKENS].map(([key, { symbol }]) => {
    const { chain, address } = parseAddressKey(key);
    return [address.toLowerCase(), { chain, symbol }];
  }),
);
const SYMBOL = /^[A-Z0-9.]{2,12}$/;
/** Events and states that end a freeze, and those that are none. */
const ENDS = /^(?:un|remove|thaw|release|lift)/i;
const NONE = /^(?:transfer|mint|issue|redeem|burn|destroy)/i;

/**
 * Lists of what issuers of tokens froze: one address a row or an event a row, or lists of addresses under the names of chains and
 * tokens. The addresses of one token on one chain are a list of their own.
 */
export const freezesLoader: LabelLoader = {
  kind: 'labels',
  format:
    'a list of frozen addresses as CSV or JSON that names the token of each, in a column, a key or the name of the file',
  isList: true,
  accepts: hasEnding('.csv', '.tsv', '.json'),
  read,
};

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<ListedLabel> {
  const frozen = new Map<string, ListedLabel>();
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    for await (const { row, fields } of entriesOf(file, own, signal)) {
      const label = toLabel(fields, row, own);
      if (label === null) continue;
      const key = `${label.source} ${label.address}`;
      const before = frozen.get(key);
      frozen.set(key, before ? later(before, label) : label);
    }
  }
  for (const label of frozen.values()) {
    // The end of a freeze that the file does not have begins at no day that is known.
    yield label.validFrom !== null && label.validFrom === label.validTo ? { ...label, validFrom: null } : label;
  }
}

/** Joins two rows of one address: it is frozen as the later one says, since the first of a run of freezes. */
function later(one: ListedLabel, other: ListedLabel): ListedLabel {
  const at = ({ validFrom, validTo }: ListedLabel) => validTo ?? validFrom ?? 0;
  const [before, after] = at(one) <= at(other) ? [one, other] : [other, one];
  const isEnd = after.validTo !== null && after.validTo === after.validFrom;
  if (before.validTo === null) return { ...after, validFrom: before.validFrom };
  return isEnd ? before : after;
}

async function* entriesOf(file: InputFile, tally: Tally, signal?: AbortSignal): AsyncGenerator<Entry> {
  const named = fieldsOfName(file.name);
  if (file.name.toLowerCase().endsWith('.json')) yield* entriesOfJson(file, named, tally, signal);
  else yield* entriesOfTable(file, named, tally, signal);
}

async function* entriesOfTable(
  file: InputFile,
  named: Fields,
  tally: Tally,
  signal?: AbortSignal,
): AsyncGenerator<Entry> {
  let columns: [name: string, field: Field][] = [];
  const onHeader = (header: readonly string[]) => {
    columns = header.flatMap((name) => {
      const field = FIELD_OF[plain(name)];
      return field === undefined ? [] : [[name, field] as [string, Field]];
    });
    const has = (field: Field) => columns.some(([, one]) => one === field);
    if (!has('address'))
      throw new WrongFormatError(`${file.name}: the header lacks address; expected address,chain,token`);
    if (!has('token') && named.token === undefined) {
      throw new WrongFormatError(`${file.name}: the header lacks token; expected address,chain,token`);
    }
  };
  for await (const { line, cells } of readTable(file, tally, onHeader, signal)) {
    const fields = { ...named };
    for (const [name, field] of columns) if (cells[name]) fields[field] = cells[name];
    // An export of all events of a contract has rows of other kinds, without an address.
    if (fields.address === undefined && fields.event !== undefined) tally.read -= 1;
    else yield { row: line, fields };
  }
}

async function* entriesOfJson(
  file: InputFile,
  named: Fields,
  tally: Tally,
  signal?: AbortSignal,
): AsyncGenerator<Entry> {
  const pause = timeSlices();
  let row = 0;
  let isKnown = false;
  for (const fields of walk(await readJson(file, signal), named)) {
    const paused = pause();
    if (paused) await paused;
    tally.read += 1;
    row += 1;
    isKnown ||= fields.token !== undefined;
    yield { row, fields };
  }
  if (!isKnown) throw new WrongFormatError(`${file.name}: no entry has an address and a token`);
}

/** The addresses of a document, with the names of chains and tokens that stand above them. */
function* walk(value: unknown, above: Fields): Generator<Fields> {
  if (Array.isArray(value)) {
    for (const one of value) yield* walk(one, above);
  } else if (isRecord(value)) {
    const own: Fields = {};
    for (const [name, inner] of Object.entries(value)) {
      const field = FIELD_OF[plain(name)];
      if (field !== undefined && textField(inner) !== '') own[field] = textField(inner).trim();
    }
    if (own.address !== undefined) yield { ...above, ...own };
    else
      for (const [key, inner] of Object.entries(value)) yield* walk(inner, { ...above, ...own, ...fieldsOfWord(key) });
  } else if (typeof value === 'string' && above.token !== undefined) yield { ...above, address: value };
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_]/g, '');

function fieldsOfWord(word: string): Fields {
  const chain = chainNamed(word);
  if (chain !== null) return { chain };
  return ISSUERS[word.toUpperCase()] ? { token: word.toUpperCase() } : {};
}

/** Chain and token that the name of a file has between its marks, such as `usdt-tron-blacklist.csv`. */
function fieldsOfName(name: string): Fields {
  const words = name.replace(/^.*\//, '').split(/[^A-Za-z0-9]+/);
  return Object.assign({}, ...words.map(fieldsOfWord)) as Fields;
}

function toLabel(fields: Fields, row: number, tally: Tally): ListedLabel | null {
  const refuse = (reason: string) => {
    tally.skip(row, reason);
    return null;
  };
  const { address: given = '', chain: chainText, token: tokenText, at: atText, until: untilText, event = '' } = fields;
  if (NONE.test(event)) return refuse(`${shown(event)} does not freeze`);
  const contract = CONTRACTS.get((tokenText ?? '').toLowerCase());
  const token = contract?.symbol ?? (tokenText ?? '').toUpperCase();
  if (!SYMBOL.test(token)) return refuse(`not a token: ${shown(tokenText ?? '')}`);
  const address = listedAddress(given, row, tally);
  const stated = chainText === undefined ? null : chainNamed(chainText);
  if (chainText !== undefined && stated === null) return refuse(`unsupported chain: ${shown(chainText)}`);
  const chain = stated ?? contract?.chain ?? labelChainOf(address);
  if (chain === null) return refuse(`${shown(given)} is not an address of a supported chain`);
  const at = atText === undefined ? null : parseMoment(atText);
  if (atText !== undefined && at === null) return refuse(`not a time: ${shown(atText)}`);
  const until = untilText === undefined ? null : parseMoment(untilText);
  if (untilText !== undefined && until === null) return refuse(`not a time: ${shown(untilText)}`);
  const isEnd = ENDS.test(event);
  if (isEnd && at === null) return refuse('it is no longer frozen');
  const issuer = ISSUERS[token];
  const label = labelOf(
    {
      chain,
      address,
      ...FREEZE_REPORT,
      label: `Frozen by ${issuer ?? 'the issuer'} (${token})`,
      source: `freezes:${token} ${chain}`,
      validFrom: at,
      ...(!isEnd && { validTo: until }),
    },
    row,
    tally,
  );
  return label && isEnd ? { ...label, validTo: at } : label;
}

import type { LabelChain } from '../../src/domain/chain.ts';
import type { Category } from '../../src/domain/label.ts';
import type { InputFile } from '../reading/input.ts';
import { textField } from '../reading/json.ts';
import { readLines } from '../reading/lines.ts';
import type { LabelLoader, ListedLabel, Work } from '../reading/loader.ts';
import { parseEnd, parseMoment } from '../reading/moments.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { labelChainOf, labelOf, listedAddress, shown } from './label-row.ts';

const SOURCE = 'opensanctions';
const LINE_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Entities of OpenSanctions in FollowTheMoney's JSON lines: wallets with their holders and the sanctions on either. A wallet that
 * only ended sanctions name is ended too.
 */
export const opensanctionsLoader: LabelLoader = {
  kind: 'labels',
  format: 'entities.ftm.json of OpenSanctions, JSON lines with schema and properties',
  isList: true,
  accepts: (name) => /\.(?:ftm\.)?(?:json|jsonl|ndjson)$/i.test(name),
  read,
  speaksFor: () => [SOURCE],
};

type Properties = Record<string, unknown>;
interface Entity {
  id: string;
  schema: string;
  caption: string;
  properties: Properties;
}
interface SanctionSpan {
  from: number | null;
  to: number | null;
  by: string;
}
interface Wallet extends Entity {
  line: number;
  fileName: string;
}

/**
 * Topics of FollowTheMoney, the gravest first. Who is only linked to a listed party (`sanction.linked`), or listed by a state in
 * answer to sanctions (`sanction.counter`), is not sanctioned.
 */
const TOPICS: readonly [topic: RegExp, category: Category][] = [
  [/^(?:sanction|debarment|export\.control)$/, 'sanctioned'],
  [/^crime\.terror/, 'terrorism'],
  [/^crime\.theft/, 'theft'],
  [/^crime\b/, 'scam'],
  [/^(?:wanted|reg\.warn|reg\.action)\b/, 'scam'],
];

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<ListedLabel> {
  const wallets: Wallet[] = [];
  for await (const { entity, line, problem, file } of entities(files, signal)) {
    if (entity === null) {
      tally.read += 1;
      tally.skip(line, problem);
    } else if (entity.schema === 'CryptoWallet') wallets.push({ ...entity, line, fileName: file.name });
  }
  if (wallets.length === 0) throw new WrongFormatError(`${files[0]!.name}: no entity is a CryptoWallet`);
  // What is said of them stands anywhere in the file: kept for them alone, since it may name millions.
  const wanted = new Set(wallets.flatMap(({ id, properties }) => [id, ...textsOf(properties.holder)]));
  const names = new Map<string, string>();
  const topics = new Map<string, string[]>();
  const sanctions = new Map<string, SanctionSpan[]>();
  for await (const { entity } of entities(files, signal)) {
    if (entity?.schema === 'Sanction') noteSanction(sanctions, wanted, entity.properties);
    else if (entity && entity.schema !== 'CryptoWallet' && wanted.has(entity.id)) {
      names.set(entity.id, entity.caption || firstOf(entity.properties.name));
      topics.set(entity.id, textsOf(entity.properties.topics));
    }
  }
  for (const wallet of wallets) {
    const own = isFolder ? tallyOf(tally, wallet.fileName) : tally;
    own.read += 1;
    const holders = textsOf(wallet.properties.holder);
    const keys = textsOf(wallet.properties.publicKey);
    if (keys.length === 0) {
      own.skip(wallet.line, `${shown(wallet.id)}: a wallet without publicKey`);
      continue;
    }
    const on = [wallet.id, ...holders].flatMap((id) => sanctions.get(id) ?? []);
    const stated = [...textsOf(wallet.properties.topics), ...holders.flatMap((id) => topics.get(id) ?? [])];
    const category = on.length > 0 ? 'sanctioned' : categoryOf(stated);
    if (category === null) {
      for (const topic of stated.length > 0 ? stated : ['(none)']) own.unmapped('topics', topic);
      own.skip(wallet.line, `${shown(keys[0]!)}: no topic says what it is listed for`);
      continue;
    }
    const holder = holders.map((id) => names.get(id) ?? '').find(Boolean) ?? '';
    let isUsed = false;
    const listed = keys.flatMap((key) => {
      const addresses = addressesIn(key, wallet.line, own);
      if (addresses.length === 0) {
        const currency = shown(firstOf(wallet.properties.currency));
        own.note(wallet.line, `${shown(key)} is not an address of a supported chain (${currency})`);
      }
      return addresses;
    });
    for (const { address, chain } of listed) {
      const label = holder || firstOf(wallet.properties.name) || on[0]?.by || 'OpenSanctions';
      const made = labelOf(
        { chain, address, category, label, source: SOURCE, confidence: 95, entity: holder || null, ...spanOf(on) },
        wallet.line,
        own,
      );
      if (made) {
        isUsed = true;
        yield made;
      }
    }
    if (!isUsed) own.skip(wallet.line, `${shown(wallet.id)}: none of its addresses is of a supported chain`);
  }
}

/** The addresses in a text: one, or several with marks between them, beside a code of the currency or a note. */
function addressesIn(text: string, line: number, tally: Tally): { address: string; chain: LabelChain }[] {
  return text.split(/[\s,;()|]+/).flatMap((part) => {
    if (part === '') return [];
    const address = listedAddress(part, line, tally);
    const chain = labelChainOf(address);
    return chain === null ? [] : [{ address, chain }];
  });
}

interface FoundEntity {
  entity: Entity | null;
  line: number;
  problem: string;
  file: InputFile;
}

/** Every line of all files. Throws WrongFormatError where the first of a file is not an entity. */
async function* entities(files: readonly InputFile[], signal?: AbortSignal): AsyncGenerator<FoundEntity> {
  for (const file of files) {
    let isOfFormat = false;
    for await (const lines of readLines(file, signal, LINE_LENGTH_MAX)) {
      for (const { number: line, text, problem } of lines) {
        if (problem === null && text.trim() === '') continue;
        const entity = problem === null ? entityOf(text) : null;
        if (entity === null && !isOfFormat) {
          throw new WrongFormatError(`${file.name}: line ${line} is not an entity of FollowTheMoney`);
        }
        isOfFormat = true;
        yield { entity, line, problem: problem ?? 'not an entity of FollowTheMoney', file };
      }
    }
    if (!isOfFormat) throw new WrongFormatError(`${file.name}: empty`);
  }
}

function entityOf(text: string): Entity | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const { properties } = value ?? {};
    if (typeof value?.schema !== 'string' || typeof value.id !== 'string') return null;
    if (properties === null || typeof properties !== 'object') return null;
    return {
      id: value.id,
      schema: value.schema,
      caption: textField(value.caption),
      properties: properties as Properties,
    };
  } catch {
    return null;
  }
}

function noteSanction(
  sanctions: Map<string, SanctionSpan[]>,
  wanted: ReadonlySet<string>,
  { entity, startDate, listingDate, endDate, authority, program }: Properties,
): void {
  const from = parseMoment(firstOf(listingDate) || firstOf(startDate));
  const to = parseEnd(firstOf(endDate));
  const by = firstOf(authority) || firstOf(program);
  for (const id of textsOf(entity))
    if (wanted.has(id)) sanctions.set(id, [...(sanctions.get(id) ?? []), { from, to, by }]);
}

/** From the first day that one of them states to the last, where all have ended. */
function spanOf(on: readonly { from: number | null; to: number | null }[]) {
  if (on.length === 0) return {};
  const days = on.map(({ from }) => from);
  const ends = on.map(({ to }) => to);
  const validFrom = days.includes(null) ? null : Math.min(...days.map(Number));
  return { validFrom, validTo: ends.includes(null) ? null : Math.max(...ends.map(Number)) };
}

function categoryOf(topics: readonly string[]): Category | null {
  return TOPICS.find(([pattern]) => topics.some((topic) => pattern.test(topic)))?.[1] ?? null;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(textField).filter(Boolean);
const firstOf = (value: unknown): string => textsOf(value)[0] ?? '';

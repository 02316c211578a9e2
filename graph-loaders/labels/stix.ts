import { adverseCategory } from '../../src/domain/adverse-words.ts';
import { addToGroup } from '../../src/domain/group-by.ts';
import type { Category } from '../../src/domain/label.ts';
import { timeSlices } from '../../src/fairness/time-slices.ts';
import type { InputFile } from '../reading/input.ts';
import { smallNumber, textField } from '../reading/json.ts';
import { parseMoment } from '../reading/moments.ts';
import { isRecord, type JsonStatement, jsonLabelLoader, recordsOf } from './json-statements.ts';

/** Observables that stand for an address, by the names that feeds give them; STIX itself has none. */
const WALLET = /crypto|wallet|coin|blockchain|\bbtc\b|\beth\b|\bxmr\b/i;
const NO_WALLET = /transaction|cryptographic/i;
const ADDRESS_FIELDS = ['value', 'address', 'wallet_address', 'address_value', 'x_misp_value'];
/** A comparison of a pattern: `type:path = 'value'` or `type:path IN ('value', …)`. */
const COMPARISON =
  /([a-z0-9-]{1,64}):([a-z0-9_.'-]{1,64})\s{0,9}(NOT\s{1,9})?(!=|=|IN)\s{0,9}(\((?:[^()']|'(?:[^'\\]|\\.)*')*\)|'(?:[^'\\]|\\.)*')/gi;
const QUOTED = /'((?:[^'\\]|\\.)*)'/g;
/** Objects that accuse whatever they are related to. */
const ACCUSING_TYPES = ['malware', 'threat-actor', 'intrusion-set', 'campaign', 'attack-pattern', 'incident'];
const CONFIDENCE = 70;
const PATTERN_LENGTH_MAX = 20_000;

/**
 * Objects of STIX 2: indicators whose pattern names a wallet, and wallets that feeds describe by objects of their own. What an
 * object is withdraws or bounds itself (`revoked`, `valid_until`), so that nothing ends by lacking in a later bundle.
 */
export const stixLoader = jsonLabelLoader({
  format: 'a bundle of STIX 2 as JSON, with indicators or wallets as objects',
  isList: false,
  accepts: (name) => /\.(?:json|stix2?)$/i.test(name),
  statements: (document, file) => {
    const objects = objectsOf(document);
    return objects && statementsOf(objects, file);
  },
  mark: 'no objects of STIX',
});

type Fields = Record<string, unknown>;
type Pause = ReturnType<typeof timeSlices>;

/** Objects of a bundle, of a page of a TAXII server or of a bare list. */
function objectsOf(document: unknown): Fields[] | null {
  const objects = recordsOf(isRecord(document) && 'objects' in document ? document.objects : document);
  const isStix = objects.some(({ type, id }) => typeof type === 'string' && textField(id).startsWith(`${type}--`));
  return isStix ? objects : null;
}

async function* statementsOf(objects: readonly Fields[], file: InputFile): AsyncGenerator<JsonStatement> {
  const pause = timeSlices();
  const context = await contextOf(objects, pause);
  const stem = file.name.replace(/^.*\//, '').replace(/\.\w+$/, '');
  const wallets: { object: Fields; address: string }[] = [];
  for (const object of objects) {
    await pause();
    for (const address of addressesOf(object)) wallets.push({ object, address });
  }
  // An indicator says more than the wallet that it is based on.
  const indicated = new Set(wallets.flatMap(({ object, address }) => (object.type === 'indicator' ? [address] : [])));
  for (const { object, address } of wallets) {
    await pause();
    if (object.type !== 'indicator' && indicated.has(address)) continue;
    const publisher = context.names.get(textField(object.created_by_ref)) ?? '';
    const around = context.around.get(textField(object.id)) ?? [];
    const holder = context.names.get(textField(object.holder_ref)) ?? '';
    const named = around.find(({ type }) => ACCUSING_TYPES.includes(textField(type)));
    const stated = textField(object.confidence) === '' ? null : smallNumber(object.confidence);
    yield {
      address,
      ticker: tickerOf(object),
      category: categoryOf(object, around),
      label: textField(object.name).trim() || textField(named?.name).trim() || holder || 'STIX indicator',
      source: `stix:${publisher || stem}`,
      confidence: stated ?? CONFIDENCE,
      entity: holder || null,
      ...daysOf(object),
      ...(object.revoked === true && parseMoment(textField(object.modified)) === null && { refusal: 'it is revoked' }),
    };
  }
}

interface BundleContext {
  /** Names of identities, by id. */
  names: Map<string, string>;
  /** Objects that are related to an object, or that group it, by its id. */
  around: Map<string, Fields[]>;
}

async function contextOf(objects: readonly Fields[], pause: Pause): Promise<BundleContext> {
  const byId = new Map(objects.map((object) => [textField(object.id), object]));
  const names = new Map<string, string>();
  const around = new Map<string, Fields[]>();
  const join = (id: string, other: Fields | undefined) => other && addToGroup(around, id, other);
  for (const object of objects) {
    await pause();
    const id = textField(object.id);
    if (object.type === 'identity') names.set(id, textField(object.name).trim());
    if (object.type === 'relationship') {
      const [source, target] = [textField(object.source_ref), textField(object.target_ref)];
      join(source, byId.get(target));
      // A wallet is what an indicator is based on, or what malware pays to.
      join(target, byId.get(source));
    }
    for (const ref of refsOf(object.object_refs)) if (object.type !== 'bundle') join(ref, object);
  }
  return { names, around };
}

const refsOf = (refs: unknown): string[] => (Array.isArray(refs) ? refs.map(textField) : []);

/** Addresses that an object names; none for an object of another kind. */
function addressesOf(object: Fields): string[] {
  const type = textField(object.type);
  if (type === 'indicator') return addressesOfPattern(textField(object.pattern));
  if (type === 'x-misp-object') return recordsOf(object.x_misp_attributes).filter(isCoinAttribute).map(addressOf);
  if (!WALLET.test(type) || NO_WALLET.test(type)) return [];
  const value = ADDRESS_FIELDS.map((field) => textField(object[field]).trim()).find(Boolean);
  return value === undefined ? [] : [value];
}

const addressOf = ({ value }: Fields): string => textField(value).trim();
const isCoinAttribute = ({ type }: Fields): boolean => /^(?:btc|xmr|dash|eth)$/i.test(textField(type));

function addressesOfPattern(pattern: string): string[] {
  if (pattern.length > PATTERN_LENGTH_MAX) return [];
  const found: string[] = [];
  for (const [, type = '', path = '', isNot, operator, operand = ''] of pattern.matchAll(COMPARISON)) {
    if (isNot || operator === '!=' || !WALLET.test(`${type} ${path}`) || NO_WALLET.test(type)) continue;
    if (!ADDRESS_FIELDS.includes(path.replace(/^.*\./, '').replaceAll("'", ''))) continue;
    for (const [, literal = ''] of operand.matchAll(QUOTED)) found.push(literal.replace(/\\(.)/g, '$1').trim());
  }
  return [...new Set(found)].filter((text) => text !== '');
}

/** The currency that an object names beside its address; empty without one. */
function tickerOf(object: Fields): string {
  const fields = [object.currency, object.currency_type, object.symbol, object.ticker, object.blockchain];
  return fields.map((field) => textField(field).trim()).find(Boolean) ?? '';
}

/** Returns the category that the words of an object and its relations name; null for a wallet of which nothing says what it did. */
function categoryOf(object: Fields, around: readonly Fields[]): Category | null {
  const words = [object, ...around].flatMap((one) => [
    textField(one.name),
    ...['labels', 'indicator_types', 'malware_types', 'threat_actor_types', 'report_types'].flatMap((field) =>
      refsOf(one[field]),
    ),
  ]);
  const kinds = object.type === 'indicator' ? refsOf(object.indicator_types) : [];
  if (kinds.includes('benign') || kinds.includes('compromised')) return null;
  const accused = adverseCategory(words.join('\n'));
  if (accused !== null) return accused;
  if (kinds.includes('anonymization')) return 'mixer';
  // Attributes and objects of MISP are what its loader takes for indicators.
  const isIndicator = object.type === 'indicator' || textField(object.type).startsWith('x-misp-object');
  const isAccused = isIndicator || around.some(({ type }) => ACCUSING_TYPES.includes(textField(type)));
  return isAccused ? 'scam' : null;
}

/** From when to when an indicator holds; one that was revoked has ended when it was last changed. */
function daysOf(object: Fields) {
  const moment = (value: unknown) => parseMoment(textField(value));
  const validFrom = object.type === 'indicator' ? moment(object.valid_from) : null;
  const revokedAt = object.revoked === true ? moment(object.modified) : null;
  const validTo = revokedAt ?? moment(object.valid_until);
  return { validFrom, validTo: validTo !== null && validTo <= (validFrom ?? 0) ? (validFrom ?? 0) + 1 : validTo };
}

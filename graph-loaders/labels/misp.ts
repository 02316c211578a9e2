import { adverseCategory } from '../../src/domain/adverse-words.ts';
import { textField } from '../reading/json.ts';
import { OFAC_TICKERS } from '../reading/tickers.ts';
import { isRecord, type JsonStatement, jsonLabelLoader, recordsOf } from './json-statements.ts';

/** Attributes of objects whose value may be an address of any chain. */
const ADDRESS_RELATION = /address|wallet/i;
const COIN_OBJECT = /coin|wallet|crypto|blockchain|ransom/i;
/** Tags with which an event takes its attributes back. */
const HARMLESS_TAG = /false.?positive|whitelist|benign/i;

/**
 * Events of MISP: attributes that are addresses of a digital currency, alone or in objects. Each event is a list of its own, so
 * that a newer version of it ends what it no longer names.
 */
export const mispLoader = jsonLabelLoader({
  format: 'events of MISP as JSON, with attributes such as btc',
  isList: true,
  accepts: (name) => /\.json$/i.test(name),
  statements: (document) => {
    const events = eventsOf(document);
    return events && statementsOf(events);
  },
  mark: 'no event of MISP',
});

type Fields = Record<string, unknown>;

/** The events of an export, of a feed's file or of a search; attributes that were searched for alone have theirs beside them. */
function eventsOf(document: unknown): Fields[] | null {
  const answer = isRecord(document) && 'response' in document ? document.response : document;
  const found = (Array.isArray(answer) ? answer : [answer]).filter(isRecord);
  const events = found.flatMap(({ Event }) => (isRecord(Event) ? [Event] : []));
  if (events.length > 0) return events;
  const attributes = found.flatMap(({ Attribute }) => recordsOf(Attribute));
  const isSearch = attributes.some((attribute) => 'type' in attribute && 'value' in attribute);
  return isSearch ? attributes.map((attribute) => eventOfAttribute(attribute)) : null;
}

function eventOfAttribute(attribute: Fields): Fields {
  const event = isRecord(attribute.Event) ? attribute.Event : {};
  return { ...event, uuid: event.uuid ?? attribute.event_id, Attribute: [attribute] };
}

function* statementsOf(events: readonly Fields[]): Generator<JsonStatement> {
  for (const event of events) {
    const publisher = isRecord(event.Orgc) ? textField(event.Orgc.name) : '';
    const source = `misp:${[publisher, textField(event.uuid) || textField(event.id)].filter(Boolean).join(' ')}`;
    const info = textField(event.info).trim();
    for (const { attribute, object } of attributesOf(event)) {
      const ticker = tickerOf(attribute, object);
      if (ticker === null) continue;
      const tags = [...namesOf(event.Tag), ...namesOf(attribute.Tag)];
      const words = [info, textField(attribute.comment), object, ...tags].join('\n');
      yield {
        address: textField(attribute.value),
        ticker,
        // What an event names is an indicator of what it reports.
        category: adverseCategory(words) ?? 'scam',
        label: textField(attribute.comment).trim() || info || 'MISP event',
        source,
        confidence: 70,
        ...(tags.some((tag) => HARMLESS_TAG.test(tag)) && { refusal: 'the event takes it back by a tag' }),
      };
    }
  }
}

function* attributesOf(event: Fields): Generator<{ attribute: Fields; object: string }> {
  for (const attribute of recordsOf(event.Attribute)) yield { attribute, object: '' };
  for (const object of recordsOf(event.Object)) {
    if (isDeleted(object)) continue;
    for (const attribute of recordsOf(object.Attribute)) yield { attribute, object: textField(object.name) };
  }
}

const isDeleted = ({ deleted }: Fields) => deleted === true || deleted === '1';

/** The code of the currency of which an attribute is an address, empty where only its object says that it is one; null for another. */
function tickerOf(attribute: Fields, object: string): string | null {
  if (isDeleted(attribute)) return null;
  const type = textField(attribute.type).toUpperCase();
  if (Object.hasOwn(OFAC_TICKERS, type)) return type;
  const relation = textField(attribute.object_relation);
  const isAddress = type === 'TEXT' && COIN_OBJECT.test(object) && ADDRESS_RELATION.test(relation);
  return isAddress ? '' : null;
}

const namesOf = (tags: unknown): string[] => recordsOf(tags).map(({ name }) => textField(name));

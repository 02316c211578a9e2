import { groupBy } from '../../domain/group-by.ts';

/**
 * The one rule: a text of an answer is a third party's, unless its field is one in which the service itself speaks (ids, codes,
 * addresses and sentences, below), it is a word of the API's own vocabulary, or its form is harmless. Sentences of the service
 * quote: what they quote from elsewhere in the answer, or between double quotes, is a third party's.
 */
const OWN = new Set(
  (
    'address address_a address_b token_address from to from_address to_address counterparty counterparties owner ' +
    'path tx_hash sample_tx_hash evidence scan_id crossing_id message_id generation_id model_sha256 rule_set_version chain protocol ' +
    'population detector_id detections pattern_id family variant counted_in suppressed_by sources_failed status_url ' +
    'results_url detail_url file cypher'
  ).split(' '),
);
/** Sentences of the service, which may quote. */
const SENTENCES = new Set('description detector_name name reasons reason note level_note error_message'.split(' '));
/** In these objects people write even into such fields: a case, a judgement, an entry of a timeline or history, a confirmed match. */
const WRITTEN_BY_PEOPLE = ['assignee', 'author', 'by', 'decision', 'action'];
const QUOTED = /"(?:[^"\\]|\\.)*"/y;
/** One ASCII word, as of most coins; a number; a moment; an id; an address, also after a symbol and a colon or point. An address has digits. */
const HARMLESS =
  /^(?:|[\w.$-]{1,12}|-?\d+(?:\.\d+)?%?|[\d:.TZ-]{10,30}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:[\w.$-]{1,12}[:.])?(?:0x[0-9a-fA-F]{40,64}|(?=(?:\D*\d){4})[1-9A-HJ-NP-Za-km-z]{25,64}))$/;
/** Their keys are symbols of tokens. */
const BY_ASSET = new Set(['assets', 'balance', 'value_by_asset', 'sent', 'received', 'unattributed']);

/** Texts are looked up by so many first characters. */
const START = 2;

type Json = string | number | boolean | null | Json[] | { [field: string]: Json };
type Voice = 'own' | 'sentence' | 'third party';

/**
 * Moves third-party text of a JSON answer into its field `third_party_text`, and leaves a mark such as `⟦T1⟧` in its place:
 * no such text can pass for words of the service. `vocabulary` holds the values of the enums of the API.
 */
export function markThirdPartyText(answer: string, vocabulary: ReadonlySet<string>): string {
  const marks = new Map<string, string>();
  const markOf = (text: string) => {
    const mark = marks.get(text) ?? `⟦T${marks.size + 1}⟧`;
    marks.set(text, mark);
    return mark;
  };
  const isOwn = (text: string) => HARMLESS.test(text) || vocabulary.has(text);

  const markTexts = (value: Json, voice: Voice, isByAsset = false): Json => {
    if (typeof value === 'string') return voice !== 'third party' || isOwn(value) ? value : markOf(value);
    if (Array.isArray(value)) return value.map((item) => markTexts(item, voice));
    if (value === null || typeof value !== 'object') return value;
    return mapFields(value, (field, content) => [
      isByAsset && !isOwn(field) ? markOf(field) : field,
      markTexts(content, voiceOf(field, value), BY_ASSET.has(field)),
    ]);
  };

  /** Once from left to right: no mark is read again, and the time does not grow with the number of texts. */
  const markSentence = (sentence: string, knownAt: TextFinder): string => {
    let marked = '';
    for (let at = 0; at < sentence.length; ) {
      const known = knownAt(sentence, at);
      QUOTED.lastIndex = at;
      const quoted = known === null && sentence[at] === '"' ? QUOTED.exec(sentence)?.[0] : undefined;
      if (known !== null) marked += markOf(known);
      else if (quoted && !isOwn(unquoted(quoted))) marked += `"${markOf(unquoted(quoted))}"`;
      else marked += quoted ?? sentence[at];
      at += (known ?? quoted ?? ' ').length;
    }
    return marked;
  };

  /** Afterwards, when all that may be quoted is known. */
  const markQuotes = (value: Json, voice: Voice, knownAt: TextFinder): Json => {
    if (typeof value === 'string') return voice === 'sentence' ? markSentence(value, knownAt) : value;
    if (Array.isArray(value)) return value.map((item) => markQuotes(item, voice, knownAt));
    if (value === null || typeof value !== 'object') return value;
    return mapFields(value, (field, content) => [field, markQuotes(content, voiceOf(field, value), knownAt)]);
  };

  const parsed = JSON.parse(answer) as Json;
  const marked = markTexts(parsed, 'third party');
  const whole = markQuotes(marked, 'third party', findTexts([...marks.keys()].filter(canSpeak)));
  if (marks.size === 0 || whole === null || typeof whole !== 'object' || Array.isArray(whole)) return answer;
  const texts = Object.fromEntries([...marks].map(([text, name]) => [name, text]));
  return JSON.stringify({ ...whole, third_party_text: texts });
}

/** The longest text that stands at this place of a sentence. */
type TextFinder = (sentence: string, at: number) => string | null;

function findTexts(texts: readonly string[]): TextFinder {
  const known = new Set(texts);
  const byStart = groupBy(texts, (text) => text.slice(0, START));
  const lengths = new Map(
    [...byStart].map(([start, some]) => [start, [...new Set(some.map(({ length }) => length))].sort((a, b) => b - a)]),
  );
  return (sentence, at) => {
    for (const length of lengths.get(sentence.slice(at, at + START)) ?? []) {
      const text = sentence.slice(at, at + length);
      if (known.has(text)) return text;
    }
    return null;
  };
}

/** A single character, or none but punctuation, says nothing: its mark in place of each blank would hide the sentence. */
function canSpeak(text: string): boolean {
  return text.length >= START && /[\p{L}\p{N}]/u.test(text);
}

function voiceOf(field: string, object: { [field: string]: Json }): Voice {
  if (OWN.has(field)) return 'own';
  return SENTENCES.has(field) && !WRITTEN_BY_PEOPLE.some((one) => one in object) ? 'sentence' : 'third party';
}

function mapFields(object: { [field: string]: Json }, map: (field: string, content: Json) => [string, Json]): Json {
  return Object.fromEntries(Object.entries(object).map(([field, content]) => map(field, content)));
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

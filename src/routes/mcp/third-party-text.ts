/** Fields whose text comes from lists, chains, reporters or analysts, or may quote it in a way that nothing else shows. */
const FOREIGN = new Set(
  (
    'label entity entities names asset from_asset to_asset token_symbol tokens title content investigator_notes ' +
    'assignee author reason reasons method domains evidence_url summary note measured thresholds'
  ).split(' '),
);
/** Prose of the service that quotes such fields of the same object. */
const QUOTING = 'description';
/** One ASCII word, as of most coins; a moment; an address, also after a symbol and a colon. An address has digits. */
const HARMLESS =
  /^(?:[\w.$-]{1,12}|[\d:.TZ-]{10,30}|(?:[\w.$-]{1,12}:)?(?:0x[0-9a-fA-F]{40,64}|(?=(?:\D*\d){4})[1-9A-HJ-NP-Za-km-z]{25,64}))$/;
/** Their keys are symbols of tokens. */
const BY_ASSET = new Set(['assets', 'balance', 'value_by_asset', 'sent', 'received']);

type Json = string | number | boolean | null | Json[] | { [field: string]: Json };

/**
 * Moves third-party text of a JSON answer into its field `third_party_text`, and leaves a mark such as `⟦T1⟧` in its place,
 * also where prose quotes it: no such text can pass for words of the service.
 */
export function markThirdPartyText(answer: string): string {
  const marks = new Map<string, string>();
  const markOf = (text: string) => {
    const mark = marks.get(text) ?? `⟦T${marks.size + 1}⟧`;
    marks.set(text, mark);
    return mark;
  };

  /** `quotable` gathers the texts of the object around, longest first when they are replaced. */
  const mark = (value: Json, isForeign: boolean, quotable: Set<string>, isByAsset = false): Json => {
    if (typeof value === 'string') {
      if (!isForeign || HARMLESS.test(value) || value === '') return value;
      quotable.add(value);
      return markOf(value);
    }
    if (Array.isArray(value)) return value.map((item) => mark(item, isForeign, quotable));
    if (value === null || typeof value !== 'object') return value;
    const own = new Set<string>();
    const isCase = 'assignee' in value;
    const fields = Object.entries(value).map(([field, content]): [string, Json] => {
      const isKnown = !isByAsset || HARMLESS.test(field);
      if (!isKnown) own.add(field);
      const isOfOthers = isForeign || FOREIGN.has(field) || (isCase && field === QUOTING);
      return [isKnown ? field : markOf(field), mark(content, isOfOthers, own, BY_ASSET.has(field))];
    });
    const marked = Object.fromEntries(fields);
    const prose = marked[QUOTING];
    if (typeof prose === 'string' && !isCase) {
      const longestFirst = [...own].sort((a, b) => b.length - a.length);
      marked[QUOTING] = longestFirst.reduce((text, quoted) => text.replaceAll(quoted, () => markOf(quoted)), prose);
    }
    for (const text of own) quotable.add(text);
    return marked;
  };

  const marked = mark(JSON.parse(answer) as Json, false, new Set());
  if (marks.size === 0 || marked === null || typeof marked !== 'object' || Array.isArray(marked)) return answer;
  const texts = Object.fromEntries([...marks].map(([text, name]) => [name, text]));
  return JSON.stringify({ ...marked, third_party_text: texts });
}

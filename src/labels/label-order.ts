import { ADVERSE_CATEGORIES, type Category, isAdverseCategory, isValidAt, type Label } from '../domain/label.ts';

/**
 * Which of several labels of an address is shown and acted on; the first difference decides:
 * 1. valid at the moment
 * 2. `sanctioned`
 * 3. an adverse category from an official, then from a verified source
 * 4. a category other than `other` and `unknown`
 * 5. higher confidence
 * 6. more sources for the same category
 * 7. adverse before neutral, then source, label and first day, so that the order is never left to chance
 */
export function orderLabels(labels: readonly Label[], at: number): Label[] {
  if (labels.length < 2) return [...labels];
  const agreeing = countAgreeing(labels, at);
  const ranked = labels.map((label) => ({ label, rank: rankOf(label, at, agreeing.get(label.category)?.size ?? 0) }));
  ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  return ranked.map(({ label }) => label);
}

const SAYS_NOTHING: readonly Category[] = ['other', 'unknown'];

/** Whoever puts an address under sanctions, in its own words. */
export const OFFICIAL_SOURCES: readonly string[] = ['ofac', 'ofac-list'];

/** Sources whose adverse statements count before a higher confidence elsewhere: 2 official, 1 verified. */
const STANDING = new Map<string, number>([
  ...OFFICIAL_SOURCES.map((source) => [source, 2] as const),
  ...['scamsniffer', 'darklist', 'forta', 'scamdb'].map((source) => [source, 1] as const),
]);

type Rank = (number | string)[];

function rankOf(label: Label, at: number, agreeing: number): Rank {
  const adverse = isAdverseCategory(label.category);
  return [
    isValidAt(label, at) ? 0 : 1,
    label.category === 'sanctioned' ? 0 : 1,
    adverse ? -(STANDING.get(sourceFamily(label.source)) ?? 0) : 0,
    SAYS_NOTHING.includes(label.category) ? 1 : 0,
    -label.confidence,
    -agreeing,
    adverse ? ADVERSE_CATEGORIES.indexOf(label.category) : ADVERSE_CATEGORIES.length,
    label.source,
    label.label,
    label.validFrom ?? 0,
    label.category,
    label.chain,
  ];
}

function compareRanks(a: Rank, b: Rank): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i]! < b[i]!) return -1;
    if (a[i]! > b[i]!) return 1;
  }
  return 0;
}

function countAgreeing(labels: readonly Label[], at: number): Map<Category, Set<string>> {
  const sources = new Map<Category, Set<string>>();
  for (const label of labels) {
    if (!isValidAt(label, at)) continue;
    if (!sources.has(label.category)) sources.set(label.category, new Set());
    sources.get(label.category)!.add(sourceFamily(label.source));
  }
  return sources;
}

/** `forta:1/phishing_scams` and `forta:10/…` are one source that speaks in several lists. */
export function sourceFamily(source: string): string {
  const colon = source.indexOf(':');
  return colon === -1 ? source : source.slice(0, colon);
}

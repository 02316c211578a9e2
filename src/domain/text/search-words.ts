const WORDS_MAX = 10;
/** Text indexes hold three characters at a time. */
const INDEXED_LENGTH = 3;

/** Text as it is compared: width, ligatures and case do not count (NFKC, lower case). */
export function foldForSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The distinct words of a query, folded; at most ten. */
export function searchWords(query: string): string[] {
  return [...new Set(foldForSearch(query).split(/\s+/u).filter(Boolean))].slice(0, WORDS_MAX);
}

/** True where an index finds a word of the query, so that not every text has to be read. */
export function hasIndexedWord(query: string): boolean {
  return searchWords(query).some((word) => [...word].length >= INDEXED_LENGTH);
}

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** Endings of words, and marks that close or stand between two parts: no line begins with them. */
const JOINED = /^[\u3041-\u309fー々、。，．・：；？！…〜–）〕］｝〉》」』】％\u00a0)\]}%+,.;:!?]/;
/** Words in hiragana that begin a phrase all the same. */
const BEGINNING = new Set(
  'この その これ それ これら それら また または および すべて ただし ほか なお うち いずれ'.split(' '),
);
/** Marks that open: no line ends with them. */
const OPEN = /[（〔［｛〈《「『【〜([{+$\u00a0]$/;
/** Two parts of one word: a figure and what it counts, a date, a time, a word with the sign before or after it, a name in katakana. */
const WITHIN =
  /\d[:.,–]_\d|\d_[\u30a0-\u30ff\u4e00-\u9fff]|[年月]_\d|[\u4e00-\u9fff]_[\u4e00-\u9fff]$|^[\u4e00-\u9fff]_[\u4e00-\u9fff]|[ァ-ー]_[ァ-ー]/;
/** Longer words may be broken. */
const WORD_MAX = 14;

let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the parts of a Japanese text between which a line may end: a word with its particles and endings, and the marks around it.
 * Null for other texts, which have blanks.
 */
export function phrasesOf(text: string): string[] | null {
  if (!isJapanese(text)) return null;
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  const phrases: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const before = phrases.at(-1);
    if (before !== undefined && areOne(before, segment)) phrases[phrases.length - 1] = before + segment;
    else phrases.push(segment);
  }
  return phrases;
}

export function isJapanese(text: string): boolean {
  return JAPANESE.test(text);
}

function areOne(before: string, next: string): boolean {
  if (next.trim() === '' || OPEN.test(before) || (JOINED.test(next) && !BEGINNING.has(next))) return true;
  return before.length + next.length <= WORD_MAX && WITHIN.test(`${before}_${next}`);
}

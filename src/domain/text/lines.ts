/** Returns how wide a text is in one line. */
type Measure = (text: string, size: number) => number;

/** The text, cut where it would be wider than `width`. */
export function cutToWidth(text: string, width: number, size: number, measure: Measure = widthOfText): string {
  const characters = [...text];
  let used = 0;
  const tooFar = characters.findIndex((character) => {
    used += measure(character, size);
    return used > width;
  });
  return tooFar < 0
    ? text
    : begun(
        characters
          .slice(0, Math.max(1, tooFar - 1))
          .join('')
          .trimEnd(),
      );
}

/** Letters that are read from right to left. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Marks the beginning of a text as such, on the side on which it goes on: at the left behind letters that are read from right to left. */
export function begun(beginning: string): string {
  const last = [...beginning].findLast((character) => /\p{L}/u.test(character)) ?? '';
  return LEFTWARDS.test(last) ? `${beginning}…\u200f` : `${beginning}…`;
}

/** The lines of a text that is at most `width` wide, broken between words where there are some, and between phrases of Japanese. */
export function wrapped(text: string, width: number, size: number, measure: Measure = widthOfText): string[] {
  return wrappedBy(text, width, (part) => measure(part, size));
}

/** The same by a measure of its own; `indent` is taken from the first line. */
export function wrappedBy(text: string, width: number, measure: (part: string) => number, indent = 0): string[] {
  const lines: string[] = [];
  let line = '';
  let used = indent;
  const add = (part: string) => {
    const needed = measure(part.trimEnd());
    if (used + needed > width && line !== '') {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    line += part;
    used += part.endsWith(' ') ? measure(part) : needed;
  };
  // A name with a list in wide brackets behind it ends its line before them.
  for (const part of phrasesOf(text) ?? text.split(/(?<= )|(?=（)/)) {
    // A word that is wider than a line is broken where the line ends.
    if (measure(part.trimEnd()) <= width) add(part);
    else for (const character of part) add(character);
  }
  return [...lines, line.trimEnd()];
}

/** Breaks a text into `linesMax` lines at most; the last one is cut where more is left. */
export function fitted(
  text: string,
  width: number,
  size: number,
  linesMax: number,
  measure: Measure = widthOfText,
): string[] {
  const lines = wrapped(text, width, size, measure);
  if (lines.length <= linesMax) return lines;
  const kept = lines.slice(0, linesMax - 1);
  const rest = text.slice(kept.reduce((from, line) => text.indexOf(line, from) + line.length, 0)).trimStart();
  return [...kept, cutToWidth(rest, width, size, measure)];
}

/** Estimates the width of a text in one line, where its font is not known. */
export function widthOfText(text: string, size: number): number {
  return [...text].reduce((sum, character) => sum + widthOf(character, size), 0);
}

function widthOf(character: string, size: number): number {
  if ((character.codePointAt(0) ?? 0) >= 0x2e80) return size;
  if (/[fijlrtI.,:;'|!()· ]/.test(character)) return 0.3 * size;
  if (/[mwMW@%…]/.test(character)) return 0.9 * size;
  return (/[A-Z]/.test(character) ? 0.7 : 0.56) * size;
}
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
 *
 * @internal
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

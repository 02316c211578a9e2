import { phrasesOf } from './phrases.ts';

/** The text, cut where it would be wider than `width`. */
export function cutToWidth(text: string, width: number, size: number): string {
  const characters = [...text];
  let used = 0;
  const tooFar = characters.findIndex((character) => {
    used += widthOf(character, size);
    return used > width;
  });
  return tooFar < 0 ? text : `${characters.slice(0, Math.max(1, tooFar - 1)).join('')}…`;
}

/** The lines of a text that is at most `width` wide, broken between words where there are some, and between phrases of Japanese. */
export function wrapped(text: string, width: number, size: number): string[] {
  return wrappedBy(text, width, (part) => widthOfText(part, size));
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

/** The text in at most so many lines; the last one is cut where more is left. */
export function fitted(text: string, width: number, size: number, linesMax: number): string[] {
  const lines = wrapped(text, width, size);
  if (lines.length <= linesMax) return lines;
  const kept = lines.slice(0, linesMax - 1);
  const rest = text.slice(kept.reduce((from, line) => text.indexOf(line, from) + line.length, 0)).trimStart();
  return [...kept, cutToWidth(rest, width, size)];
}

/** The width of a text in one line. */
export function widthOfText(text: string, size: number): number {
  return [...text].reduce((sum, character) => sum + widthOf(character, size), 0);
}

/** An estimate: the font is that of the reader's machine. */
function widthOf(character: string, size: number): number {
  if ((character.codePointAt(0) ?? 0) >= 0x2e80) return size;
  if (/[fijlrtI.,:;'|!()· ]/.test(character)) return 0.3 * size;
  if (/[mwMW@%…]/.test(character)) return 0.9 * size;
  return (/[A-Z]/.test(character) ? 0.7 : 0.56) * size;
}

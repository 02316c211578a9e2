import { isJapanese, wrappedBy } from '../../src/domain/text/lines.ts';
import type { Pdf } from './document.ts';

/** Points by which a line stays shorter, beside the mark of its end, which pdfkit measures as a letter: it is never broken a second time. */
const SPARE = 0.5;

/**
 * Ends the lines of a Japanese text between phrases; the font in use measures them. Other texts are broken at their blanks as they are
 * written. `indent` is taken from the first line.
 */
export function phrased(pdf: Pdf, text: string, width: number, indent = 0): string {
  // Latin names in wide brackets have a place for the end of a line that pdfkit does not know.
  if (!isJapanese(text) && !text.includes('（')) return text;
  const widths = new Map<string, number>();
  const measure = (part: string) => {
    let sum = 0;
    for (const character of part) {
      const known = widths.get(character) ?? pdf.widthOfString(character);
      widths.set(character, known);
      sum += known;
    }
    return sum;
  };
  const room = width - SPARE - pdf.widthOfString('\n');
  const lines = text.split('\n');
  return lines
    .flatMap((line, i) => {
      const [indented, isLast] = [i === 0 ? indent : 0, i === lines.length - 1];
      if (indented + measure(line) <= (isLast ? width : room)) return [line];
      return wrappedBy(line, room, measure, indented);
    })
    .join('\n');
}

import { InvalidInputError } from '../../src/errors.ts';
import { cleanText } from './clean-text.ts';
import { type Delimiter, readTable } from './csv.ts';
import type { InputFile } from './input.ts';
import { newTally } from './tally.ts';

/** The mark before the fraction of a number; the other one stands between thousands. */
export type DecimalMark = '.' | ',';

/**
 * Finds the mark of a table by all numbers in the columns that `numbersOf` names. Where none says it, a dot, but between semicolons:
 * programs write these where the comma stands before fractions. Throws InvalidInputError where nothing says what the mark of a number
 * such as 1.250 is.
 */
export async function decimalMarkOf(
  file: InputFile,
  numbersOf: (header: readonly string[]) => readonly string[],
  signal?: AbortSignal,
): Promise<DecimalMark> {
  let columns: readonly string[] = [];
  let isUsual = false;
  const onHeader = (header: readonly string[], delimiter: Delimiter) => {
    columns = numbersOf(header);
    isUsual = delimiter !== ';';
  };
  const marks = new Set<DecimalMark>();
  let unclear: string | null = null;
  for await (const { cells } of readTable(file, newTally(), onHeader, signal)) {
    if (columns.length === 0) return '.';
    for (const column of columns) {
      const mark = markIn(cells[column] ?? '');
      if (mark === 'either') unclear ??= cells[column]!;
      else if (mark) marks.add(mark);
    }
  }
  if (unclear !== null && marks.size !== 1 && !(isUsual && marks.size === 0)) {
    const reason = marks.size === 0 ? 'no other number says which' : 'other numbers say both';
    throw new InvalidInputError(
      `${file.name}: ${cleanText(unclear).text.slice(0, 80)} may be a fraction or thousands, and ${reason}: save it with commas between its cells and a dot before fractions`,
    );
  }
  return marks.has(',') && marks.size === 1 ? ',' : '.';
}

/** A number with a dot before its fraction, commas between thousands or none, and perhaps its unit. */
const NUMBER = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?(?:e[+-]?\d+)?(?:\s.*)?$/i;

/** The number with a dot before its fraction and nothing between thousands; a text that is not a number stays none. */
export function withPoint(text: string, mark: DecimalMark): string {
  const pointed = mark === '.' ? text : swapped(text);
  return NUMBER.test(pointed) ? pointed.replaceAll(',', '') : pointed;
}

/** Finds the mark of a number by how it is written; null where it has none, or is not a number. */
function markIn(text: string): DecimalMark | 'either' | null {
  const [isPointed, isSwapped] = [NUMBER.test(text), NUMBER.test(swapped(text))];
  if (isPointed && isSwapped) return /[.,]/.test(text) ? 'either' : null;
  if (isPointed) return '.';
  return isSwapped ? ',' : null;
}

function swapped(text: string): string {
  return text.replace(/[.,]/g, (one) => (one === '.' ? ',' : '.'));
}

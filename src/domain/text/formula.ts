/** Matches the beginning of a formula of spreadsheets, in its full-width and small forms too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫−]/u;
/** The same after what separates cells or rows where the comma is the decimal mark. */
const FORMULA_WITHIN = /([;\t\r\n])(?=[ \u3000]?[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;

/**
 * The text of a CSV cell such that no spreadsheet takes it for a formula: what it would is led by an apostrophe. Leading
 * blanks hide a formula from a look and not from a spreadsheet, so they are dropped first.
 */
export function withoutFormula(value: string): string {
  const text = value.trimStart().replace(FORMULA_WITHIN, "$1'");
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Matches a cell that may begin a formula, after apostrophes that its text has itself. */
const LED = /(^|[;\t\r\n])([ \u3000]*)(?='*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫−])/gu;
const UNLED = /(^|[;\t\r\n])([ \u3000]*)'(?='*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫−])/gu;

/** Writes a cell like `withoutFormula`, for a table that is read again: `formulaText` returns exactly what was given. */
export function formulaCell(text: string): string {
  return text.replace(LED, "$1$2'");
}

/** The text of a cell that `formulaCell` wrote. */
export function formulaText(cell: string): string {
  return cell.replace(UNLED, '$1$2');
}

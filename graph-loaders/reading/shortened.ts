import type { Tally } from './tally.ts';

/** A number in powers of ten. */
const POWERS = /^\d(?:[.,](\d*))?e\+?(\d{1,2})$/i;

/** True for `9.63E+20`, as spreadsheets and floating point write long numbers: the digits behind are not known. */
function isShortened(cell: string): boolean {
  const [, fraction = '', power = '0'] = POWERS.exec(cell) ?? [];
  return Number(power) > fraction.length;
}

/** Returns what notes the first number of a file that lacks its last digits. */
export function shortenedNoter(tally: Tally): (line: number, cells: Readonly<Record<string, string>>) => void {
  let isNoted = false;
  return (line, cells) => {
    if (isNoted) return;
    const found = Object.entries(cells).find(([, cell]) => isShortened(cell));
    if (!found) return;
    isNoted = true;
    const [column, cell] = found;
    tally.note(line, `${column} ${cell} may lack its last digits, and so may others: export whole numbers`);
  };
}

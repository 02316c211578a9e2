import { readRecords } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { partyName, type SdnAddress, tickerOf } from './sdn.ts';

/** Columns of `sdn.csv`, which has no header: number, name, kind, programmes, …, remarks. */
const COLUMNS = 12;
const [NUMBER, NAME, PROGRAMMES, REMARKS] = [0, 1, 3, 11] as const;
const ADDRESS = /Digital Currency Address\s*-\s*([\w.-]{2,12})\s+([^\s;]+)/g;

/**
 * Reads the addresses of `sdn.csv` and `sdn_comments.csv`: what the remarks of one cannot hold stands in the other, so each alone
 * lacks addresses. Throws WrongFormatError for one of them alone, and for another file.
 */
export async function readSdnTables(files: readonly InputFile[], signal?: AbortSignal): Promise<SdnAddress[]> {
  const parties = new Map<string, { line: number; name: string; programmes: string[]; remarks: string }>();
  const [tables, overflows] = [files.filter((file) => !isOverflow(file)), files.filter(isOverflow)];
  const [table, overflow] = [tables[0], overflows[0]];
  if (!table || !overflow) {
    const [there, other] = table ? [table.name, 'sdn_comments.csv'] : [overflow!.name, 'sdn.csv'];
    throw new WrongFormatError(`${there}: ${other} has more addresses: load both in one folder or ZIP`);
  }
  for await (const { line, cells } of readRecords(table, signal)) {
    if (cells?.length !== COLUMNS || !/^\d+$/.test(cells[NUMBER]!)) continue;
    const programmes = stated(cells[PROGRAMMES]!).split(/\]\s*\[|;/);
    const codes = programmes.map((code) => code.replace(/[[\]]/g, '').trim()).filter(Boolean);
    const name = partyName(stated(cells[NAME]!), '');
    parties.set(cells[NUMBER]!, { line, name, programmes: codes, remarks: stated(cells[REMARKS]!) });
  }
  if (parties.size === 0) throw new WrongFormatError(`${table.name}: no row is a party of sdn.csv`);
  for await (const { cells } of readRecords(overflow, signal)) {
    const party = parties.get(cells?.[0] ?? '');
    if (party) party.remarks = continued(party.remarks, cells!.slice(1).join(', '));
  }
  return [...parties.values()].flatMap(({ line, name, programmes, remarks }) =>
    [...remarks.matchAll(ADDRESS)].map(([, code = '', address = '']) => {
      const ticker = tickerOf(`Digital Currency Address - ${code}`)!;
      return { line, ticker, address: address.replace(/\.$/, ''), name, designatedAt: null, programmes };
    }),
  );
}

/** Remarks are cut off anywhere, and blanks at the cut are lost: the joint is the one that gives more addresses. */
function continued(remarks: string, rest: string): string {
  const [within, between] = [`${remarks}${rest}`, `${remarks} ${rest}`];
  const countIn = (text: string) => text.match(ADDRESS)?.length ?? 0;
  return countIn(between) > countIn(within) || /[;.]$/.test(remarks) ? between : within;
}

/** True for the files of this form of the list, by their names. */
export const isSdnTable = ({ name }: { name: string }) => /(?:^|\/)sdn(?:_comments)?\.csv$/i.test(name);
const isOverflow = ({ name }: InputFile) => /_comments\.csv$/i.test(name);
const stated = (cell: string) => (cell.trim() === '-0-' ? '' : cell.trim());

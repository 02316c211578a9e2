import papaparse from 'papaparse';
import { CHAINS, type Chain, chainName } from '../../../../src/domain/chain.ts';

interface Line {
  /** 1 for the first. */
  line: number;
  text: string;
}

interface ReadAddress {
  address: string;
  chain?: Chain;
  role?: string;
  label?: string;
}

/** An address of a list, with the line that names it. */
export interface ListedAddress extends ReadAddress, Line {}

interface AddressList {
  /** The line that names the columns of a CSV; null for other text. */
  header: Line | null;
  entries: ListedAddress[];
  /** Lines without an address, or with a chain that is not served. */
  unread: Line[];
}

/** From 25 characters (XRP) to 64 (none is longer); whether it is an address of its chain says the service. */
const ADDRESS = /^[0-9A-Za-z]{25,64}$/;
const BETWEEN = /[\s,;|"'()<>[\]]+/;

/**
 * Reads an address list, line by line: CSV whose header names `address`, and `chain`, `role` and `label` if it likes;
 * or any text, of which each line counts that holds addresses, with the chain that it names. Empty lines are left out.
 */
export function readAddressList(text: string, roles: readonly string[]): AddressList {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((one, at) => ({ line: at + 1, text: one.trim() }))
    .filter((one) => one.text !== '');
  const { delimiter } = papaparse.parse(lines.map((one) => one.text).join('\n'), { preview: 10 }).meta;
  const cellsOf = (line: string) =>
    (papaparse.parse<string[]>(line, { delimiter }).data[0] ?? []).map((one) => one.trim());
  const names = cellsOf(lines[0]?.text ?? '').map((name) => name.toLowerCase());
  const isTable = names.includes('address');
  const list: AddressList = { header: isTable ? lines[0]! : null, entries: [], unread: [] };
  for (const line of isTable ? lines.slice(1) : lines) {
    const found = isTable ? ofCells(names, cellsOf(line.text), roles) : ofText(line.text);
    if (found.length === 0) list.unread.push(line);
    list.entries.push(...found.map((one) => ({ ...line, ...one })));
  }
  return list;
}

function ofCells(names: string[], cells: string[], roles: readonly string[]): ReadAddress[] {
  const value = (name: string) => cells[names.indexOf(name)] || undefined;
  const [address = '', chain] = [value('address'), value('chain')];
  const served = chain === undefined ? undefined : chainOf(chain);
  if (!ADDRESS.test(address) || (chain !== undefined && served === undefined)) return [];
  const role = roles.find((one) => one === value('role')?.toLowerCase());
  return [{ address, chain: served, role, label: value('label')?.slice(0, 200) }];
}

function ofText(line: string): ReadAddress[] {
  const parts = line.split(BETWEEN).map((part) => part.replace(/^.*:(?=.)|[.:!?]+$/g, ''));
  const chain = parts.map(chainOf).find((one) => one !== undefined);
  return parts.filter((part) => ADDRESS.test(part)).map((address) => ({ address, chain }));
}

function chainOf(text: string): Chain | undefined {
  const name = text.toLowerCase();
  return CHAINS.find((chain) => chain === name || chainName(chain).toLowerCase() === name);
}

import { isSisterChain, type LabelChain } from '../../src/domain/chain.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import type { InputFile } from '../reading/input.ts';
import { readJson } from '../reading/json.ts';
import type { LabelLoader, ListedLabel, Work } from '../reading/loader.ts';
import { tallyOf } from '../reading/tally.ts';
import { OFAC_TICKERS } from '../reading/tickers.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { labelChainOf, labelOf, listedAddress, shown } from './label-row.ts';

/** A statement of a document in JSON about one address. */
export interface JsonStatement {
  address: string;
  /** The code of a currency; where it is of a chain that is not supported, the entry is skipped. */
  ticker?: string;
  /** Left out: found by the form of the address. */
  chain?: LabelChain;
  /** Null where nothing says what the address is. */
  category: Category | null;
  label: string;
  source: string;
  confidence: number;
  entity?: string | null;
  validFrom?: number | null;
  validTo?: number | null;
  /** Why the entry cannot be used, whatever its address. */
  refusal?: string;
}

/** A format of labels in JSON. */
export interface JsonLabels {
  format: string;
  isList: boolean;
  accepts: LabelLoader['accepts'];
  speaksFor?: LabelLoader['speaksFor'];
  /** Reads the statements of a document; null for another document. */
  statements(document: unknown, file: InputFile): Iterable<JsonStatement> | AsyncIterable<JsonStatement> | null;
  /** Says what a document of the format has, for the refusal of another. */
  mark: string;
}

/** The loader of a format: a document of another kind is refused, or named where it lies in a folder. */
export function jsonLabelLoader({ statements, mark, ...loader }: JsonLabels): LabelLoader {
  async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<ListedLabel> {
    let isKnown = false;
    for (const file of files) {
      const own = isFolder ? tallyOf(tally, file.name) : tally;
      const found = statements(await readJson(file, signal), file);
      if (found === null && files.length > 1) own.notRead(file.name);
      if (found === null) continue;
      isKnown = true;
      let row = 0;
      for await (const statement of found) {
        own.read += 1;
        row += 1;
        const label = toLabel(statement, row, own);
        if (label) yield label;
      }
    }
    const place = files.length === 1 ? files[0]!.name : `${files.length} files`;
    if (!isKnown) throw new WrongFormatError(`${place}: ${mark}`);
    if (tally.read === 0) throw new WrongFormatError(`${place}: no entry names an address of a digital currency`);
  }
  return { kind: 'labels', ...loader, read };
}

function toLabel(
  { address: given, ticker = '', refusal, category, chain: stated, ...rest }: JsonStatement,
  row: number,
  tally: Parameters<typeof labelOf>[2],
): Label | null {
  const code = ticker.toUpperCase();
  const listedOn = Object.hasOwn(OFAC_TICKERS, code) ? OFAC_TICKERS[code]! : 'several';
  if (listedOn === 'other' || (listedOn !== 'several' && isSisterChain(listedOn))) {
    tally.skip(row, `${shown(given)}: ${code} is not one of the supported chains`);
    return null;
  }
  if (refusal !== undefined) {
    tally.skip(row, `${shown(given)}: ${refusal}`);
    return null;
  }
  const address = listedAddress(given, row, tally);
  const chain = stated ?? labelChainOf(address);
  if (chain === null) {
    tally.skip(row, `${shown(given)} is not an address of a supported chain${code && ` (listed as ${shown(ticker)})`}`);
    return null;
  }
  if (category === null) {
    tally.skip(row, `${shown(given)}: nothing says what it is listed for`);
    return null;
  }
  return labelOf({ ...rest, chain, address, category }, row, tally);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The objects of a list; none for anything else. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

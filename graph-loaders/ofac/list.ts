import { basename } from 'node:path/posix';
import type { Label } from '../../src/domain/label.ts';
import type { InputFile } from '../reading/input.ts';
import { readJson, textField } from '../reading/json.ts';
import { readLines } from '../reading/lines.ts';
import type { LabelLoader, Work } from '../reading/loader.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { sanctionedLabel } from './address.ts';

const FILE = /^sanctioned_addresses_([A-Za-z0-9]{2,10})\.(txt|json)$/;
const SOURCE = 'ofac-list';

/** A folder of OFAC address lists, one file per currency code; a single file only adds. */
export const ofacListLoader: LabelLoader = {
  kind: 'labels',
  format: 'files named sanctioned_addresses_<TICKER>.txt, one address a line, or .json, a list of addresses',
  isList: true,
  accepts: (name) => FILE.test(basename(name)),
  read,
  speaksFor: ({ isFolder }) => (isFolder ? [SOURCE] : []),
};

async function* read({ files, tally, signal }: Work): AsyncGenerator<Label> {
  // Both forms of a list may lie side by side: an entry counts once per code.
  const seen = new Set<string>();
  for (const file of files) {
    const ticker = FILE.exec(basename(file.name))?.[1]?.toUpperCase();
    if (!ticker) throw new WrongFormatError(`${file.name}: expected sanctioned_addresses_<TICKER>.txt or .json`);
    const own = tallyOf(tally, file.name);
    for await (const { line, address } of entries(file, own, signal)) {
      const key = `${ticker} ${address}`;
      if (seen.has(key)) continue;
      seen.add(key);
      own.read += 1;
      const label = sanctionedLabel({ ticker, address, label: 'OFAC SDN list', source: SOURCE }, line, own);
      if (label) yield label;
    }
  }
  if (tally.read === 0) throw new WrongFormatError(`${files[0]!.name}: empty`);
}

async function* entries(
  file: InputFile,
  tally: Tally,
  signal?: AbortSignal,
): AsyncGenerator<{ line: number; address: string }> {
  if (file.name.endsWith('.json')) {
    const list = await readJson(file, signal);
    if (!Array.isArray(list)) throw new WrongFormatError(`${file.name}: expected a JSON list`);
    for (const [index, entry] of list.entries()) yield { line: index + 1, address: textField(entry).trim() };
    return;
  }
  for await (const lines of readLines(file, signal)) {
    for (const { number, text, problem } of lines) {
      if (/^\s*[<{[]/.test(text)) throw new WrongFormatError(`${file.name}: line ${number} is not an address`);
      if (problem) {
        tally.read += 1;
        tally.skip(number, problem);
      } else if (text.trim() !== '') yield { line: number, address: text.trim() };
    }
  }
}

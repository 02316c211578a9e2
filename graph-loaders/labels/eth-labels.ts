import { adverseCategory } from '../../src/domain/adverse-words.ts';
import { type Chain, EVM_CHAIN_IDS, isChain, isEvmChain } from '../../src/domain/chain.ts';
import { type Category, isAdverseCategory, type Label } from '../../src/domain/label.ts';
import { readCsv } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { readAddressList, textField } from '../reading/json.ts';
import { hasEnding, type LabelLoader, type Work } from '../reading/loader.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { EXPLORER_CATEGORIES, EXPLORER_CHAINS } from './explorer-categories.ts';
import { labelOf, listedAddress, shown } from './label-row.ts';

const SOURCE = 'eth-labels';
/** Parts of a path that may name explorer and label. */
const FOLDERS_TELLING = 4;
const CHAIN_BY_ID = new Map<string, Chain>(
  Object.entries(EVM_CHAIN_IDS).map(([chain, id]) => [String(id), chain as Chain]),
);

/**
 * Public explorer tags of the eth-labels data set. The whole set names explorer (or chain id) and label in
 * each row; an older file is one label's list and names both in its path, e.g. `mainnet-2022-exchange.csv`.
 */
export const ethLabelsLoader: LabelLoader = {
  kind: 'labels',
  format: 'CSV with the columns address and nameTag, or a JSON list of objects with these fields',
  isList: true,
  accepts: hasEnding('.csv', '.json'),
  read,
};

interface TagRow {
  line: number;
  cells: Record<string, string>;
}

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<Label> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    for await (const row of rows(file, own, signal)) {
      const label = toLabel(row, file.path, own);
      if (label) yield label;
    }
  }
}

async function* rows(file: InputFile, tally: Tally, signal?: AbortSignal): AsyncGenerator<TagRow> {
  if (!file.name.endsWith('.json')) {
    yield* readCsv(file, ['address', 'nametag'], tally, signal);
    return;
  }
  for (const [index, entry] of (await readAddressList(file, signal)).entries()) {
    tally.read += 1;
    if (entry === null) tally.skip(index + 1, 'not an object');
    else {
      const cells = Object.entries(entry).map(([name, value]) => [name.toLowerCase(), textField(value)]);
      yield { line: index + 1, cells: Object.fromEntries(cells) };
    }
  }
}

function toLabel({ line, cells }: TagRow, path: string, tally: Tally): Label | null {
  const list = listOf(path);
  const given = cells.explorer || cells.chainid || cells.chain_id || '';
  const chain = given === '' ? list.chain : (CHAIN_BY_ID.get(given) ?? EXPLORER_CHAINS[given] ?? given);
  if (!isChain(chain) || !isEvmChain(chain)) {
    tally.skip(line, `unsupported chain: ${shown(given)}`);
    return null;
  }
  const name = cells.label || list.label;
  return labelOf(
    {
      chain,
      address: listedAddress(cells.address ?? '', line, tally),
      category: categoryOf(name, cells.nametag ?? '', tally),
      label: cells.nametag || name || 'explorer tag',
      // One label's list must not end the rows of another's.
      source: cells.label ? SOURCE : `${SOURCE}:${name}`,
      confidence: 80,
    },
    line,
    tally,
  );
}

/** How explorers name those who stole, whatever else they label them. */
const ACCUSING_NAMES: readonly [RegExp, Category][] = [
  [/^OFAC SDN\b/, 'sanctioned'],
  [/\b(?:exploiter|hacker)\b/i, 'theft'],
  [/^Fake_Phishing\d+$|\brug ?pull\b/i, 'scam'],
];
/** Tokens that an issuer blocked: those of others too, which have a name, so that nothing is lost there. */
const BLOCKED = 'blocked';

function categoryOf(label: string, nameTag: string, tally: Tally): Category {
  const known = EXPLORER_CATEGORIES[label] ?? null;
  if (known !== null && isAdverseCategory(known)) return known;
  const named = ACCUSING_NAMES.find(([name]) => name.test(nameTag))?.[1];
  if (label === BLOCKED) return named ?? (nameTag === '' ? 'scam' : 'other');
  if (known === null && label !== '') tally.unmapped('label', label);
  return named ?? known ?? adverseCategory(label) ?? 'other';
}

/** `mainnet-2022-phish-hack.csv`, `mainnet/phish-hack/all.csv` and `Etherscan/phish-hack.json` are the list `phish-hack`. */
function listOf(path: string): { chain: string; label: string } {
  const parts = path
    .replace(/\.(csv|json)$/, '')
    .split('/')
    .slice(-FOLDERS_TELLING);
  const stem = parts.at(-1) === 'all' && parts.length > 1 ? parts.at(-2)! : parts.at(-1)!;
  const dated = /^([a-z]+)-\d{4}-(.+)$/.exec(stem);
  const explorer = (
    dated?.[1] ??
    parts.findLast((part) => part.toLowerCase() in EXPLORER_CHAINS) ??
    'mainnet'
  ).toLowerCase();
  return { chain: EXPLORER_CHAINS[explorer] ?? explorer, label: dated?.[2] ?? stem };
}

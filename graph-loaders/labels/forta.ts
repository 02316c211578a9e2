import { basename } from 'node:path/posix';
import { EVM_CHAIN_IDS } from '../../src/domain/chain.ts';
import { type Category, isAdverseCategory, type Label } from '../../src/domain/label.ts';
import { readCsv } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { hasEnding, type LabelLoader, type Work } from '../reading/loader.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { EXPLORER_CATEGORIES } from './explorer-categories.ts';
import { labelOf, listedAddress } from './label-row.ts';

/** Forta's labelled data sets: phishing addresses and malicious contracts, in a folder named by the chain id. */
export const fortaLoader: LabelLoader = {
  kind: 'labels',
  format: 'CSV with a column address, banned_address or contract_address',
  isList: true,
  accepts: hasEnding('.csv'),
  read,
};

/** The three files have columns of their own for the same two things: an address and its tag. */
const ADDRESS_COLUMNS = 'address|banned_address|contract_address';

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<Label> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    const id = chainIdOf(file);
    const chain = Object.entries(EVM_CHAIN_IDS).find(([, known]) => String(known) === id)?.[0] as Label['chain'];
    if (!chain) own.note(0, `chain id ${id} is not supported`);
    const source = `forta:${id}/${basename(file.name).replace(/\.csv$/, '')}`;
    for await (const { line, cells } of readCsv(file, [ADDRESS_COLUMNS], own, signal)) {
      if (!chain) own.skip(line, `unsupported chain id ${id}`);
      else {
        const label = toLabel({ ...cells }, { chain, source, line, tally: own });
        if (label) yield label;
      }
    }
  }
}

/** `labels/10/x.csv` is of chain 10, also where no more than `10` or the file itself was given. */
function chainIdOf({ name, path }: InputFile): string {
  return (/\/labels\/(\d+)\/[^/]+$/.exec(path) ?? /(?:^|\/)(\d+)\/[^/]+$/.exec(name))?.[1] ?? '1';
}

interface RowContext {
  chain: Label['chain'];
  source: string;
  line: number;
  tally: Tally;
}

function toLabel(cells: Record<string, string>, { chain, source, line, tally }: RowContext): Label | null {
  const address = cells.address ?? cells.banned_address ?? cells.contract_address ?? '';
  const isContract = cells.contract_address !== undefined || cells.is_contract?.toLowerCase() === 'true';
  const tag =
    cells.etherscan_tag || cells.wallet_tag || cells.contract_tag || cells.notes || cells.contract_creator_tag;
  return labelOf(
    {
      chain,
      address: listedAddress(address, line, tally),
      category: categoryOf(cells, tally),
      label: tag || (isContract ? 'Malicious contract' : 'Phishing address'),
      source,
      confidence: 85,
      maliciousContract: isContract,
    },
    line,
    tally,
  );
}

/** A malicious contract or phishing address whatever its label; of the labels some say more. */
function categoryOf(cells: Record<string, string>, tally: Tally): Category {
  const words = cells.etherscan_labels || cells.contract_creator_etherscan_label || '';
  for (const word of words.split(/[,;|]/).map((part) => part.trim().toLowerCase())) {
    const known = EXPLORER_CATEGORIES[word];
    if (known === undefined && word !== '') tally.unmapped('label', word);
    // A label that says what kind of business it is does not clear it.
    if (known !== undefined && known !== 'scam' && isAdverseCategory(known)) return known;
  }
  return 'scam';
}

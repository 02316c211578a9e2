import { basename, dirname } from 'node:path/posix';
import { EVM_CHAIN_IDS } from '../src/domain/chain.ts';
import type { Label } from '../src/domain/label.ts';
import { InvalidInputError } from '../src/errors.ts';
import { readCsv } from './csv.ts';
import { labelOf, listedAddress } from './label-row.ts';
import { hasEnding, type LabelLoader, type Work } from './loader.ts';
import { type Tally, tallyOf } from './tally.ts';

/** Forta's labelled data sets: phishing addresses and malicious contracts, in a folder named by the chain id. */
export const fortaLoader: LabelLoader = { kind: 'labels', isList: true, accepts: hasEnding('.csv'), read };

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<Label> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    const id = /^\d+$/.exec(basename(dirname(file.name)))?.[0] ?? '1';
    const chain = Object.entries(EVM_CHAIN_IDS).find(([, known]) => String(known) === id)?.[0] as Label['chain'];
    if (!chain) own.note(0, `chain id ${id} is not supported`);
    const source = `forta:${id}/${basename(file.name).replace(/\.csv$/, '')}`;
    for await (const { line, cells } of readCsv(file, [], own, signal)) {
      if (!chain) own.skip(line, `unsupported chain id ${id}`);
      else {
        const label = toLabel({ ...cells }, { chain, source, line, tally: own, fileName: file.name });
        if (label) yield label;
      }
    }
  }
}

interface Place {
  chain: Label['chain'];
  source: string;
  line: number;
  tally: Tally;
  fileName: string;
}

/** The three files have columns of their own for the same two things: an address and its tag. */
function toLabel(cells: Record<string, string>, { chain, source, line, tally, fileName }: Place): Label | null {
  const address = cells.address ?? cells.banned_address ?? cells.contract_address;
  if (address === undefined) {
    throw new InvalidInputError(`${fileName}: no column address, banned_address or contract_address`);
  }
  const isContract = cells.contract_address !== undefined || cells.is_contract?.toLowerCase() === 'true';
  const tag =
    cells.etherscan_tag || cells.wallet_tag || cells.contract_tag || cells.notes || cells.contract_creator_tag;
  return labelOf(
    {
      chain,
      address: listedAddress(address, line, tally),
      category: 'scam',
      label: tag || (isContract ? 'Malicious contract' : 'Phishing address'),
      source,
      confidence: 85,
      maliciousContract: isContract,
    },
    line,
    tally,
  );
}

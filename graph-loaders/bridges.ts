import { emitterOf } from '../src/chains/bridges/registry.ts';
import type { BridgeContractRow } from '../src/records/database/tables/bridges.ts';
import { readCsv } from './reading/csv.ts';
import { type BridgeLoader, hasEnding, type Work } from './reading/loader.ts';
import { WrongFormatError } from './reading/wrong-format.ts';

const REQUIRED = ['protocol', 'chain', 'role', 'address'];
const COLUMNS = [...REQUIRED, 'token', 'peer', 'family'] as const;

/** Contracts of bridges as CSV, added to the known ones. One bad line refuses the file. */
export const bridgesLoader: BridgeLoader = {
  kind: 'bridges',
  format: `CSV with the header ${COLUMNS.join(',')}`,
  accepts: hasEnding('.csv'),
  read,
};

async function* read({ files, tally, signal }: Work): AsyncGenerator<BridgeContractRow> {
  const places = new Map<string, string>();
  for (const file of files) {
    for await (const { line, cells } of readCsv(file, REQUIRED, tally, signal, COLUMNS)) {
      const place = `${file.name}: line ${line}`;
      const { protocol, chain, role, address, token, peer = '', family = '' } = checked(place, cells);
      const key = `${chain},${role},${address}`;
      const earlier = places.get(key);
      if (earlier) throw new WrongFormatError(`${place}: ${key} is already in ${earlier}`);
      places.set(key, place);
      yield { protocol, chain, role, address, token: token === null ? 'coin' : (token ?? ''), peer, family };
    }
    const [bad] = tally.errors;
    if (bad) throw new WrongFormatError(`${file.name}: line ${bad.line}: ${bad.reason}`);
  }
}

function checked(place: string, cells: Record<string, string>) {
  try {
    return emitterOf(COLUMNS.map((column) => cells[column] ?? ''));
  } catch (error) {
    throw new WrongFormatError(`${place}: ${(error as Error).message}`);
  }
}

import { readCsv } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { readLines } from '../reading/lines.ts';
import { parseMoment } from '../reading/moments.ts';
import { newTally, type Tally } from '../reading/tally.ts';

export type EtlFile = 'transactions' | 'token_transfers' | 'blocks' | 'tokens';

/** What other files of the same export say about its rows. */
export interface KnownFacts {
  /** Epoch ms by block number. */
  timeOf: Map<string, number>;
  /** By contract, lower case. */
  tokens: Map<string, { symbol: string; decimals: number }>;
}

/** Columns by which a file is known, whatever its name. */
const MARKS: [EtlFile, string[]][] = [
  ['token_transfers', ['token_address', 'from_address', 'to_address', 'value', 'transaction_hash', 'log_index']],
  ['transactions', ['hash', 'from_address', 'to_address', 'value', 'block_number', 'block_timestamp']],
  ['blocks', ['number', 'hash', 'parent_hash', 'timestamp']],
  ['tokens', ['address', 'symbol', 'decimals', 'total_supply']],
];

/** Which export of ethereum-etl a file is, by its header; null for others and for an empty file. */
export async function etlKind(file: InputFile, signal?: AbortSignal): Promise<EtlFile | null> {
  for await (const lines of readLines(file, signal)) {
    const header = lines.find(({ text }) => text.trim() !== '');
    if (!header) continue;
    const columns = header.text.split(',').map((column) => column.trim().toLowerCase());
    return MARKS.find(([, needed]) => needed.every((column) => columns.includes(column)))?.[0] ?? null;
  }
  return null;
}

/** Reads the times of blocks or the facts of tokens; bad rows are reported and do not count as skipped transfers. */
export async function learnFacts(
  kind: 'blocks' | 'tokens',
  file: InputFile,
  { timeOf, tokens }: KnownFacts,
  tally: Tally,
  signal?: AbortSignal,
): Promise<void> {
  const own = newTally();
  for await (const { cells } of readCsv(file, [], own, signal)) {
    if (kind === 'blocks') {
      const at = parseMoment(cells.timestamp ?? '');
      if (at !== null) timeOf.set(cells.number ?? '', at);
    } else if (/^\d{1,2}$/.test(cells.decimals ?? '')) {
      const { address = '', symbol = '', decimals } = cells;
      tokens.set(address.toLowerCase(), { symbol, decimals: Number(decimals) });
    }
  }
  for (const { line, reason } of own.errors) tally.note(line, reason);
}

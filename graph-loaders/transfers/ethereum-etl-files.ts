import type { EvmChain } from '../../src/domain/chain.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { shown } from '../labels/label-row.ts';
import { type CsvRow, delimiterOf, readCsv } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { smallNumber, wholeNumber } from '../reading/json.ts';
import { fieldsOfJsonLines, readJsonLines } from '../reading/json-lines.ts';
import { readLines } from '../reading/lines.ts';
import { parseMoment } from '../reading/moments.ts';
import { newTally, type Tally } from '../reading/tally.ts';

export type EtlFile = 'transactions' | 'token_transfers' | 'traces' | 'blocks' | 'tokens' | 'receipts';

/** Statements of other files of the same export about its rows. */
export interface KnownFacts {
  chain: EvmChain;
  /** Epoch ms by block number. */
  timeOf: Map<number, number>;
  /** Tokens by contract, lower case. */
  tokens: Map<string, { symbol: string; decimals: number }>;
  /** Blocks whose transactions a file of the export lists. */
  listed: Set<number>;
  /** Hashes of those among them whose row gives no transfer, and of those that failed. */
  unread: Set<string>;
  failed: Set<string>;
  /** Contracts by the hash of the transaction that made them. */
  created: Map<string, string>;
  /** True where a file of the export lists receipts. */
  hasReceipts?: boolean;
  /** False once a transaction moved coin of which nothing says whether it failed. */
  isOutcomeKnown: boolean;
}

/** Columns by which a file is known, whatever its name. */
const MARKS: [EtlFile, string[]][] = [
  ['token_transfers', ['token_address', 'from_address', 'to_address', 'value', 'transaction_hash', 'log_index']],
  ['transactions', ['hash', 'from_address', 'to_address', 'value', 'block_number', 'block_timestamp']],
  ['traces', ['transaction_hash', 'from_address', 'to_address', 'value', 'trace_type', 'trace_address']],
  ['receipts', ['transaction_hash', 'gas_used', 'status']],
  ['blocks', ['number', 'hash', 'parent_hash', 'timestamp']],
  ['tokens', ['address', 'symbol', 'decimals', 'total_supply']],
];

/** Which export of ethereum-etl a file is, by its header or its first lines; null for others and for an empty file. */
export async function etlKind(file: InputFile, signal?: AbortSignal): Promise<EtlFile | null> {
  const columns = (await fieldsOfJsonLines(file, signal)) ?? (await headerOf(file, signal));
  return MARKS.find(([, needed]) => needed.every((column) => columns.includes(column)))?.[0] ?? null;
}

/** The rows of an export, as CSV or as JSON. */
export async function* readEtlRows(file: InputFile, tally: Tally, signal?: AbortSignal): AsyncGenerator<CsvRow> {
  const isJson = (await fieldsOfJsonLines(file, signal)) !== null;
  yield* isJson ? readJsonLines(file, tally, signal) : readCsv(file, [], tally, signal);
}

async function headerOf(file: InputFile, signal?: AbortSignal): Promise<string[]> {
  for await (const lines of readLines(file, signal)) {
    const header = lines.find(({ text }) => text.trim() !== '');
    if (!header) continue;
    const cells = header.text.split(delimiterOf(header.text));
    return cells.map((column) => column.replaceAll('"', '').trim().toLowerCase());
  }
  return [];
}

/** Reads the times of blocks, the facts of tokens or what failed; bad rows are reported and do not count as skipped transfers. */
export async function learnFacts(
  kind: 'blocks' | 'tokens' | 'receipts',
  file: InputFile,
  facts: KnownFacts,
  tally: Tally,
  signal?: AbortSignal,
): Promise<void> {
  const own = newTally();
  const { chain, timeOf, tokens, failed, created } = facts;
  if (kind === 'receipts') facts.hasReceipts = true;
  for await (const { cells } of readEtlRows(file, own, signal)) {
    if (kind === 'blocks') {
      const at = parseMoment(cells.timestamp ?? '');
      const block = smallNumber(cells.number);
      if (at !== null && block !== null) timeOf.set(block, at);
    } else if (kind === 'receipts') {
      const txHash = canonicalTxHash(chain, cells.transaction_hash ?? '') ?? '';
      if (wholeNumber(cells.status) === 0n) failed.add(txHash);
      if (cells.contract_address) created.set(txHash, cells.contract_address);
    } else {
      const { address = '', symbol = '' } = cells;
      const decimals = smallNumber(cells.decimals);
      if (decimals !== null && decimals < 100) tokens.set(address.toLowerCase(), { symbol, decimals });
    }
  }
  for (const { line, reason } of own.errors) tally.note(line, reason);
}

/** Epoch ms of a row's block, by itself or by the other files. */
export function timeOfRow(cells: Record<string, string>, timeOf: KnownFacts['timeOf']): number | undefined {
  return parseMoment(cells.block_timestamp ?? '') ?? timeOf.get(smallNumber(cells.block_number) ?? -1);
}

export function noTime({ block_number = '' }: Record<string, string>): string {
  return `no time of block ${shown(block_number)}: load it with its transactions or blocks, in one folder`;
}

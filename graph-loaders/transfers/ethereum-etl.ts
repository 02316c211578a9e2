import { logSeq } from '../../src/chains/evm/format/transfer.ts';
import { canonicalAddress } from '../../src/domain/address/address.ts';
import { formatUnits } from '../../src/domain/amount.ts';
import { type EvmChain, isEvmChain, NATIVE_COIN } from '../../src/domain/chain.ts';
import { addToGroup } from '../../src/domain/group-by.ts';
import { assetName, verifiedToken } from '../../src/domain/tokens/token.ts';
import { arrival, blockTransaction } from '../../src/domain/transfers/arrival.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { isRecord } from '../labels/json-statements.ts';
import { shown } from '../labels/label-row.ts';
import type { InputFile } from '../reading/input.ts';
import { smallNumber, textField, wholeNumber } from '../reading/json.ts';
import { hasEnding, type TransferLoader, type Work } from '../reading/loader.ts';
import { shortenedNoter } from '../reading/shortened.ts';
import type { AskedTable } from '../reading/table-format.ts';
import { newTally, type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import {
  type EtlFile,
  etlKind,
  type KnownFacts,
  learnFacts,
  noTime,
  readEtlRows,
  timeOfRow,
} from './ethereum-etl-files.ts';
import { traceReader } from './ethereum-etl-traces.ts';
import { numbered } from './numbered.ts';
import { impossibility, transferOf } from './transfer-row.ts';

const LOG_INDEX_MAX = 1e9;

/**
 * Exports of ethereum-etl and its kin, and of their tables in BigQuery, as CSV, JSON lines or a JSON list: `transactions`, `token_transfers` and `traces` of
 * Ethereum or of the EVM chain that is named, and what `blocks` paid to validators. Rows without a time have it from the
 * transactions or `blocks` of the same folder, what failed from its `receipts`, decimals and symbols of tokens from its `tokens`. ERC-721 rows look like ERC-20 rows there and
 * are read as such.
 */
export const ethereumEtlLoader: TransferLoader = {
  kind: 'transfers',
  hasInternal: false,
  asks: ['chain'],
  format: 'the transactions, token_transfers or traces of ethereum-etl or BigQuery as CSV, JSON lines or a JSON list',
  accepts: hasEnding('.csv', '.json', '.jsonl', '.ndjson'),
  read,
};

async function* read(work: Work): AsyncGenerator<Transfer> {
  const { files, isFolder, signal } = work;
  const byKind = new Map<EtlFile, InputFile[]>();
  for (const file of files) {
    const kind = await etlKind(file, signal);
    if (kind !== null) addToGroup(byKind, kind, file);
    else work.tally.notRead(file.name);
  }
  if (!READERS.some(([kind]) => byKind.has(kind))) {
    const place = isFolder ? 'the folder' : files[0]!.name;
    throw new WrongFormatError(`${place}: no transactions, token_transfers or traces of ethereum-etl`);
  }
  const ownOf = (file: InputFile) => (isFolder ? tallyOf(work.tally, file.name) : work.tally);
  const facts: KnownFacts = {
    chain: chainOf(work.table),
    timeOf: new Map(),
    tokens: new Map(),
    listed: new Set(),
    unread: new Set(),
    failed: new Set(),
    created: new Map(),
    isOutcomeKnown: true,
  };
  for (const kind of ['blocks', 'tokens', 'receipts'] as const) {
    for (const file of byKind.get(kind) ?? []) await learnFacts(kind, file, facts, ownOf(file), signal);
  }
  for (const [kind, openReader] of READERS) {
    for (const file of byKind.get(kind) ?? []) yield* numbered(readRows(file, openReader(facts), ownOf(file), signal));
  }
  for (const file of byKind.get('blocks') ?? []) yield* readWithdrawals(file, facts, ownOf(file), signal);
  if (!facts.isOutcomeKnown) {
    work.tally.note(
      0,
      'Not every row says whether its transaction failed, and then counts as done: load it with its receipts.',
    );
  }
}

function chainOf({ chain = 'ethereum' }: AskedTable = {}): EvmChain {
  if (isEvmChain(chain)) return chain;
  throw new InvalidInputError(`ethereum-etl exports EVM chains, and ${chain} is of another kind`);
}

/** A transfer, the reason why a row gives none, or null for a row that moves nothing. */
type EtlRow = { transfer: Transfer; isKnown?: boolean } | string | null;
type Cells = Record<string, string>;

/** Readers of each kind of file, in the order in which later ones need the facts of earlier ones; the rows of a file come in its order. */
const READERS: readonly [EtlFile, (facts: KnownFacts) => (cells: Cells) => EtlRow][] = [
  ['transactions', (facts) => (cells) => fromTransaction(cells, facts)],
  ['token_transfers', (facts) => (cells) => fromTokenTransfer(cells, facts)],
  ['traces', traceReader],
];

async function* readRows(
  file: InputFile,
  toRow: (cells: Cells) => EtlRow,
  tally: Tally,
  signal?: AbortSignal,
): AsyncGenerator<{ transfer: Transfer; isKnown?: boolean }> {
  const noteShortened = shortenedNoter(tally);
  for await (const { line, cells } of readEtlRows(file, tally, signal)) {
    const row = toRow(cells);
    const refusal = row === null || typeof row === 'string' ? row : impossibility(row.transfer);
    if (refusal !== null) tally.skip(line, refusal);
    // It moves nothing, or repeats what another file lists: not a row of its own.
    else if (row === null || (row as { isKnown?: boolean }).isKnown) tally.read -= 1;
    if (refusal !== null || row === null) continue;
    noteShortened(line, cells);
    yield row as { transfer: Transfer; isKnown?: boolean };
  }
}

/** The transfer of a transaction; its block, and whether it failed or cannot be read, are facts for its traces. */
function fromTransaction(cells: Cells, facts: KnownFacts): EtlRow {
  const block = smallNumber(cells.block_number);
  const made = toTransfer(cells, block, facts);
  if (block !== null) facts.listed.add(block);
  if (typeof made === 'string') facts.unread.add(canonicalTxHash(facts.chain, cells.hash ?? '') ?? '');
  else if (made.failed) facts.failed.add(made.txHash);
  return typeof made === 'string' ? made : { transfer: made };
}

/** The transfer of a transaction's row, or the reason why there is none. */
function toTransfer(cells: Cells, block: number | null, facts: KnownFacts): Transfer | string {
  const { chain, timeOf } = facts;
  const at = timeOfRow(cells, timeOf);
  if (at === undefined) return `block_timestamp is not a time: ${shown(cells.block_timestamp ?? '')}`;
  if (block !== null) timeOf.set(block, at);
  const txHash = canonicalTxHash(chain, cells.hash ?? '');
  if (!txHash) return `no transaction hash: ${shown(cells.hash ?? '')}`;
  const created = cells.receipt_contract_address || facts.created.get(txHash) || '';
  const ends = endsOf(chain, { ...cells, to_address: cells.to_address || created });
  if (typeof ends === 'string') return ends;
  const value = wholeNumber(cells.value);
  if (value === null) return `value is not a whole number: ${shown(cells.value ?? '')}`;
  const input = cells.input ?? '';
  if (value !== 0n && !cells.receipt_status && !facts.hasReceipts) facts.isOutcomeKnown = false;
  return transferOf({
    chain,
    txHash,
    index: 'native',
    block,
    at,
    ...ends,
    asset: NATIVE_COIN[chain].symbol,
    amount: formatUnits(value, 18),
    usd: null,
    more: {
      blockHash: cells.block_hash || null,
      position: smallNumber(cells.transaction_index),
      txSender: ends.from,
      fee: feeOf(cells),
      method: /^0x[0-9a-f]{8}/i.test(input) ? input.slice(0, 10).toLowerCase() : null,
      failed: wholeNumber(cells.receipt_status) === 0n || facts.failed.has(txHash),
    },
  });
}

function fromTokenTransfer(cells: Cells, { chain, timeOf, tokens }: KnownFacts): EtlRow {
  const at = timeOfRow(cells, timeOf);
  if (at === undefined) return noTime(cells);
  const token = canonicalAddress(chain, cells.token_address ?? '')?.address;
  if (!token) return `token_address is not an address: ${shown(cells.token_address ?? '')}`;
  const ends = endsOf(chain, cells);
  if (typeof ends === 'string') return ends;
  const txHash = canonicalTxHash(chain, cells.transaction_hash ?? '');
  if (!txHash) return `no transaction hash: ${shown(cells.transaction_hash ?? '')}`;
  const value = wholeNumber(cells.value);
  if (value === null) return `value is not a whole number: ${shown(cells.value ?? '')}`;
  const logIndex = smallNumber(cells.log_index);
  if (logIndex === null || logIndex > LOG_INDEX_MAX)
    return `log_index is not a number: ${shown(cells.log_index ?? '')}`;
  const known = tokens.get(token);
  const decimals = verifiedToken(chain, token)?.decimals ?? known?.decimals ?? 0;
  const transfer = transferOf({
    chain,
    txHash,
    index: `log:${logIndex}`,
    block: smallNumber(cells.block_number),
    at,
    ...ends,
    asset: assetName(chain, token, known?.symbol ?? ''),
    token,
    amount: formatUnits(value, decimals),
    usd: null,
    more: { amountRaw: value.toString(), decimals, seq: logSeq(logIndex) },
  });
  return { transfer };
}

/** Gas used times price; null where the export was not joined with receipts. */
function feeOf(cells: Cells): string | null {
  const gas = wholeNumber(cells.receipt_gas_used);
  const price = wholeNumber(cells.receipt_effective_gas_price || cells.gas_price);
  return gas !== null && price !== null ? formatUnits(gas * price, 18) : null;
}

function endsOf(chain: EvmChain, cells: Cells): { from: string; to: string } | string {
  const from = canonicalAddress(chain, cells.from_address ?? '')?.address;
  if (!from) return `from_address is not an address: ${shown(cells.from_address ?? '')}`;
  if (!cells.to_address) return 'no to_address: the transaction creates a contract';
  const to = canonicalAddress(chain, cells.to_address)?.address;
  return to ? { from, to } : `to_address is not an address: ${shown(cells.to_address)}`;
}

const GWEI = 10n ** 9n;

/** Reads the payments of blocks to validators, of which the transactions of an export know nothing. Each counts as a row. */
async function* readWithdrawals(
  file: InputFile,
  facts: KnownFacts,
  tally: Tally,
  signal?: AbortSignal,
): AsyncGenerator<Transfer> {
  // Rows that cannot be read were named when the times of the blocks were.
  for await (const { line, cells } of readEtlRows(file, newTally(), signal)) {
    for (const one of listOf(cells.withdrawals ?? '')) {
      tally.read += 1;
      const made = withdrawalOf(one, cells, facts);
      if (typeof made === 'string') tally.skip(line, made);
      else yield made;
    }
  }
}

/** A list as JSON, in a cell also without its brackets or as Python writes it; what is none is one bad entry. */
function listOf(text: string): unknown[] {
  const list = text.replaceAll("'", '"');
  try {
    return JSON.parse(list.startsWith('[') ? list : `[${list}]`) as unknown[];
  } catch {
    return [null];
  }
}

function withdrawalOf(entry: unknown, cells: Record<string, string>, { chain, timeOf }: KnownFacts): Transfer | string {
  if (!isRecord(entry)) return `withdrawals is not a list: ${shown(cells.withdrawals ?? '')}`;
  const block = smallNumber(cells.number);
  const at = block === null ? undefined : timeOf.get(block);
  if (block === null || at === undefined) return `block without number or time: ${shown(cells.number ?? '')}`;
  const index = smallNumber(entry.index);
  if (index === null) return `withdrawal without index: ${shown(textField(entry.index))}`;
  const to = canonicalAddress(chain, textField(entry.address))?.address;
  if (!to) return `withdrawal to no address: ${shown(textField(entry.address))}`;
  const amount = wholeNumber(entry.amount);
  if (amount === null) return `withdrawal of no whole amount: ${shown(textField(entry.amount))}`;
  const place = { txHash: blockTransaction(block), index: `withdrawal:${index}`, seq: index, block, at };
  return arrival(chain, to, amount * GWEI, { ...place, blockHash: cells.hash || null });
}

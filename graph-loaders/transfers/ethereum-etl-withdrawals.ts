import { canonicalAddress } from '../../src/domain/address/address.ts';
import { arrival, blockTransaction } from '../../src/domain/transfers/arrival.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { isRecord } from '../labels/json-statements.ts';
import { shown } from '../labels/label-row.ts';
import type { InputFile } from '../reading/input.ts';
import { smallNumber, textField, wholeNumber } from '../reading/json.ts';
import { newTally, type Tally } from '../reading/tally.ts';
import { type KnownFacts, readEtlRows } from './ethereum-etl-files.ts';

const GWEI = 10n ** 9n;

/** Reads the payments of blocks to validators, of which the transactions of an export know nothing. Each counts as a row. */
export async function* readWithdrawals(
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

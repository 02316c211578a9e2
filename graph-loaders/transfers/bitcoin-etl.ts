import { canonicalAddress } from '../../src/domain/address/address.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { type UtxoParty, type UtxoTransaction, utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { shown } from '../labels/label-row.ts';
import { isTrue, smallNumber, textField } from '../reading/json.ts';
import { readJsonTexts } from '../reading/lines.ts';
import type { TransferLoader, Work } from '../reading/loader.ts';
import { parseMoment } from '../reading/moments.ts';
import { tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { impossibility } from './transfer-row.ts';

/** Fields of every transaction of the export, also one that cannot be read. */
const MARK = /"(?:hash|outputs)"\s*:/;

/**
 * What bitcoin-etl exports of Bitcoin: transactions as JSON lines or as one list, enriched with the addresses and values of their
 * inputs. Each becomes the transfers that the chain's own adapter makes of it.
 */
export const bitcoinEtlLoader: TransferLoader = {
  kind: 'transfers',
  hasInternal: true,
  asks: [],
  format: 'the transactions of bitcoin-etl as JSON lines or a JSON list',
  accepts: (name) => /(^|\/)[^/]*transactions[^/]*\.(json|jsonl|ndjson)$/i.test(name),
  read,
};

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<Transfer> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    let isExport = false;
    let isEmpty = true;
    for await (const lines of readJsonTexts(file, signal)) {
      for (const { number, text, problem } of lines) {
        if (problem === null && text.trim() === '') continue;
        own.read += 1;
        isEmpty = false;
        const made = problem ?? toTransaction(text);
        isExport ||= problem !== null || MARK.test(text);
        const transfers = typeof made === 'string' ? [] : utxoTransfers(made).transfers;
        const refusal = typeof made === 'string' ? made : transfers.map(impossibility).find((one) => one !== null);
        if (refusal) own.skip(number, refusal);
        else yield* transfers;
      }
    }
    if (!isExport && !isEmpty) throw new WrongFormatError(`${file.name}: no line is a transaction as JSON`);
  }
  if (tally.read === 0) throw new WrongFormatError(`${files[0]!.name}: empty`);
}

type Fields = Record<string, unknown>;

/** The transaction of a line, or the reason why there is none. */
function toTransaction(text: string): UtxoTransaction | string {
  const fields = parseObject(text);
  if (!fields) return 'not a JSON object';
  if (!Array.isArray(fields.outputs) || !Array.isArray(fields.inputs)) return 'no transaction: inputs or outputs lack';
  const txHash = canonicalTxHash('bitcoin', textField(fields.hash));
  if (!txHash) return `no transaction hash: ${shown(textField(fields.hash))}`;
  const at = parseMoment(textField(fields.block_timestamp));
  if (at === null) return `block_timestamp is not a time: ${shown(textField(fields.block_timestamp))}`;
  const block = smallNumber(fields.block_number);
  if (block === null) return `block_number is not a number: ${shown(textField(fields.block_number))}`;
  const coinbase = isTrue(fields.is_coinbase);
  const inputs = coinbase ? [] : partiesOf('input', fields.inputs);
  if (typeof inputs === 'string') return inputs;
  const outputs = partiesOf('output', fields.outputs);
  if (typeof outputs === 'string') return outputs;
  return {
    txHash,
    position: smallNumber(fields.index),
    block,
    blockHash: textField(fields.block_hash),
    at,
    coinbase,
    inputs,
    outputs,
  };
}

/** Scripts of several keys and those without an address stand without one, as everywhere. */
function partiesOf(side: 'input' | 'output', entries: unknown[]): UtxoParty[] | string {
  const parties: UtxoParty[] = [];
  for (const [n, entry] of entries.entries()) {
    const { addresses, value } = (entry ?? {}) as Fields;
    if (value === null || value === undefined) {
      return `${side} ${n} has no value${side === 'input' ? ': export with enrich_transactions' : ''}`;
    }
    const satoshi = smallNumber(value);
    if (satoshi === null) return `value of ${side} ${n} is not an amount of satoshi`;
    const named = Array.isArray(addresses) ? addresses.map(textField).filter((one) => !/^nonstandard/.test(one)) : [];
    const address = named.length === 1 ? canonicalAddress('bitcoin', named[0]!)?.address : null;
    if (address === undefined) return `${side} ${n}: ${shown(named[0]!)} is not a valid bitcoin address`;
    parties.push({ address, value: BigInt(satoshi) });
  }
  return parties;
}

function parseObject(text: string): Fields | null {
  // Each line that the parser refuses costs an error with its stack.
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return null;
  }
}

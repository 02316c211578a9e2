import { canonicalAddress } from '../../src/domain/address/address.ts';
import { scriptAddress } from '../../src/domain/address/script-address.ts';
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
/** Scripts without a name of their own that are remembered for the inputs that spend from them. */
const SCRIPTS_MAX = 200_000;

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
  const scripts: Scripts = new Map();
  let unknownPayers = 0;
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    let isExport = false;
    let isEmpty = true;
    for await (const lines of readJsonTexts(file, signal)) {
      for (const { number, text, problem } of lines) {
        if (problem === null && text.trim() === '') continue;
        own.read += 1;
        isEmpty = false;
        const made = problem ?? toTransaction(text, scripts);
        isExport ||= problem !== null || MARK.test(text);
        const transfers = typeof made === 'string' ? [] : utxoTransfers(made).transfers;
        if (typeof made !== 'string' && made.inputs.some(({ address }) => address === unknownParty(made.txHash)))
          unknownPayers += 1;
        const refusal = typeof made === 'string' ? made : transfers.map(impossibility).find((one) => one !== null);
        if (refusal) own.skip(number, refusal);
        else yield* transfers;
      }
    }
    if (!isExport && !isEmpty) throw new WrongFormatError(`${file.name}: no line is a transaction as JSON`);
  }
  if (tally.read === 0) throw new WrongFormatError(`${files[0]!.name}: empty`);
  if (unknownPayers > 0) {
    tally.note(
      0,
      `${unknownPayers} transactions have inputs of no address: load them with those that they spend from.`,
    );
  }
}

/** By the names that the export gives to outputs without one address, the address of their script. */
type Scripts = Map<string, string>;

/** Stands for a party whose script the export does not give, so that what the others moved stays whole. */
const unknownParty = (txHash: string) => `tx:${txHash}`;

type Fields = Record<string, unknown>;

/** The transaction of a line, or the reason why there is none. */
function toTransaction(text: string, scripts: Scripts): UtxoTransaction | string {
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
  const unknown = unknownParty(txHash);
  const inputs = coinbase ? [] : partiesOf('input', fields.inputs, (names) => scripts.get(names.join()) ?? unknown);
  if (typeof inputs === 'string') return inputs;
  const outputs = partiesOf(
    'output',
    fields.outputs,
    (names, script) => learnScript(scripts, names, script) ?? unknown,
  );
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

/** `addressOf` finds the party of an entry that names no address of its own, or several. */
function partiesOf(
  side: 'input' | 'output',
  entries: unknown[],
  addressOf: (names: string[], script: string) => string,
): UtxoParty[] | string {
  const parties: UtxoParty[] = [];
  for (const [n, entry] of entries.entries()) {
    const { addresses, value, script_hex } = (entry ?? {}) as Fields;
    if (value === null || value === undefined) {
      return `${side} ${n} has no value${side === 'input' ? ': export with enrich_transactions' : ''}`;
    }
    const satoshi = smallNumber(value);
    if (satoshi === null) return `value of ${side} ${n} is not an amount of satoshi`;
    const names = Array.isArray(addresses) ? addresses.map(textField) : [];
    const named = names.length === 1 && !/^nonstandard/.test(names[0]!);
    const address = named ? canonicalAddress('bitcoin', names[0]!)?.address : addressOf(names, textField(script_hex));
    if (address === undefined) return `${side} ${n}: ${shown(names[0]!)} is not a valid bitcoin address`;
    parties.push({ address, value: BigInt(satoshi) });
  }
  return parties;
}

/** The address of an output's script, which its spender names only by what the export calls it; null where it gives no script. */
function learnScript(scripts: Scripts, names: string[], script: string): string | null {
  if (!/^(?:[0-9a-f]{2}){1,10000}$/i.test(script)) return null;
  const address = scriptAddress(script);
  if (names.length > 0 && scripts.size < SCRIPTS_MAX) scripts.set(names.join(), address);
  return address;
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

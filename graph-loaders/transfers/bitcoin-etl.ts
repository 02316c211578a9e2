import { canonicalAddress } from '../../src/domain/address/address.ts';
import { isDataScript, scriptAddress } from '../../src/domain/address/script-address.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { type UtxoParty, type UtxoTransaction, utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { shown } from '../labels/label-row.ts';
import { isTrue, smallNumber, textField } from '../reading/json.ts';
import { readJsonTexts } from '../reading/lines.ts';
import type { TransferLoader, Work } from '../reading/loader.ts';
import { parseBlockTime } from '../reading/moments.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { impossibility } from './transfer-row.ts';

/** Fields of every transaction of the export, also one that cannot be read. */
const MARK = /"(?:hash|outputs)"\s*:/;
/** Scripts without a name of their own that are remembered for the inputs that spend from them. */
const SCRIPTS_MAX = 200_000;

/**
 * Reads what bitcoin-etl exports: transactions as JSON lines or as one list, enriched with the addresses and values of their
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
  const scripts: Scripts = { known: new Map(), forgotten: 0 };
  const withoutParty = { input: 0, output: 0 };
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
        const refusal = typeof made === 'string' ? made : transfers.map(impossibility).find((one) => one !== null);
        if (refusal) own.skip(number, refusal);
        else yield* transfers;
        if (refusal || typeof made === 'string') continue;
        if (made.inputs.some(isWithoutParty)) withoutParty.input += 1;
        if (made.outputs.some(isWithoutParty)) withoutParty.output += 1;
      }
    }
    if (!isExport && !isEmpty) throw new WrongFormatError(`${file.name}: no line is a transaction as JSON`);
  }
  if (tally.read === 0) throw new WrongFormatError(`${files[0]!.name}: empty`);
  noteWhatLacks(tally, withoutParty, scripts);
}

const isWithoutParty = ({ address, value }: UtxoParty) => address === null && value > 0n;

function noteWhatLacks(tally: Tally, { input, output }: { input: number; output: number }, scripts: Scripts): void {
  if (input > 0) {
    tally.note(
      0,
      `${input} transactions have inputs of no address, and what those paid is left out: ` +
        'load them in one folder with the transactions that they spend from, the earlier ones first.',
    );
  }
  if (output > 0) {
    tally.note(
      0,
      `${output} transactions have outputs of no address and no script, and what those received is left out.`,
    );
  }
  if (scripts.forgotten > 0) {
    tally.note(
      0,
      `Of outputs without an address ${SCRIPTS_MAX} scripts are remembered, and ${scripts.forgotten} outputs had others: ` +
        'what is spent from those has no payer. Load fewer transactions at a time.',
    );
  }
}

/** The addresses of scripts by the names that the export gives to outputs without one address. */
interface Scripts {
  known: Map<string, string>;
  /** Outputs that came when as many were known as are kept. */
  forgotten: number;
}

type Fields = Record<string, unknown>;

/** The transaction of a line, or the reason why there is none. */
function toTransaction(text: string, scripts: Scripts): UtxoTransaction | string {
  const fields = parseObject(text);
  if (!fields) return 'not a JSON object';
  if (!Array.isArray(fields.outputs) || !Array.isArray(fields.inputs)) return 'no transaction: inputs or outputs lack';
  const txHash = canonicalTxHash('bitcoin', textField(fields.hash));
  if (!txHash) return `no transaction hash: ${shown(textField(fields.hash))}`;
  const at = parseBlockTime(textField(fields.block_timestamp));
  if (at === null) return `block_timestamp is not a time: ${shown(textField(fields.block_timestamp))}`;
  const block = smallNumber(fields.block_number);
  if (block === null) return `block_number is not a number: ${shown(textField(fields.block_number))}`;
  const coinbase = isTrue(fields.is_coinbase);
  const inputs = coinbase ? [] : partiesOf('input', fields.inputs, (names) => scripts.known.get(names.join()) ?? null);
  if (typeof inputs === 'string') return inputs;
  const outputs = partiesOf('output', fields.outputs, (names, script) => learnScript(scripts, names, script));
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

/** Reads each entry; `addressOf` finds the party of one that names no address of its own, or several: null where it is not known. */
function partiesOf(
  side: 'input' | 'output',
  entries: unknown[],
  addressOf: (names: string[], script: string) => string | null,
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
    const script = textField(script_hex);
    const address = named ? canonicalAddress('bitcoin', names[0]!)?.address : addressOf(names, script);
    if (address === undefined) return `${side} ${n}: ${shown(names[0]!)} is not a valid bitcoin address`;
    parties.push({ address, value: BigInt(satoshi), ...(isDataScript(script) && { data: true as const }) });
  }
  return parties;
}

/**
 * Returns the address of an output's script, null where the export gives no script, and keeps it: inputs that spend from it name it
 * only by what the export calls it.
 */
function learnScript(scripts: Scripts, names: string[], script: string): string | null {
  if (!/^(?:[0-9a-f]{2}){1,10000}$/i.test(script)) return null;
  const address = scriptAddress(script);
  const name = names.join();
  if (name === '' || scripts.known.has(name)) return address;
  if (scripts.known.size < SCRIPTS_MAX) scripts.known.set(name, address);
  else scripts.forgotten += 1;
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

import { bech32 } from '@scure/base';
import type { Upstream, UpstreamReply } from '../../contract/upstream.ts';

export interface EsploraOutput {
  scriptpubkey: string;
  scriptpubkey_asm: string;
  scriptpubkey_type: string;
  scriptpubkey_address?: string;
  value: number;
}

interface EsploraInput {
  txid: string;
  vout: number;
  prevout: EsploraOutput | null;
  scriptsig: string;
  scriptsig_asm: string;
  witness?: string[];
  inner_redeemscript_asm?: string;
  inner_witnessscript_asm?: string;
  is_coinbase: boolean;
  sequence: number;
}

export interface EsploraTx {
  txid: string;
  version: number;
  locktime: number;
  vin: EsploraInput[];
  vout: EsploraOutput[];
  size: number;
  weight: number;
  fee: number;
  status: { confirmed: boolean; block_height?: number; block_hash?: string; block_time?: number };
}

/** A pay-to-witness-public-key-hash address for a number. */
export function wallet(number: number): string {
  const program = new Uint8Array(20).fill(number % 256, 0, 16);
  new DataView(program.buffer).setUint32(16, number);
  return bech32.encode('bc', [0, ...bech32.toWords(program)]);
}

export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}

/** `none` as address makes an output of a script that has none. */
export function output(address: string, value: number): EsploraOutput {
  const script = address === 'none' ? { type: 'op_return', asm: 'OP_RETURN' } : { type: 'v0_p2wpkh', asm: 'OP_0' };
  return {
    scriptpubkey: '00',
    scriptpubkey_asm: script.asm,
    scriptpubkey_type: script.type,
    ...(address === 'none' ? {} : { scriptpubkey_address: address }),
    value,
  };
}

/** Address to satoshi; `none` is a script without an address. */
type Amounts = Record<string, number>;

/** A confirmed transaction; without inputs it is a coinbase, with height null it waits in the mempool. */
export function transaction(number: number, inputs: Amounts, outputs: Amounts, height: number | null): EsploraTx {
  const sum = (amounts: Amounts) => Object.values(amounts).reduce((total, value) => total + value, 0);
  const parts = (amounts: Amounts) => Object.entries(amounts).map(([address, value]) => output(address, value));
  const mined = Object.keys(inputs).length === 0;
  return {
    txid: hashOf(number),
    version: 2,
    locktime: 0,
    vin: mined ? [input(null, 0xffffffff)] : parts(inputs).map(input),
    vout: parts(outputs),
    size: 222,
    weight: 561,
    fee: mined ? 0 : sum(inputs) - sum(outputs),
    status:
      height === null
        ? { confirmed: false }
        : {
            confirmed: true,
            block_height: height,
            block_hash: hashOf(height + 0xb10c0000),
            block_time: 1_232_000_000 + height * 600,
          },
  };
}

function input(prevout: EsploraOutput | null, vout: number): EsploraInput {
  return {
    txid: hashOf(0),
    vout,
    prevout,
    scriptsig: '',
    scriptsig_asm: '',
    witness: ['30', '02'],
    is_coinbase: prevout === null,
    sequence: 0xfffffffd,
  };
}

function touches(tx: EsploraTx, address: string): boolean {
  return [...tx.vout, ...tx.vin.map((one) => one.prevout)].some((one) => one?.scriptpubkey_address === address);
}

function stats(txs: EsploraTx[], address: string) {
  const funded = txs.flatMap((tx) => tx.vout).filter((one) => one.scriptpubkey_address === address);
  const spent = txs.flatMap((tx) => tx.vin).filter((one) => one.prevout?.scriptpubkey_address === address);
  return {
    tx_count: txs.length,
    funded_txo_count: funded.length,
    funded_txo_sum: funded.reduce((sum, one) => sum + one.value, 0),
    spent_txo_count: spent.length,
    spent_txo_sum: spent.reduce((sum, one) => sum + one.prevout!.value, 0),
  };
}

function outspend(world: EsploraTx[], txid: string, vout: number) {
  const spender = world.find((tx) => tx.vin.some((one) => one.txid === txid && one.vout === vout));
  return spender ? { spent: true, txid: spender.txid, vin: 0, status: spender.status } : { spent: false };
}

/** Transactions stand in their block in the order of the world. */
function proof(world: EsploraTx[], { txid, status: { block_height } }: EsploraTx) {
  const inside = world.filter(({ status }) => status.block_height === block_height);
  return { block_height, merkle: [], pos: 1 + inside.findIndex((tx) => tx.txid === txid) };
}

/** A small Esplora: pages of 25 confirmed transactions, newest first, errors in plain text, bad cursors ignored. */
export function esplora(world: EsploraTx[], options: { ignoreCursor?: boolean; noProofs?: boolean } = {}): Upstream {
  return ({ url }) => {
    const [, kind, id, list, view, cursor] = url.pathname.split('/');
    if (kind === 'tx' && id && (!list || list === 'outspends' || (list === 'merkle-proof' && !options.noProofs))) {
      if (!/^[0-9a-f]{64}$/i.test(id)) return text(400, 'Invalid hex string');
      const tx = world.find((one) => one.txid === id);
      if (!tx) return text(404, 'Transaction not found');
      if (list === 'merkle-proof') return { json: proof(world, tx) };
      return { json: list ? tx.vout.map((_, vout) => outspend(world, id, vout)) : tx };
    }
    if (kind !== 'address' || !id) return text(404, 'endpoint does not exist');
    if (!/^(bc1|[13])/.test(id)) return text(400, 'Invalid Bitcoin address');
    const own = world.filter((tx) => touches(tx, id));
    const confirmed = own
      .filter((tx) => tx.status.confirmed)
      .sort((a, b) => b.status.block_height! - a.status.block_height! || (a.txid < b.txid ? 1 : -1));
    const waiting = own.filter((tx) => !tx.status.confirmed);
    if (!list) return { json: { address: id, chain_stats: stats(confirmed, id), mempool_stats: stats(waiting, id) } };
    if (list !== 'txs' || view !== 'chain') return text(404, 'endpoint does not exist');
    const after = options.ignoreCursor ? -1 : confirmed.findIndex((tx) => tx.txid === cursor);
    return { json: confirmed.slice(after + 1, after + 26) };
  };
}

function text(status: number, message: string): UpstreamReply {
  return { status, text: message, headers: { 'content-type': 'text/plain' } };
}

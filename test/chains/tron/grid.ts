import { createHash } from 'node:crypto';
import { readTronAddress, tronHex } from '../../../src/chains/tron/address.ts';
import type { Upstream, UpstreamReply } from '../../contract/upstream.ts';

const digest = (name: string) => createHash('sha256').update(name).digest('hex');

/** A valid address made from a name. */
export function tronAccount(name: string): string {
  return readTronAddress(`41${digest(name).slice(0, 40)}`)!;
}

export const tronHash = digest;
export const atOf = (block: number) => Date.UTC(2024, 0, 1) + (block - 60_000_000) * 3_000;
export const word = (address: string) => tronHex(address).slice(2).padStart(64, '0');
export const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A transaction as TronGrid lists it. */
export function tronTx(
  block: number,
  type: string,
  value: Record<string, unknown>,
  more: { name?: string; result?: string; fee?: number } = {},
) {
  return {
    txID: digest(more.name ?? `tx ${block}`),
    blockNumber: block,
    block_timestamp: atOf(block),
    ret: [{ contractRet: more.result ?? 'SUCCESS', fee: more.fee ?? 1_100_000 }],
    net_fee: 0,
    energy_fee: 0,
    internal_transactions: [],
    raw_data: { contract: [{ type, parameter: { value, type_url: `type.googleapis.com/protocol.${type}` } }] },
  };
}

export const send = (from: string, to: string, amount: number) => ({
  owner_address: tronHex(from),
  to_address: tronHex(to),
  amount,
});

interface Trc20 {
  block: number;
  name?: string;
  token: string;
  symbol?: string;
  decimals?: number;
  from: string;
  to: string;
  value: string;
  type?: string;
}

interface Internal {
  block: number;
  name?: string;
  id: string;
  from: string;
  to: string;
  value: Record<string, number>;
  /** What the machine did; a call where it is left out. */
  note?: string;
  rejected?: boolean;
}

export interface Grid {
  txs: ReturnType<typeof tronTx>[];
  trc20?: Trc20[];
  internal?: Internal[];
  accounts?: Record<string, unknown>;
  infos?: Record<string, unknown>;
  constants?: Record<string, string>;
  assets?: Record<string, unknown>;
  /** What Tether's contract took of frozen addresses. */
  destroyed?: Pick<Trc20, 'block' | 'token' | 'from' | 'value'>[];
  /** Whom Tether's contract froze. */
  froze?: { block: number; token: string; who: string }[];
  /** Sun that the first block gave. */
  genesis?: Record<string, number>;
  /** Gives the same fingerprint and the same page for ever. */
  stuck?: boolean;
  /** Gives no fingerprint, whatever follows. */
  forgets?: boolean;
  /** Fails where it is asked for the rows up to a moment. */
  failsUpTo?: boolean;
}

/** TronGrid and the full node behind it, over a few transactions. */
export function tronGrid(grid: Grid): Upstream {
  const byAddress = (address: string) => ({
    transactions: grid.txs.filter((tx) => JSON.stringify(tx.raw_data).includes(tronHex(address))),
    'internal-transactions': (grid.internal ?? [])
      .filter(({ from, to }) => from === address || to === address)
      .map((entry) => ({
        internal_tx_id: digest(entry.id),
        tx_id: digest(entry.name ?? `tx ${entry.block}`),
        block_timestamp: atOf(entry.block),
        from_address: tronHex(entry.from),
        to_address: tronHex(entry.to),
        data: {
          note: Buffer.from(entry.note ?? 'call').toString('hex'),
          rejected: entry.rejected ?? false,
          call_value: entry.value,
        },
      })),
    'transactions/trc20': (grid.trc20 ?? [])
      .filter(({ from, to }) => from === address || to === address)
      .map((entry) => ({
        transaction_id: digest(entry.name ?? `tx ${entry.block}`),
        token_info: { address: entry.token, symbol: entry.symbol, decimals: entry.decimals, name: 'token' },
        block_timestamp: atOf(entry.block),
        from: entry.from,
        to: entry.to,
        type: entry.type ?? 'Transfer',
        value: entry.value,
      })),
  });
  const events = (contract: string) =>
    (grid.trc20 ?? [])
      .filter(({ token }) => token === contract)
      .map((entry, n) => {
        const [from, to] = [`0x${tronHex(entry.from).slice(2)}`, `0x${tronHex(entry.to).slice(2)}`];
        return {
          transaction_id: digest(entry.name ?? `tx ${entry.block}`),
          block_number: entry.block,
          block_timestamp: atOf(entry.block),
          contract_address: contract,
          event_name: 'Transfer',
          event_index: n,
          result: { 0: from, 1: to, 2: entry.value, from, to, value: entry.value },
        };
      });

  /** Events of an issuer's contract, by name. */
  const issuerEvents = (contract: string, name: string | null) => {
    const destroyed = (grid.destroyed ?? []).map((one) => ({ ...one, name: 'DestroyedBlackFunds', who: one.from }));
    const froze = (grid.froze ?? []).map((one) => ({ ...one, name: 'AddedBlackList', value: undefined }));
    return [...destroyed, ...froze]
      .filter((one) => one.token === contract && one.name === name)
      .map(({ block, who, value }) => ({
        transaction_id: digest(`${name} ${block}`),
        block_number: block,
        block_timestamp: atOf(block),
        contract_address: contract,
        event_name: name,
        event_index: 0,
        result: { 0: `0x${tronHex(who).slice(2)}`, ...(value === undefined ? {} : { 1: value }) },
      }));
  };
  const firstBlock = () => ({
    transactions: Object.entries(grid.genesis ?? {}).map(([to, amount]) => ({
      txID: digest(`genesis ${to}`),
      raw_data: {
        contract: [{ type: 'TransferContract', parameter: { value: { amount, to_address: tronHex(to) } } }],
      },
    })),
  });

  return ({ url, body }): UpstreamReply => {
    const path = url.pathname;
    const account = /^\/v1\/accounts\/(\w+)\/(.+)$/.exec(path);
    if (account) {
      const lists = byAddress(account[1]!);
      const list = lists[account[2] as keyof typeof lists] as { block_timestamp: number }[];
      const contract = url.searchParams.get('contract_address');
      return paged(
        contract ? list.filter((entry) => JSON.stringify(entry).includes(contract)) : list,
        url.searchParams,
        'min_timestamp',
        'max_timestamp',
      );
    }
    const contract = /^\/v1\/contracts\/(\w+)\/events$/.exec(path)?.[1];
    const issued = contract ? issuerEvents(contract, url.searchParams.get('event_name')) : [];
    if (issued.length > 0) return paged(issued, url.searchParams, 'min_block_timestamp', 'max_block_timestamp');
    if (url.searchParams.get('event_name') === 'AddedBlackList')
      return paged([], url.searchParams, 'min_block_timestamp', 'max_block_timestamp');
    if (contract) return paged(events(contract), url.searchParams, 'min_block_timestamp', 'max_block_timestamp');
    const asset = /^\/v1\/assets\/(\w+)$/.exec(path)?.[1];
    if (asset)
      return {
        json: { success: true, data: grid.assets?.[asset] ? [grid.assets[asset]] : [], meta: { at: 1, page_size: 1 } },
      };

    const asked = body as Record<string, string>;
    if (path === '/wallet/getaccount') return { json: grid.accounts?.[asked.address!] ?? {} };
    if (path === '/wallet/getblockbynum') return { json: firstBlock() };
    if (path === '/wallet/gettransactionbyid')
      return { json: nodeForm(grid.txs.find(({ txID }) => txID === asked.value)) };
    if (path === '/wallet/gettransactioninfobyid') return { json: infoOf(asked.value!) };
    if (path === '/wallet/triggerconstantcontract') {
      const result = grid.constants?.[`${readTronAddress(asked.contract_address!)} ${asked.function_selector}`];
      return {
        json: result
          ? { result: { result: true }, constant_result: [result] }
          : { result: { code: 'CONTRACT_VALIDATE_ERROR' } },
      };
    }
    return { status: 404, json: { success: false, error: 'not found', statusCode: 404 } };
  };

  function infoOf(hash: string) {
    if (grid.infos?.[hash]) return grid.infos[hash];
    const tx = grid.txs.find(({ txID }) => txID === hash);
    if (!tx) return {};
    const { ret, blockNumber, block_timestamp } = tx;
    const failed = ret[0]!.contractRet !== 'SUCCESS';
    return {
      id: hash,
      fee: ret[0]!.fee,
      blockNumber,
      blockTimeStamp: block_timestamp,
      contractResult: [''],
      receipt: failed ? { result: ret[0]!.contractRet } : {},
      ...(failed ? { result: 'FAILED' } : {}),
    };
  }

  function paged(list: { block_timestamp: number }[], query: URLSearchParams, min: string, max: string): UpstreamReply {
    if (grid.failsUpTo && query.has(max)) return { status: 400, text: 'no' };
    const [from, to] = [Number(query.get(min) ?? 0), Number(query.get(max) ?? Number.MAX_SAFE_INTEGER)];
    const inRange = list
      .filter(({ block_timestamp: at }) => at >= from && at <= to)
      .sort((a, b) => b.block_timestamp - a.block_timestamp);
    if (query.get('order_by') === 'block_timestamp,asc') inRange.reverse();
    const start = grid.stuck ? 0 : Number(query.get('fingerprint') ?? 0);
    const data = inRange.slice(start, start + Number(query.get('limit')));
    const end = start + data.length;
    const isLast = grid.forgets || end >= inRange.length;
    const meta = { at: 1, page_size: data.length, ...(isLast ? {} : { fingerprint: String(end) }) };
    return { json: { success: true, data, meta } };
  }
}

/** The full node's own form has no block and leaves out what TronGrid adds. */
function nodeForm(tx: ReturnType<typeof tronTx> | undefined) {
  if (!tx) return {};
  const { txID, ret, raw_data } = tx;
  return { txID, ret, raw_data, signature: [], raw_data_hex: '' };
}

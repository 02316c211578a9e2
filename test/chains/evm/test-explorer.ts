import { movementsOfLog } from '../../../src/domain/transfers/evm-log.ts';
import type { Upstream, UpstreamReply } from '../../contract/upstream.ts';
import { balanceOf, blockHash, GAS_PRICE, GAS_USED, timeOf, type World, type WorldTransaction } from './world.ts';

export interface TestExplorer {
  style: 'etherscan' | 'blockscout';
  /** Most rows that one answer holds, whatever was asked for. */
  rowsMax?: number;
  /** What version 2 says of addresses beyond their hash. */
  names?: Record<string, Record<string, unknown>>;
}

type Row = Record<string, string | undefined>;

const ok = (result: unknown): UpstreamReply => ({ json: { status: '1', message: 'OK', result } });
const no = (message: string, result: unknown = null): UpstreamReply => ({ json: { status: '0', message, result } });
const proxied = (result: unknown): UpstreamReply => ({ json: { jsonrpc: '2.0', id: 1, result } });

/** An explorer that speaks the protocol: windows of blocks, pages, order, its own words for nothing and for nonsense. */
export function explorerUpstream(world: World, explorer: TestExplorer): Upstream {
  return ({ url }) => {
    const query = url.searchParams;
    const action = query.get('action') ?? '';
    if (url.pathname.includes('/v2/')) return versionTwo(world, explorer, url);
    switch (`${query.get('module')}/${action}`) {
      case 'account/txlist':
      case 'account/txlistinternal':
      case 'account/tokentx':
      case 'account/tokennfttx':
      case 'account/token1155tx':
        return list(world, explorer, query);
      case 'account/txsBeaconWithdrawal':
      case 'account/getminedblocks':
        return explorer.style === 'etherscan' ? gifts(world, query) : no('Unknown action');
      case 'account/balance':
        return ok(String(balanceOf(world, query.get('address')!)));
      case 'block/getblocknobytime':
        return nearest(world, explorer, query);
      case 'block/eth_block_number':
      case 'proxy/eth_blockNumber':
        return proxied(hex(world.head));
      case 'proxy/eth_getCode':
        return proxied(query.get('address')! in world.tokens ? '0x6001' : '0x');
      case 'proxy/eth_getTransactionByHash':
      case 'proxy/eth_getTransactionReceipt':
      case 'proxy/eth_getBlockByNumber':
      case 'proxy/eth_call':
        return explorer.style === 'etherscan' ? proxied(proxy(world, action, query)) : no('Unknown module');
      case 'transaction/gettxinfo':
        return txInfo(world, query.get('txhash')!);
      case 'token/getToken': {
        const token = world.tokens[query.get('contractaddress')!];
        return token ? ok({ symbol: token.symbol, decimals: String(token.decimals) }) : no('contract not found');
      }
      default:
        return no('NOTOK', 'Error! Missing Or invalid Action name');
    }
  };
}

function list(world: World, explorer: TestExplorer, query: URLSearchParams): UpstreamReply {
  const address = query.get('address');
  const from = Number(query.get('startblock') ?? 0);
  const to = Number(query.get('endblock') ?? Number.MAX_SAFE_INTEGER);
  const page = Number(query.get('page') ?? 1);
  const asked = Number(query.get('offset') ?? 10_000);
  if (page * asked > 10_000)
    return no('NOTOK', 'Result window is too large, PageNo x Offset size must be at most 10000');
  const rows = allRows(world, explorer, query.get('action')!)
    .filter((row) => !query.get('txhash') || (row.hash ?? row.transactionHash) === query.get('txhash'))
    .filter((row) => address === null || row.from === address || row.to === address)
    .filter((row) => !query.get('contractaddress') || row.contractAddress === query.get('contractaddress'))
    .filter((row) => Number(row.blockNumber) >= from && Number(row.blockNumber) <= to);
  if (query.get('sort') === 'desc') rows.reverse();
  const size = Math.min(asked, explorer.rowsMax ?? 1_000);
  const shown = rows.slice((page - 1) * size, page * size);
  return shown.length > 0 ? ok(shown) : no('No transactions found', []);
}

function gifts({ gifts: all = [] }: World, query: URLSearchParams): UpstreamReply {
  const kinds: Record<string, string> = { blocks: 'block', uncles: 'uncle' };
  const kind = kinds[query.get('blocktype') ?? ''] ?? 'withdrawal';
  const rows = all
    .filter((one) => one.kind === kind && one.to === query.get('address'))
    .map(({ block, to, value }, n) => {
      const time = String(timeOf(block) / 1_000);
      return kind === 'withdrawal'
        ? {
            withdrawalIndex: String(n),
            address: to,
            amount: String(value / 10n ** 9n),
            blockNumber: String(block),
            timestamp: time,
          }
        : { blockNumber: String(block), timeStamp: time, blockReward: String(value) };
    });
  return rows.length > 0 && query.get('page') === '1' ? ok(rows) : no('No transactions found', []);
}

/** The rows of each transaction by style and action: a suite asks for the same ones hundreds of times. */
const known = new Map<string, WeakMap<WorldTransaction, Row[]>>();

function allRows(world: World, explorer: TestExplorer, action: string): Row[] {
  const key = `${explorer.style} ${action}`;
  const ofTransaction = known.get(key) ?? new WeakMap<WorldTransaction, Row[]>();
  known.set(key, ofTransaction);
  const rowsOf = { txlist: transactionRows, txlistinternal: innerRows }[action] ?? tokenRows;
  return world.transactions.flatMap((tx) => {
    const rows = ofTransaction.get(tx) ?? rowsOf(tx, world, explorer, action);
    ofTransaction.set(tx, rows);
    return rows;
  });
}

const shared = (tx: WorldTransaction) => ({
  blockNumber: String(tx.block),
  timeStamp: String(timeOf(tx.block) / 1_000),
  input: tx.input,
  gas: '3000000',
  gasUsed: String(GAS_USED),
});

function transactionRows(tx: WorldTransaction): Row[] {
  const place = {
    blockHash: blockHash(tx.block),
    transactionIndex: String(tx.position),
    nonce: '1',
    confirmations: '9',
  };
  const failed = { isError: tx.failed ? '1' : '0', txreceipt_status: tx.failed ? '0' : '1' };
  const value = { value: String(tx.value), gasPrice: String(GAS_PRICE), contractAddress: '' };
  return [{ ...shared(tx), ...place, ...failed, ...value, hash: tx.hash, from: tx.from, to: tx.to }];
}

function innerRows(tx: WorldTransaction, _world: World, explorer: TestExplorer): Row[] {
  return tx.inner.map((move, number) => ({
    ...shared(tx),
    from: move.from,
    to: move.to,
    value: String(move.value),
    contractAddress: '',
    type: 'call',
    isError: move.failed ? '1' : '0',
    errCode: '',
    ...(explorer.style === 'etherscan'
      ? { hash: tx.hash, traceId: move.path }
      : { transactionHash: tx.hash, index: String(number + 1), callType: 'call' }),
  }));
}

function tokenRows(tx: WorldTransaction, world: World, explorer: TestExplorer, action: string): Row[] {
  const kinds: Record<string, string> = { tokentx: 'token', tokennfttx: 'nft' };
  return tx.logs.flatMap((log) =>
    movementsOfLog(log)
      .filter(({ kind }) => kind === kinds[action])
      .map((moved): Row => {
        const token = world.tokens[log.address];
        const place = { blockHash: blockHash(tx.block), transactionIndex: String(tx.position), nonce: '1' };
        const what = moved.tokenId === null ? { value: String(moved.amountRaw) } : { tokenID: moved.tokenId };
        const name = { tokenName: token?.symbol ?? '', tokenSymbol: token?.symbol ?? '' };
        return {
          ...shared(tx),
          ...place,
          ...what,
          ...name,
          tokenDecimal: String(token?.decimals ?? ''),
          hash: tx.hash,
          from: moved.from,
          to: moved.to,
          contractAddress: log.address,
          gasPrice: String(GAS_PRICE),
          input: 'deprecated',
          ...(explorer.style === 'blockscout' ? { logIndex: String(log.index) } : {}),
        };
      }),
  );
}

function nearest(world: World, explorer: TestExplorer, query: URLSearchParams): UpstreamReply {
  const wanted = Number(query.get('timestamp')) * 1_000;
  const blocks = Array.from({ length: world.head + 1 }, (_, block) => block);
  const found =
    query.get('closest') === 'after'
      ? blocks.find((block) => timeOf(block) >= wanted)
      : blocks.findLast((block) => timeOf(block) <= wanted);
  if (found === undefined) return no('NOTOK', 'Error! No closest block found');
  return ok(explorer.style === 'etherscan' ? String(found) : { blockNumber: String(found) });
}

function proxy(world: World, action: string, query: URLSearchParams): unknown {
  if (action === 'eth_getBlockByNumber') return nodeBlock(Number(query.get('tag')));
  if (action === 'eth_call') return nodeCall(world, query.get('to')!, query.get('data')!);
  const tx = world.transactions.find(({ hash }) => hash === query.get('txhash'));
  if (!tx) return null;
  return action === 'eth_getTransactionByHash' ? nodeTransaction(tx) : nodeReceipt(tx);
}

function txInfo(world: World, hash: string): UpstreamReply {
  const tx = world.transactions.find((one) => one.hash === hash);
  if (!tx) return no('Transaction not found');
  return ok({
    ...shared(tx),
    hash,
    from: tx.from,
    to: tx.to,
    value: String(tx.value),
    gasPrice: String(GAS_PRICE),
    success: !tx.failed,
    logs: tx.logs.map((log) => ({ ...log, index: String(log.index), topics: [...log.topics, null] })),
    next_page_params: null,
  });
}

const V2_ROWS = 50;

/** Blockscout's REST: the transfers of a token, and who is who, 50 at a time behind an opaque cursor. */
function versionTwo(world: World, explorer: TestExplorer, url: URL): UpstreamReply {
  const [, kind, address, list] = /\/v2\/(\w+)\/(0x\w+)(?:\/([\w-]+))?$/.exec(url.pathname) ?? [];
  if (explorer.style !== 'blockscout' || !address) return { status: 404, json: { message: 'Not found' } };
  const party = (hash: string) => ({ hash, is_contract: hash in world.tokens, ...explorer.names?.[hash] });
  if (kind === 'addresses' && !list) return { json: party(address) };
  if (list === 'withdrawals') {
    const given = (world.gifts ?? []).filter((one) => one.kind === 'withdrawal' && one.to === address);
    const items = given.map(({ block, to, value }, index) => ({
      index,
      validator_index: 4,
      receiver: party(to),
      amount: String(value),
      block_number: block,
      timestamp: new Date(timeOf(block)).toISOString(),
    }));
    return { json: { items, next_page_params: null } };
  }
  const rows = world.transactions.flatMap((tx) =>
    (list === 'transactions' ? [{ from: tx.from, to: tx.to, token: null, log: null, raw: '0' }] : moves(tx)).map(
      (row) => ({
        ...row,
        tx,
      }),
    ),
  );
  const wanted = rows
    .filter(({ from, to, token }) => (kind === 'tokens' ? token === address : from === address || to === address))
    .reverse();
  const start = Number(url.searchParams.get('items_count') ?? 0);
  const items = wanted.slice(start, start + V2_ROWS).map(({ tx, log, from, to, token, raw }) => ({
    transaction_hash: tx.hash,
    block_number: tx.block,
    block_hash: blockHash(tx.block),
    timestamp: new Date(timeOf(tx.block)).toISOString(),
    log_index: log,
    from: party(from),
    to: party(to),
    method: 'transfer',
    token: token && {
      address_hash: token,
      symbol: world.tokens[token]?.symbol,
      decimals: String(world.tokens[token]?.decimals),
      type: 'ERC-20',
    },
    total: { value: raw, decimals: '6' },
  }));
  const more = start + V2_ROWS < wanted.length;
  return { json: { items, next_page_params: more ? { items_count: start + V2_ROWS, fiat_value: null } : null } };
}

function moves(tx: WorldTransaction) {
  return tx.logs.flatMap((log) =>
    movementsOfLog(log).map(({ from, to, amountRaw }) => ({
      from,
      to,
      token: log.address,
      log: log.index,
      raw: String(amountRaw),
    })),
  );
}

export const hex = (value: number | bigint) => `0x${value.toString(16)}`;
export const nodeBlock = (number: number) => ({
  number: hex(number),
  hash: blockHash(number),
  timestamp: hex(timeOf(number) / 1_000),
});
export const nodeTransaction = (tx: WorldTransaction) => ({
  hash: tx.hash,
  blockNumber: hex(tx.block),
  blockHash: blockHash(tx.block),
  transactionIndex: hex(tx.position),
  from: tx.from,
  to: tx.to,
  value: hex(tx.value),
  input: tx.input,
  gasPrice: hex(GAS_PRICE),
  type: '0x2',
});
export const nodeLog = (tx: WorldTransaction, log: WorldTransaction['logs'][number]) => ({
  address: log.address,
  topics: log.topics,
  data: log.data,
  blockNumber: hex(tx.block),
  blockHash: blockHash(tx.block),
  transactionHash: tx.hash,
  transactionIndex: hex(tx.position),
  logIndex: hex(log.index),
  removed: false,
});
export const nodeReceipt = (tx: WorldTransaction) => ({
  transactionHash: tx.hash,
  from: tx.from,
  to: tx.to,
  status: tx.failed ? '0x0' : '0x1',
  gasUsed: hex(GAS_USED),
  effectiveGasPrice: hex(GAS_PRICE),
  contractAddress: null,
  logs: tx.failed ? [] : tx.logs.map((log) => nodeLog(tx, log)),
});
export function nodeCall(world: World, to: string, data: string): string {
  const token = world.tokens[to];
  if (!token) return '0x';
  if (data === '0x313ce567') return `0x${token.decimals.toString(16).padStart(64, '0')}`;
  return `0x${Buffer.from(token.symbol).toString('hex').padEnd(64, '0')}`;
}

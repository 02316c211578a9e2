import { getCreateAddress } from 'ethers';
import { afterEach, describe, expect, it } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { SourceError } from '../../../src/errors.ts';
import { type ServedUpstream, serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { explorerUpstream, type TestExplorer } from './test-explorer.ts';
import { nodeUpstream } from './test-node.ts';
import {
  addressOf,
  busyWorld,
  hashOf,
  ME,
  MIXED,
  PEER,
  TOKEN,
  timeOf,
  transaction,
  transferLog,
  type World,
} from './world.ts';

const servers: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function open(
  upstream: Upstream,
  settings: { style?: TestExplorer['style']; node?: Upstream; pageLimit?: number } = {},
) {
  const explorer = await serveUpstream(upstream);
  const node = settings.node && (await serveUpstream(settings.node));
  servers.push(explorer, ...(node ? [node] : []));
  const urls = { explorerUrl: `${explorer.url}/api`, rpcUrl: node?.url, explorerKey: 'k' };
  const source = openEvm(
    'polygon',
    { ...urls, explorerStyle: settings.style ?? 'etherscan' },
    {
      pageLimit: settings.pageLimit ?? 50,
    },
  );
  return { source, explorer, node };
}

const payments = (count: number, block: (n: number) => number): World => ({
  head: 1_000_000,
  tokens: {},
  transactions: Array.from({ length: count }, (_, n) =>
    transaction({
      hash: hashOf(`p${n}`),
      block: block(n),
      position: n,
      // The first one pays for all that follow.
      ...(n === 0 ? { from: PEER, to: ME, value: 10n ** 24n } : { value: BigInt(n + 1) }),
    }),
  ),
});
const notok = (result: unknown) => ({ json: { status: '0', message: 'NOTOK', result } });

it.each([
  ['', '', null, '7000'],
  ['Whole', 'WHL', 0, '7000'],
])(
  'the 0 that an explorer writes for the decimals of a token named "%s" is a number only with a name',
  async (...row) => {
    const [tokenName, tokenSymbol, decimals, amount] = row;
    const named = { tokenName, tokenSymbol, tokenDecimal: '0', contractAddress: TOKEN };
    const listed = { hash: hashOf('bare'), blockNumber: '7', timeStamp: String(timeOf(7) / 1_000), from: PEER, to: ME };
    const { source } = await open(({ url }) => {
      const action = url.searchParams.get('action');
      if (action === 'eth_call') return { json: { jsonrpc: '2.0', id: 1, result: '0x' } };
      if (action === 'tokentx')
        return { json: { status: '1', message: 'OK', result: [{ ...listed, ...named, value: amount }] } };
      if (action === 'balance') return { json: { status: '1', message: 'OK', result: '0' } };
      return { json: { status: '0', message: 'No transactions found', result: [] } };
    });
    expect((await source.history(ME)).transfers).toMatchObject([{ token: TOKEN, decimals, amount, amountRaw: amount }]);
  },
);

it.each([
  ['created', { created_contract: { hash: TOKEN } }],
  ['would have created', { created_contract: null }],
])('Blockscout alone says which contract a payment %s', async (_, more) => {
  const hash = hashOf('created');
  const row = { hash, blockNumber: '7', timeStamp: String(timeOf(7) / 1_000), from: ME, to: null, value: '5' };
  const { source } = await open(
    ({ url }) => {
      if (url.pathname.endsWith(`/v2/transactions/${hash}`)) return { json: { from: { hash: ME }, nonce: 4, ...more } };
      if (url.searchParams.get('action') !== 'gettxinfo') return notok('No internal transactions found');
      return { json: { status: '1', message: 'OK', result: { ...row, input: '0x60', success: true, logs: [] } } };
    },
    { style: 'blockscout' },
  );
  const made = getCreateAddress({ from: ME, nonce: 4 }).toLowerCase();
  const to = more.created_contract?.hash ?? made;
  expect((await source.transaction(hash))!.transfers).toMatchObject([{ from: ME, to, amountRaw: '5' }]);
});

it.each([
  ['is not asked for where it was paid nothing', '0', 0],
  ['is unknown where the explorer fails to say it', '5', 1],
])('the contract that a transaction created %s', async (_, value, asked) => {
  const hash = hashOf('created');
  const row = { hash, blockNumber: '7', timeStamp: String(timeOf(7) / 1_000), from: ME, to: null, value };
  let pages = 0;
  const { source } = await open(
    ({ url }) => {
      if (url.pathname.endsWith(`/v2/transactions/${hash}`)) {
        pages += 1;
        return { text: '['.repeat(200) + ']'.repeat(200) };
      }
      if (url.searchParams.get('action') !== 'gettxinfo') return notok('No internal transactions found');
      return { json: { status: '1', message: 'OK', result: { ...row, input: '0x60', success: true, logs: [] } } };
    },
    { style: 'blockscout' },
  );
  expect(await source.transaction(hash)).toMatchObject({ status: 'success', transfers: [], accounts: [ME] });
  expect(pages).toBe(asked);
});

it('a list with fewer sent transactions than the node counts is not whole', async () => {
  const world = payments(6, (n) => 100 + n);
  const node = nodeUpstream(world, { chain: 'polygon' });
  const known = await (await open(explorerUpstream(world, { style: 'etherscan' }), { node })).source.history(ME);
  expect(known.coverage.reasons).not.toContain('sent_not_listed');
  const listed = { ...world, transactions: world.transactions.slice(0, -1) };
  const { coverage, read } = await (
    await open(explorerUpstream(listed, { style: 'etherscan' }), { node })
  ).source.history(ME);
  expect(coverage).toMatchObject({ complete: false, reasons: expect.arrayContaining(['sent_not_listed']) });
  expect(read.map(({ list }) => list)).not.toContain('coin');
});

describe('an Etherscan-like explorer', () => {
  it('is asked with chain id and key, and in windows that never reach its limit of rows', async () => {
    const { source, explorer } = await open(explorerUpstream(busyWorld(), { style: 'etherscan' }));
    await source.history(ME);
    for (const { url } of explorer.requests) {
      expect(url.pathname).toBe('/api');
      expect(url.searchParams.get('chainid')).toBe('137');
      expect(url.searchParams.get('apikey')).toBe('k');
      expect(Number(url.searchParams.get('page') ?? 1)).toBe(1);
    }
  });

  it('completes the facts of a transaction from every list that holds it', async () => {
    const { source } = await open(explorerUpstream(busyWorld(), { style: 'etherscan' }));
    const sent = (await source.history(ME)).transfers.find(
      ({ txHash, kind }) => txHash === hashOf('token 0') && kind === 'token',
    );
    expect(sent).toMatchObject({ kind: 'token', position: 1, txSender: ME, fee: '0.000042', assetType: null });
    const mixed = (await source.history(MIXED)).transfers.filter(({ txHash }) => txHash === hashOf('mixed 3'));
    const inner = mixed.find(({ kind }) => kind === 'internal');
    const deed = mixed.find(({ kind }) => kind === 'nft');
    expect(inner).toMatchObject({ position: deed!.position, blockHash: deed!.blockHash, txSender: null });
    expect([deed!.position, deed!.assetType]).toEqual([0, 'erc721']);
  });

  it('gives each row of a block that is fuller than a page exactly once', async () => {
    const world = payments(2_300, () => 500);
    const { source } = await open(explorerUpstream(world, { style: 'etherscan' }));
    const history = await source.history(ME);
    expect(history.transfers).toHaveLength(2_300);
    expect(history.coverage).toEqual({ complete: true, sources: ['explorer'], reasons: [] });
  });

  it('reads on around a block that is fuller than a page', async () => {
    const world = payments(3_200, (n) => (n < 300 ? n : n < 2_700 ? 500 : n));
    const { source } = await open(explorerUpstream(world, { style: 'etherscan' }));
    expect((await source.history(ME)).transfers).toHaveLength(3_200);
  });

  it.each([10, 20, 25, 100, 137])('is read whole though it caps its pages at %i rows', async (rowsMax) => {
    const world = payments(310, (n) => n);
    const { source } = await open(explorerUpstream(world, { style: 'etherscan', rowsMax }));
    expect((await source.history(ME)).transfers).toHaveLength(310);
  });

  it('is read whole though it knows no descending order', async () => {
    const honest = explorerUpstream(
      payments(2_500, (n) => n),
      { style: 'etherscan' },
    );
    const { source } = await open((request) => {
      request.url.searchParams.delete('sort');
      return honest(request);
    });
    expect((await source.history(ME)).transfers).toHaveLength(2_500);
  });

  it('keeps the newest rows where the page limit ends the reading', async () => {
    const { source } = await open(
      explorerUpstream(
        payments(5_000, (n) => n),
        { style: 'etherscan' },
      ),
      { pageLimit: 2 },
    );
    const history = await source.history(ME);
    const blocks = history.transfers.map(({ block }) => block!);
    expect(Math.max(...blocks)).toBe(4_999);
    expect(Math.min(...blocks)).toBe(3_001);
    expect(history.coverage).toMatchObject({ complete: false, reasons: ['page_limit'] });
  });

  it('is asked again after a rate limit, or a pause of its free plan, that comes with HTTP 200', async () => {
    const honest = explorerUpstream(busyWorld(), { style: 'etherscan' });
    let refusals = 0;
    const { source } = await open((request) => {
      if (refusals++ < 1) return notok('Max calls per sec rate limit reached (3/sec)');
      if (refusals++ < 3) return notok('Free API access is temporarily unavailable, please upgrade');
      return honest(request);
    });
    expect((await source.history(MIXED)).transfers).toHaveLength(6);
  });

  it.each([
    ['2', 'Some internal transactions within this block range have not yet been processed'],
    ['0', 'Internal transactions have not been processed yet'],
  ])('is not whole where Blockscout says with status %s that it has not read all', async (status, message) => {
    const honest = explorerUpstream(busyWorld(), { style: 'blockscout' });
    const { source } = await open(
      (request) =>
        request.url.searchParams.get('action') === 'txlistinternal'
          ? { json: { status, message, result: [] } }
          : honest(request),
      { style: 'blockscout' },
    );
    const { coverage } = await source.history(MIXED);
    expect([coverage.complete, coverage.reasons]).toEqual([false, ['explorer_indexing']]);
  });

  it('is asked for half the blocks when its query times out', async () => {
    const honest = explorerUpstream(
      payments(40, (n) => n * 20_000),
      { style: 'etherscan' },
    );
    const { source } = await open((request) => {
      const query = request.url.searchParams;
      const wide = Number(query.get('endblock') ?? 10 ** 9) - Number(query.get('startblock')) > 300_000;
      if (query.get('module') === 'account' && query.get('action') === 'txlist' && wide) {
        return notok('Query Timeout occured. Please select a smaller result dataset');
      }
      return honest(request);
    });
    expect((await source.history(ME)).transfers).toHaveLength(40);
  });

  it.each(['Invalid API Key (#err2)', 'Missing or unsupported chainid parameter', 'Free API access is not supported'])(
    'ends the reading with the reason: %s',
    async (reason) => {
      const { source } = await open(() => notok(reason));
      await expect(source.history(ME)).rejects.toMatchObject({ reason: expect.stringContaining(reason) });
    },
  );

  it('that refuses with an empty list is not taken to list nothing', async () => {
    const { source } = await open(() => notok([]));
    await expect(source.history(ME)).rejects.toMatchObject({ reason: expect.stringContaining('NOTOK') });
  });

  it('that answers with another address is not believed', async () => {
    const { source } = await open(explorerUpstream(busyWorld(), { style: 'etherscan' }));
    const liar = await open((request) => {
      if (request.url.searchParams.has('address')) request.url.searchParams.set('address', ME);
      return explorerUpstream(busyWorld(), { style: 'etherscan' })(request);
    });
    await expect(source.history(MIXED)).resolves.toMatchObject({ found: true });
    await expect(liar.source.history(MIXED)).rejects.toBeInstanceOf(SourceError);
  });

  it('without a list of NFTs leaves a reason, not an error', async () => {
    const honest = explorerUpstream(busyWorld(), { style: 'etherscan' });
    const { source } = await open((request) =>
      /nft|1155/.test(request.url.searchParams.get('action') ?? '')
        ? notok('Error! Missing Or invalid Action name')
        : honest(request),
    );
    expect((await source.history(MIXED)).coverage).toMatchObject({ complete: false, reasons: ['nft_not_listed'] });
  });
});

describe.each(['etherscan', 'blockscout'] as const)('a span of time on %s', (style) => {
  it('outside the life of the chain holds nothing', async () => {
    const { source } = await open(explorerUpstream(busyWorld(), { style }), { style });
    const query = { token: TOKEN, address: ME, limit: 500 };
    for (const [from, to] of [
      [-900, -1],
      [40_001, 50_000],
      [9, 8],
    ] as const) {
      expect(await source.tokenTransfers({ ...query, from: timeOf(from), to: timeOf(to) })).toEqual({
        symbol: null,
        transfers: [],
        reasons: [],
      });
    }
  });

  it('holds payments, inner moves and failed ones where coin is asked for', async () => {
    const { source } = await open(explorerUpstream(busyWorld(), { style }), { style });
    const found = await source.tokenTransfers({
      token: 'native',
      address: MIXED,
      from: timeOf(39_601),
      to: timeOf(39_602),
      limit: 500,
    });
    expect(found).toMatchObject({ symbol: 'POL', reasons: [] });
    expect(found.transfers.map(({ kind, failed }) => [kind, failed])).toEqual([
      ['internal', false],
      ['native', true],
    ]);
  });
});

it('a transfer that Blockscout lists without its time or amount is a gap of the list, and hides no other, of an unread token either', async () => {
  const item = (n: number, change: object) => ({
    transaction_hash: hashOf(`row ${n}`),
    log_index: '3',
    timestamp: '2024-01-16T10:00:00.000000Z',
    from: { hash: ME },
    to: { hash: PEER },
    total: { decimals: '6', value: '1500000' },
    token: { symbol: 'FAB', decimals: '6', type: 'ERC-20' },
    ...change,
  });
  const copies = { token: null, token_type: 'ERC-1155', total: { token_id: '9', value: '2' } };
  const items = [
    item(1, { timestamp: null }),
    item(2, {}),
    item(3, { total: { decimals: '6', value: null } }),
    item(4, copies),
  ];
  const world = explorerUpstream(busyWorld(), { style: 'blockscout' });
  const { source } = await open(
    (request) =>
      request.url.pathname.includes('/v2/tokens/') ? { json: { items, next_page_params: null } } : world(request),
    { style: 'blockscout' },
  );
  const { transfers, reasons } = await source.tokenTransfers({ token: TOKEN, from: 0, to: Date.now(), limit: 10 });
  expect(transfers.map(({ txHash, amount, tokenId }) => [txHash, amount, tokenId]).sort()).toEqual(
    [
      [hashOf('row 2'), '1.5', null],
      [hashOf('row 4'), '2', '9'],
    ].sort(),
  );
  expect(reasons).toEqual(['explorer_indexing', 'amount_not_stated']);
});

describe('what explorers list becomes transfers', () => {
  const expected = (index: (log: number) => string | null, inner: string) => [
    ['native', '0.3', false],
    ['native', '0.000000000000000002', true],
    [index(0), '0.000005', false],
    [index(1), '0.000005', false],
    [index(2), '1', false],
    [inner, '0.000000000000000008', false],
  ];
  const shown = (history: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['source']['history']>>) =>
    history.transfers
      .toSorted((a, b) => a.block! - b.block! || (a.seq ?? 1) - (b.seq ?? 1) || b.amount.length - a.amount.length)
      .map(({ index, amount, failed }) => [index, amount, failed]);

  it('with indexes of logs where the explorer gives them', async () => {
    const { source } = await open(explorerUpstream(busyWorld(), { style: 'blockscout' }), { style: 'blockscout' });
    const history = await source.history(MIXED);
    expect(shown(history)).toEqual(expected((log) => `log:${log}`, 'trace:1'));
    expect(history).toMatchObject({
      addressType: 'wallet',
      transactionCount: 3,
      balance: '0.299958000000000008',
      balances: [{ token: null, at: null, amount: '0.299958000000000008' }],
    });
    const { transfers } = history;
    const around = { direction: 'backward', txHash: '', block: transfers[0]!.block, at: transfers[0]!.at } as const;
    expect((await source.historyAround(MIXED, { ...around, pages: 3 })).balances).toEqual([]);
  });

  it('without places of logs where the explorer lacks them, and never asks for receipts to learn them', async () => {
    const world = busyWorld();
    const { source } = await open(explorerUpstream(world, { style: 'etherscan' }), {
      node: nodeUpstream(world, { chain: 'polygon' }),
    });
    const history = await source.history(MIXED);
    expect(shown(history)).toEqual(expected(() => null, 'trace:0_1'));
    expect(history.coverage.sources).toEqual(['explorer', 'rpc']);
    expect(history.transfers.find(({ kind }) => kind === 'token')).toMatchObject({ txSender: null, asset: 'FAB' });
  });

  it('with equal ids from every source, lists and transaction, also where a transaction moves the same twice', async () => {
    const world = busyWorld();
    const [bare, indexed] = [
      await open(explorerUpstream(world, { style: 'etherscan' })),
      await open(explorerUpstream(world, { style: 'blockscout' }), { style: 'blockscout' }),
    ];
    const node = await open(explorerUpstream(world, { style: 'etherscan' }), {
      node: nodeUpstream(world, { chain: 'polygon' }),
    });
    const idsOf = (transfers: readonly { token: string | null; id: string }[]) =>
      transfers.flatMap(({ token, id }) => (token === null ? [] : [id])).sort();
    const ids = idsOf((await bare.source.history(MIXED)).transfers);
    expect(new Set(ids).size).toBe(3);
    expect(idsOf((await indexed.source.history(MIXED)).transfers)).toEqual(ids);
    for (const { source } of [bare, indexed, node]) {
      expect(idsOf((await source.transaction(hashOf('mixed 3')))!.transfers)).toEqual(ids);
    }
  });

  it('ask no node for places of logs: 400 token transfers cost a handful of requests', async () => {
    const received = Array.from({ length: 400 }, (_, n) =>
      transaction({ hash: hashOf(`r${n}`), block: n + 1, from: PEER, to: TOKEN, logs: [transferLog(n, PEER, ME, 5n)] }),
    );
    const taken = transaction({
      hash: hashOf('taken'),
      block: 500,
      from: PEER,
      to: TOKEN,
      logs: [transferLog(0, ME, PEER, 7n)],
    });
    const world: World = {
      head: 1_000,
      tokens: { [TOKEN]: { symbol: 'FAB', decimals: 6 } },
      transactions: [...received, taken],
    };
    const { source, explorer, node } = await open(explorerUpstream(world, { style: 'etherscan' }), {
      node: nodeUpstream(world, { chain: 'polygon' }),
    });
    const { transfers } = await source.history(ME);
    expect(new Set(transfers.map(({ id }) => id)).size).toBe(401);
    expect(explorer.requests.length + node!.requests.length).toBeLessThanOrEqual(17);
    const asked = node!.requests.flatMap(({ body }) =>
      [body].flat().map((call) => (call as { method: string }).method),
    );
    // Tokens that left without a transaction of the address: the signer may have taken them; and the last of those that came.
    expect(asked.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(4);
    expect(transfers.find(({ from }) => from === ME)).toMatchObject({ txSender: PEER });
    expect(transfers.filter(({ to, txSender }) => to === ME && txSender === PEER)).toHaveLength(3);
  });

  it('lists what passed through a contract that has destroyed itself, and looks like a wallet never used', async () => {
    const gone = addressOf('destroyed');
    const move = (path: string, from: string, to: string) => ({ path, from, to, value: 9n, failed: false });
    const inner = [move('0', PEER, gone), move('1', gone, MIXED)];
    const world = { head: 100, tokens: {}, transactions: [transaction({ hash: hashOf('relayed'), block: 9, inner })] };
    const upstream = explorerUpstream(world, { style: 'etherscan' });
    const { source } = await open(upstream, { node: nodeUpstream(world, { chain: 'polygon' }) });
    const history = await source.history(gone);
    expect(history).toMatchObject({ found: true, balance: '0', sent: 0 });
    expect(history.transfers.map(({ from, to }) => [from, to])).toEqual([
      [PEER, gone],
      [gone, MIXED],
    ]);
  });

  it('fails inner moves with the frame around them', async () => {
    const { source } = await open(explorerUpstream(busyWorld(), { style: 'etherscan' }));
    const inner = (await source.history(PEER)).transfers.filter(({ kind }) => kind === 'internal');
    expect(inner.map(({ index, failed }) => [index, failed]).sort()).toEqual([
      ['trace:1', true],
      ['trace:1_0', true],
    ]);
  });

  it('counts gas as the fee and the sender of the transaction as its signer', async () => {
    const { source } = await open(explorerUpstream(busyWorld(), { style: 'etherscan' }));
    const [failed] = (await source.history(MIXED)).transfers.filter((transfer) => transfer.failed);
    expect(failed).toMatchObject({ fee: '0.000042', txSender: MIXED, position: 0, at: timeOf(39_601), asset: 'POL' });
  });

  it('does not double NFT moves that stand in two lists', async () => {
    const world: World = {
      head: 10,
      tokens: { [TOKEN]: { symbol: 'FAB', decimals: 6 } },
      transactions: [transaction({ hash: hashOf('t'), block: 5, to: TOKEN, logs: [transferLog(4, ME, PEER, 1n)] })],
    };
    const honest = explorerUpstream(world, { style: 'blockscout' });
    const { source } = await open(
      (request) => {
        if (request.url.searchParams.get('action') === 'token1155tx') request.url.searchParams.set('action', 'tokentx');
        return honest(request);
      },
      { style: 'blockscout' },
    );
    expect((await source.history(ME)).transfers.filter(({ token }) => token === TOKEN)).toHaveLength(1);
  });

  it.each([
    ['3', '3', 'erc1155'],
    ['0', '1', 'erc721'],
  ])(
    'reads a quantity of %s of a collectible that stands in the list of single ones as %s',
    async (tokenValue, amount, assetType) => {
      const honest = explorerUpstream({ head: 10, tokens: {}, transactions: [] }, { style: 'etherscan' });
      const row = { hash: hashOf('n'), blockNumber: '5', timeStamp: String(timeOf(5) / 1_000), from: PEER, to: ME };
      const collectible = { ...row, contractAddress: TOKEN, tokenID: '7', tokenValue, tokenSymbol: 'FAB' };
      const { source } = await open((request) =>
        request.url.searchParams.get('action') === 'tokennfttx'
          ? { json: { status: '1', message: 'OK', result: [collectible] } }
          : honest(request),
      );
      expect((await source.history(ME)).transfers).toMatchObject([{ tokenId: '7', amount, assetType }]);
    },
  );
});

describe('a Blockscout alone', () => {
  const stating = (answer: object) => {
    const honest = explorerUpstream(busyWorld(), { style: 'blockscout' });
    const upstream: Upstream = (request) =>
      request.url.pathname.endsWith('/eth-rpc') ? { json: { jsonrpc: '2.0', id: 1, ...answer } } : honest(request);
    return open(upstream, { style: 'blockscout' });
  };

  it.each([
    ['another chain', { result: '0x1' }, 'serves ethereum (chain id 1), not polygon (137)'],
    ['nonsense', { result: 'polygon' }, 'eth_chainId'],
  ])('that serves %s gives nothing, and is asked for its chain alone', async (_, answer, reason) => {
    const { source, explorer } = await stating(answer);
    const span = { token: TOKEN, from: timeOf(1), to: timeOf(9), limit: 5 };
    const asked = [() => source.history(ME), () => source.account(ME), () => source.transaction(hashOf('token 0'))];
    for (const ask of [...asked, () => source.tokenTransfers(span)]) {
      await expect(ask()).rejects.toMatchObject({
        problem: expect.stringMatching(/^(other_network|unusable_answer)$/),
        reason: expect.stringContaining(reason),
      });
    }
    expect(new Set(explorer.requests.map(({ url }) => url.pathname))).toEqual(new Set(['/api/eth-rpc']));
  });

  it.each([
    ['states its chain', { result: '0x89' }],
    ['has no method that would', { error: { code: -32_601, message: 'Method not found' } }],
  ])('that %s is asked for it once', async (_, answer) => {
    const { source, explorer } = await stating(answer);
    await source.account(ME);
    expect((await source.history(ME)).found).toBe(true);
    expect(explorer.requests.filter(({ url }) => url.pathname === '/api/eth-rpc')).toHaveLength(1);
  });
});

describe('names that Blockscout shows', () => {
  it('become tags of the address and its counterparties; only public tags say a category', async () => {
    const names = {
      [PEER]: {
        metadata: {
          tags: [
            { slug: 'binance', name: 'Binance 14', tagType: 'name' },
            { slug: 'exchange', name: 'Exchange', tagType: 'generic' },
          ],
        },
      },
      [TOKEN]: { name: 'Exchange\u202e Router', public_tags: [] },
    };
    const upstream = explorerUpstream(busyWorld(), { style: 'blockscout', names });
    const { source } = await open(upstream, { style: 'blockscout' });
    const { tags } = await source.history(MIXED);
    expect(tags).toEqual([{ address: PEER, label: 'Binance 14', category: 'exchange' }]);
    expect((await source.history(ME)).tags).toContainEqual({
      address: TOKEN,
      label: 'Exchange Router',
      category: 'other',
    });
  });
});

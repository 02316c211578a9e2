import { expect, it, onTestFinished } from 'vitest';
import { openBitcoin } from '../../src/chains/bitcoin/bitcoin.ts';
import { openEvm } from '../../src/chains/evm/evm.ts';
import type { AddressHistory, ChainSource } from '../../src/chains/port.ts';
import { fetchSince } from '../../src/tracing/read/history.ts';
import { esplora, transaction as payment, wallet } from '../chains/bitcoin/esplora-upstream.ts';
import { explorerUpstream } from '../chains/evm/test-explorer.ts';
import { nodeUpstream } from '../chains/evm/test-node.ts';
import {
  addressOf,
  hashOf,
  ME,
  PEER,
  TOKEN,
  timeOf,
  transaction,
  transferLog,
  type World,
  type WorldTransaction,
} from '../chains/evm/world.ts';
import { serveUpstream, type Upstream } from '../contract/upstream.ts';

async function serve(upstream: Upstream) {
  const server = await serveUpstream(upstream);
  onTestFinished(() => server.close());
  return server;
}

const idsOf = ({ transfers }: AddressHistory) => transfers.map(({ id }) => id).toSorted();

/** Reads on after the world has changed, and compares with reading all again. */
async function readOnAndWhole(source: ChainSource, address: string, readAt: number, change: () => void) {
  const history = await source.history(address);
  change();
  const more = (await fetchSince(source, address, { history, readAt }, {}))?.history;
  return { history, more, whole: await source.history(address) };
}

const busy = (): World => ({
  head: 40_000,
  tokens: {},
  transactions: Array.from({ length: 1_500 }, (_, n) =>
    transaction({
      hash: hashOf(`paid ${n}`),
      block: 100 + n * 20,
      from: n % 2 ? ME : PEER,
      to: n % 2 ? PEER : ME,
      // The first one pays for all that follow.
      value: n === 0 ? 10n ** 24n : 5n,
    }),
  ),
});

it('reads an EVM address on: what is new comes, what a reorganisation took leaves, and few are asked for', async () => {
  const world = busy();
  const server = await serve(explorerUpstream(world, { style: 'etherscan' }));
  const source = openEvm('ethereum', { explorerUrl: server.url }, { pageLimit: 50 });
  const last = world.transactions.at(-1)!;
  const readAt = timeOf(last.block) + 60_000;
  const { history, more, whole } = await readOnAndWhole(source, ME, readAt, () => {
    world.transactions.pop();
    const block = last.block + 30;
    world.transactions.push(
      transaction({ hash: hashOf('new'), block, to: PEER, value: 7n, logs: [transferLog(0, ME, PEER, 3n)] }),
    );
    server.requests.length = 0;
  });
  expect(idsOf(more!)).toEqual(idsOf(whole));
  expect(idsOf(more!)).not.toEqual(idsOf(history));
  expect(more!.read).toEqual(whole.read);
  expect(more!.coverage).toEqual(whole.coverage);
  expect(more!.transactionCount).toBeGreaterThanOrEqual(whole.transactionCount);
  const asked = server.requests.map(({ url }) => url.searchParams);
  expect(asked.filter((query) => query.get('action') === 'txlist')[0]!.get('startblock')).not.toBe('0');
});

it('lists the collectibles of an address again only once it has sent something', async () => {
  const world = busy();
  const [explorer, node] = [
    await serve(explorerUpstream(world, { style: 'etherscan' })),
    await serve(nodeUpstream(world)),
  ];
  const settings = { explorerUrl: explorer.url, rpcUrl: node.url };
  const source = openEvm('ethereum', settings, { pageLimit: 50 });
  const history = await source.history(ME);
  const known = { history, readAt: timeOf(40_000) };
  const collectiblesAsked = async (added: WorldTransaction | null) => {
    if (added) world.transactions.push(added);
    explorer.requests.length = 0;
    expect(await fetchSince(source, ME, known, {})).not.toBeNull();
    return explorer.requests.filter(({ url }) => /nft|1155/.test(url.searchParams.get('action') ?? '')).length;
  };
  expect(await collectiblesAsked(null)).toBe(0);
  expect(await collectiblesAsked(transaction({ hash: hashOf('received'), block: 39_000, from: PEER, to: ME }))).toBe(0);
  expect(await collectiblesAsked(transaction({ hash: hashOf('sent'), block: 39_001 }))).toBe(2);
});

it('knows who signed for tokens that left since, as a whole reading does', async () => {
  const world = busy();
  const [explorer, node] = [
    await serve(explorerUpstream(world, { style: 'etherscan' })),
    await serve(nodeUpstream(world)),
  ];
  const source = openEvm('ethereum', { explorerUrl: explorer.url, rpcUrl: node.url }, { pageLimit: 50 });
  const taken = hashOf('taken');
  const { more, whole } = await readOnAndWhole(source, ME, timeOf(39_000), () => {
    const logs = [transferLog(0, ME, addressOf('keeper'), 3n)];
    world.transactions.push(transaction({ hash: taken, block: 38_999, from: PEER, to: TOKEN, logs }));
  });
  const signer = (history: AddressHistory) => history.transfers.find(({ txHash }) => txHash === taken)?.txSender;
  expect(signer(whole)).toBe(PEER);
  expect(signer(more!)).toBe(PEER);
});

it('reads nothing on from a reading that contradicted what was known, or that a source had not finished', async () => {
  const server = await serve(explorerUpstream(busy(), { style: 'etherscan' }));
  const source = openEvm('ethereum', { explorerUrl: server.url }, { pageLimit: 50 });
  const history = await source.history(ME);
  const readOnDespite = (reasons: string[]) => {
    const unsure = { ...history, coverage: { ...history.coverage, reasons } };
    return fetchSince(source, ME, { history: unsure, readAt: timeOf(40_000) }, {});
  };
  expect(await readOnDespite([])).not.toBeNull();
  expect(await readOnDespite(['conflict'])).toBeNull();
  expect(await readOnDespite(['explorer_indexing'])).toBeNull();
});

it('reads a Bitcoin address on by its newest pages', async () => {
  const subject = wallet(1);
  const at = (block: number) => (1_232_000_000 + block * 600) * 1_000;
  const pay = (n: number) => payment(1_000 + n, { [wallet(100 + n)]: 20_000 }, { [subject]: 10_000 + n }, 700_000 + n);
  const txs = Array.from({ length: 200 }, (_, n) => pay(n));
  const server = await serve((request) => esplora(txs)(request));
  const source = openBitcoin({ esploraUrl: server.url }, { pageLimit: 50 });
  const { more, whole } = await readOnAndWhole(source, subject, at(700_199), () => {
    txs.pop();
    txs.push(pay(200), pay(201));
    server.requests.length = 0;
  });
  expect(idsOf(more!)).toEqual(idsOf(whole));
});

it('reads all again where the transfer from which it would read on is gone, or too much follows', async () => {
  const world = busy();
  const server = await serve(explorerUpstream(world, { style: 'etherscan' }));
  const source = openEvm('ethereum', { explorerUrl: server.url }, { pageLimit: 50 });
  const history = await source.history(ME);
  const early = { history, readAt: timeOf(2_000) };
  expect(await fetchSince(source, ME, early, {})).toBeNull();
  world.transactions.splice(-100);
  expect(await fetchSince(source, ME, { history, readAt: timeOf(40_000) }, {})).toBeNull();
});

it('reads all again where what is new does not add up to the balance, and not once that is known', async () => {
  const world = busy();
  const funded = { ...world, transactions: [...world.transactions] };
  const shown = explorerUpstream(world, { style: 'etherscan' });
  const stating = explorerUpstream(funded, { style: 'etherscan' });
  const server = await serve((request) =>
    (request.url.searchParams.get('action') === 'balance' ? stating : shown)(request),
  );
  const source = openEvm('ethereum', { explorerUrl: server.url }, { pageLimit: 50 });
  const readAt = timeOf(40_000);
  const history = await source.history(ME);
  expect(await fetchSince(source, ME, { history, readAt }, {})).not.toBeNull();
  funded.transactions.push(
    transaction({ hash: hashOf('unseen'), block: 39_999, from: PEER, to: ME, value: 10n ** 19n }),
  );
  expect(await fetchSince(source, ME, { history, readAt }, {})).toBeNull();
  const whole = await source.history(ME);
  expect(whole.coverage).toMatchObject({
    complete: false,
    reasons: ['balance_unexplained'],
    unexplained: [{ asset: 'ETH', token: null, amount: '10' }],
  });
  expect((await fetchSince(source, ME, { history: whole, readAt }, {}))?.history.coverage).toEqual(whole.coverage);
});

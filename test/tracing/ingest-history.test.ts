import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressHistory, ChainTransaction, ListSpan } from '../../src/chains/port.ts';
import type { Context } from '../../src/context.ts';
import { addressesOfKey } from '../../src/domain/address/public-key.ts';
import { type AddressLabel, type Label, listedElsewhere } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { SourceError } from '../../src/errors.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';
import { entitiesOf } from '../../src/graph/queries/entities.ts';
import { updateNodes } from '../../src/labels/node-labels.ts';
import type { ReadCache } from '../../src/records/scans/read-cache.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { ingestHistory, labelsOfHistory, type Read } from '../../src/tracing/read/ingest-history.ts';
import { openSubject } from '../../src/tracing/read/open-addresses.ts';
import { openTestApp } from '../app/test-app.ts';
import { expectedContents } from '../graph/expected-contents.ts';
import { contents, nodeLabel, transfer } from '../graph/world.ts';
import { tracing } from './money.ts';

const DAY_MS = 86_400_000;
const FIRST = 100 * DAY_MS;
const SECOND = FIRST + DAY_MS;
const NO_LABELS = { parties: new Set<string>(), labelsOf: () => [], onNodes: new Map() };

/** Notes in `stale` whose kept histories were deleted. */
function histories(graph: Graph) {
  const stale: string[] = [];
  const reads = { delete: async (_, addresses) => void stale.push(...addresses) } satisfies Partial<ReadCache>;
  return { graph, reads: reads as unknown as ReadCache, stale };
}

/** A reading of the whole history of `a` by an explorer and a node together. */
function historyOf(transfers: Transfer[]): AddressHistory {
  return {
    found: true,
    addressType: 'wallet',
    balance: null,
    transactionCount: transfers.length,
    transfers,
    tags: [],
    coverage: { complete: true, sources: ['explorer', 'rpc'], reasons: [] },
    read: (['coin', 'internal', 'tokens'] as const).map((list) => ({ list, from: 0, to: null })),
  };
}

const given = (nth: number, readAt: number) =>
  transfer({ from: 'a', to: `p${nth}`, source: 'explorer+rpc', readAt }, nth);

const until = (to: number) => (span: ListSpan) => ({ ...span, to });

async function openEmpty() {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  const ctx = histories(graph);
  const read = (history: AddressHistory, readAt: number, lookUp: Read['lookUp'] = async () => null) =>
    ingestHistory(ctx, 'ethereum', 'a', { history, readAt, whole: true, lookUp }, NO_LABELS);
  const facts = async () => (await contents(graph)).transfers;
  const intervals = async () => (await contents(graph)).addresses.find(({ address }) => address === 'a')?.read_to;
  return { read, facts, intervals, stale: ctx.stale };
}

it('a second reading of an address deletes what its source invented in the first', async () => {
  const { read, facts } = await openEmpty();
  const honest = [given(0, FIRST), given(1, FIRST)];
  await read(historyOf([...honest, given(2, FIRST)]), FIRST);
  const second = historyOf([given(0, SECOND), given(1, SECOND)]);
  await read(second, SECOND);
  expect(await facts()).toEqual(expectedContents(honest).transfers);
  expect(second.coverage.reasons).toEqual([]);
});

it('a second reading that lacks most of a history leaves it, and says conflict', async () => {
  const { read, facts } = await openEmpty();
  const all = Array.from({ length: 40 }, (_, nth) => given(nth, FIRST));
  await read(historyOf(all), FIRST);
  const second = historyOf([given(0, SECOND)]);
  await read(second, SECOND);
  expect(await facts()).toEqual(expectedContents(all).transfers);
  expect(second.coverage.reasons).toEqual(['conflict']);
});

describe('one empty list', () => {
  const paid = [given(0, FIRST), given(1, FIRST)];
  const evidence = [...paid, { ...given(2, FIRST), txHash: 'block:7' }];
  const stating = (status: ChainTransaction['status']) => async (txHash: string) => ({
    txHash,
    block: 1,
    at: 0,
    status,
    transfers: paid.filter((one) => one.txHash === txHash),
    accounts: [],
    type: null,
  });
  const failing = async () => {
    throw new SourceError('ethereum', 'down');
  };

  it.each([
    ['states their transactions', true, stating('success')],
    ['states them and does not know the address', false, stating('success')],
    ['has them unconfirmed', true, stating('pending')],
    ['does not answer', true, failing],
    ['is not there', true, null],
  ])('removes no fact whose source %s: the reading was not whole', async (_, found, lookUp) => {
    const { read, facts, intervals } = await openEmpty();
    await read(historyOf(evidence), FIRST);
    const before = await intervals();
    const empty = { ...historyOf([]), found };
    await read(empty, SECOND, lookUp);
    expect(await facts()).toEqual(expectedContents(evidence).transfers);
    expect(empty.coverage).toMatchObject({ complete: false, reasons: ['conflict'] });
    expect(empty.read).toEqual([]);
    expect(await intervals()).toEqual(before);
  });

  it.each([null, 'failed'] as const)(
    'removes the facts of transactions that are unknown or failed (%s)',
    async (status) => {
      const { read, facts } = await openEmpty();
      await read(historyOf(paid), FIRST);
      const empty = historyOf([]);
      await read(empty, SECOND, async (txHash) => status && { ...(await stating(status)(txHash)), transfers: [] });
      expect(await facts()).toEqual([]);
      expect(empty.coverage).toMatchObject({ complete: true, reasons: [] });
    },
  );
});

describe('a payment of the last minutes that a whole reading lacks', () => {
  const MINUTE_MS = 60_000;
  const fresh = { ...given(7, SECOND - MINUTE_MS), at: SECOND - 5 * MINUTE_MS };
  const before = [given(0, FIRST), given(1, FIRST), fresh];
  const stating = (status: ChainTransaction['status'], transfers: Transfer[]) => async (txHash: string) => ({
    txHash,
    block: 1,
    at: 0,
    status,
    transfers,
    accounts: [],
    type: null,
  });
  const failing = async () => {
    throw new SourceError('ethereum', 'down');
  };
  async function readAfter(listed: Transfer[], lookUp: Read['lookUp'], change: Partial<AddressHistory> = {}) {
    const { read, facts, stale } = await openEmpty();
    await read(historyOf(before), SECOND - MINUTE_MS);
    const history = { ...historyOf([given(0, SECOND), given(1, SECOND), ...listed]), ...change };
    await read(history, SECOND, lookUp);
    return { coverage: history.coverage, facts: (await facts()).length, stale };
  }
  const LEFT_OUT = { complete: true, reasons: ['unconfirmed_left_out'], unconfirmed: [{ txHash: fresh.txHash }] };

  it.each<[string, Transfer[], Read['lookUp'], stays: boolean]>([
    ['its block was reorganised: the transaction waits again', [], stating('pending', []), false],
    ['its transaction is unknown now', [], async () => null, false],
    ['another transaction took its place', [{ ...given(8, SECOND), at: fresh.at }], async () => null, false],
    ['its transaction failed', [], stating('failed', []), false],
    ['the source cannot say', [], failing, true],
    ['there is no source to ask', [], null, true],
  ])('is named as unconfirmed, and leaves the graph where the chain lacks it: %s', async (_, listed, lookUp, stays) => {
    const { coverage, facts, stale } = await readAfter(listed, lookUp);
    expect(coverage).toMatchObject(LEFT_OUT);
    // What was kept of the other party's history still holds it.
    expect(stale).toEqual([fresh.from === 'a' ? fresh.to : fresh.from]);
    expect(facts).toBe(before.length + listed.length - (stays ? 0 : 1));
  });

  it('stays named while it is young, and no longer', async () => {
    const namedAt = async (at: number) => {
      const { read } = await openEmpty();
      await read(historyOf(before), SECOND - MINUTE_MS);
      const history = historyOf([given(0, at), given(1, at)]);
      history.coverage.unconfirmed = [fresh];
      await read(history, at, async () => null);
      return history.coverage.unconfirmed;
    };
    expect(await namedAt(SECOND)).toEqual([expect.objectContaining({ id: fresh.id })]);
    expect(await namedAt(fresh.at + 60 * MINUTE_MS + 1)).toBe(undefined);
  });

  it.each<[string, Transfer[], Read['lookUp'], Partial<AddressHistory>?]>([
    ['the source states its transaction and only the list lags', [], stating('success', [fresh])],
    ['another block holds it now', [{ ...fresh, at: fresh.at + MINUTE_MS, readAt: SECOND }], failing],
    ['the lists were read up to an earlier moment', [], failing, { read: historyOf([]).read.map(until(fresh.at - 1)) }],
    ['one list was not read', [], failing, { read: historyOf([]).read.slice(1) }],
    ['another source lacks it', [], failing, { coverage: { complete: true, sources: ['rpc'], reasons: [] } }],
  ])('is known all the same where %s', async (_, listed, lookUp, change) => {
    const { coverage } = await readAfter(listed, lookUp, change);
    expect(coverage).toEqual({ complete: true, sources: expect.anything(), reasons: [] });
  });

  it('takes with it what others put into its transaction, and counts again once a reading gives it', async () => {
    const { read } = await openEmpty();
    await read(historyOf(before), SECOND - MINUTE_MS);
    const beside = { ...transfer({ from: 'o', to: 'p7', source: 'file', index: '9' }), txHash: fresh.txHash };
    const history = historyOf([given(0, SECOND), given(1, SECOND), beside]);
    await read(history, SECOND);
    expect(history.transfers.map(({ to }) => to)).toEqual(['p0', 'p1']);
    const later = historyOf([given(0, SECOND + 1), given(1, SECOND + 1), { ...fresh, readAt: SECOND + 1 }]);
    later.coverage.unconfirmed = [fresh];
    await read(later, SECOND + 1);
    expect(later.coverage).toEqual({ complete: true, sources: ['explorer', 'rpc'], reasons: [] });
  });
});

it('a payment from a wallet that was read in part has a certain share where the chain states its balance', async () => {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  const [hack, wallet, subject] = ['rHACK', 'rWallet', 'rS'];
  const moved = (from: string, to: string, at: number, nth: number) =>
    transfer({ chain: 'xrp', from, to, at, asset: 'XRP', amount: '10', usd: 10, source: 'rippled' }, nth);
  const transfers = [moved(hack, wallet, FIRST, 0), moved(wallet, subject, FIRST + 1, 1)];
  const labels = new Map([[`xrp:${hack}`, nodeLabel({ category: 'sanctioned', label: 'thief' })]]);
  const readAt = FIRST + 2;
  const read = async (balances: AddressHistory['balances']) => {
    const spans = (['coin', 'tokens'] as const).map((list) => ({ list, from: FIRST - 5, to: null }));
    const history = { ...historyOf(transfers), read: spans, balances };
    await ingestHistory(
      histories(graph),
      'xrp',
      wallet,
      { history, readAt, whole: false, lookUp: null },
      { ...NO_LABELS, onNodes: labels },
    );
    const ctx = { ...tracing(graph), now: () => readAt };
    const question = { chain: 'xrp', address: subject, maxHops: 3, limit: 100 } as const;
    return (await getExposure(ctx, question)).coverage;
  };
  expect(await read([])).toMatchObject({ attributed: { received: 1 }, through_unread: { received: 1 } });
  const stated = await read([{ token: null, at: FIRST - 5, amount: '30' }]);
  expect(stated).toMatchObject({
    attributed: { received: 0.25 },
    through_unread: { received: 0 },
    unattributed: { partial_history: 7.5 },
  });
  // A later reading that says nothing of balances leaves what is known.
  expect(await read([])).toMatchObject({ attributed: { received: 0.25 } });
});

it('a transaction that a later reading knows as a CoinJoin joins its payers no longer', async () => {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  const paid = (to: string, joint: boolean | null, readAt: number) =>
    ['p', 'q'].map((from) =>
      transfer({ chain: 'bitcoin', from, to, joint, txHash: 'f'.repeat(64), source: 'esplora', readAt }),
    );
  const read = (transfers: Transfer[], readAt: number) => {
    const history = { ...historyOf(transfers), coverage: { complete: true, sources: ['esplora'], reasons: [] } };
    const own = { ...history, read: [{ list: 'coin' as const, from: 0, to: null }] };
    const lookUp = async (txHash: string) => ({
      txHash,
      block: 1,
      at: 0,
      status: 'success' as const,
      transfers,
      accounts: [],
      type: null,
    });
    return ingestHistory(histories(graph), 'bitcoin', 'p', { history: own, readAt, whole: true, lookUp }, NO_LABELS);
  };
  await read(paid('shop', true, FIRST), FIRST);
  expect((await entitiesOf(graph, ['bitcoin:q'], 1_000)).get('bitcoin:q')).toMatchObject({
    id: 'bitcoin:p',
    basis: 'co_spent',
  });
  await read(paid('coinjoin:f', null, SECOND), SECOND);
  expect(await entitiesOf(graph, ['bitcoin:q'], 1_000)).toEqual(new Map());
});

describe('an adverse label of a key', () => {
  const KEY = secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, 7)));
  const all = addressesOfKey(KEY);
  const on = (chain: string) => all.find((one) => one.chain === chain)!.address;
  const labelled = (category: Label['category']): Label => ({
    ...{ chain: 'bitcoin', address: on('bitcoin'), category, label: 'Taker', source: 'list', confidence: 90 },
    ...{ entity: null, validFrom: null, validTo: null, maliciousContract: false },
  });
  const store = (label: Label) => ({
    find: async (chain: string, addresses: readonly string[]) =>
      new Map(chain === label.chain && addresses.includes(label.address) ? [[label.address, [label]]] : []),
    findOnAllChains: async (addresses: readonly string[]) =>
      new Map(addresses.includes(label.address) ? [[label.address, [label]]] : []),
  });
  const dealing = historyOf([transfer({ from: 'a', to: on('ethereum') })]);
  const labelsOn = async (label: Label, known: boolean, history = dealing) => {
    const graph = await openGrafeo({ path: null });
    onTestFinished(() => graph.close());
    const proven = { publicKey: Buffer.from(KEY).toString('hex'), txHash: 'f'.repeat(64), at: FIRST };
    const reading = { chain: 'bitcoin' as const, address: on('bitcoin'), at: FIRST, intervals: [], isContract: null };
    if (known) await markRead(graph, { ...reading, isHub: false, complete: null, proven });
    const ctx = { labels: store(label) as unknown as Context['labels'], graph, now: () => SECOND };
    return labelsOfHistory(ctx, 'ethereum', 'a', history);
  };

  it('holds for its addresses on other chains, also where the subject only dealt with one', async () => {
    const { labelsOf, onNodes } = await labelsOn(labelled('theft'), true);
    const [label] = labelsOf(on('ethereum'));
    expect(label).toMatchObject({ category: 'theft', chain: 'bitcoin', address: on('bitcoin') });
    expect(listedElsewhere(label!, { chain: 'ethereum', address: on('ethereum') })).toBe('bitcoin');
    expect(onNodes.get(`ethereum:${on('ethereum')}`)).toMatchObject({ category: 'theft' });
  });

  const publicKey = Buffer.from(KEY).toString('hex');
  const revealed = { publicKey, txHash: 'f'.repeat(64), at: FIRST };
  const signed = (chain: 'ethereum' | 'tron', to: string) =>
    historyOf([transfer({ chain, from: on(chain), to, txSender: on(chain) })]);
  const legacy = all.find(({ address }) => address.startsWith('1'))!.address;
  const segwit = all.find(({ address }) => address.startsWith('bc1q'))!.address;
  const listed = (chain: Label['chain'], address: string): Label => ({ ...labelled('theft'), chain, address });
  it.each([
    ['the address that revealed it', 'xrp', on('xrp'), { ...historyOf([]), revealed }, labelled('theft'), 'bitcoin'],
    [
      'another address of Bitcoin',
      'bitcoin',
      segwit,
      { ...historyOf([]), revealed },
      listed('bitcoin', legacy),
      'bitcoin',
    ],
    ['a wallet that signed', 'tron', on('tron'), signed('tron', 'b'), listed('evm', on('ethereum')), 'ethereum'],
    ['a party that signed', 'tron', 'b', signed('tron', 'b'), listed('polygon', on('ethereum')), 'polygon'],
    ['a party that signed here', 'ethereum', 'b', signed('ethereum', 'b'), listed('tron', on('tron')), 'tron'],
  ] as const)('holds by one reading for %s', async (_, chain, subject, history, label, where) => {
    const graph = await openGrafeo({ path: null });
    onTestFinished(() => graph.close());
    const ctx = { labels: store(label) as unknown as Context['labels'], graph, now: () => SECOND };
    const { labelsOf } = await labelsOfHistory(ctx, chain, subject, history);
    const address = subject === 'b' ? on(chain) : subject;
    const [found] = labelsOf(address);
    expect(listedElsewhere(found!, { chain, address })).toBe(where);
  });

  it('holds elsewhere once a payee was read whose transaction shows the key of the listed payer, and no key of another', async () => {
    const graph = await openGrafeo({ path: null });
    onTestFinished(() => graph.close());
    const label = listed('bitcoin', segwit);
    const ctx = { labels: store(label) as unknown as Context['labels'], graph, now: () => SECOND };
    const onEthereum = async () => (await labelsOfHistory(ctx, 'ethereum', 'a', dealing)).labelsOf(on('ethereum'));
    const readPayee = async (payer: string) => {
      const history = historyOf([transfer({ chain: 'bitcoin', from: segwit, to: 'b' })]);
      history.shown = new Map([[payer, revealed]]);
      const labels = await labelsOfHistory(ctx, 'bitcoin', 'b', history);
      await ingestHistory(
        { ...ctx, ...histories(ctx.graph) },
        'bitcoin',
        'b',
        { history, readAt: FIRST, whole: true, lookUp: null },
        labels,
      );
    };
    const another = addressesOfKey(secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, 8))))[0]!.address;
    await readPayee(another);
    expect(await onEthereum()).toEqual([]);
    await readPayee(segwit);
    expect(await onEthereum()).toMatchObject([{ category: 'theft', address: segwit }]);
  });

  it('comes to the nodes of its other addresses as it changes, and no label of theirs takes it off', async () => {
    const { app, ctx } = await openTestApp();
    onTestFinished(() => app.close());
    const { graph } = ctx;
    const proven = { publicKey: Buffer.from(KEY).toString('hex'), txHash: 'f'.repeat(64), at: FIRST };
    const reading = { chain: 'bitcoin' as const, address: on('bitcoin'), at: FIRST, intervals: [], isContract: null };
    await markRead(graph, { ...reading, isHub: false, complete: null, proven });
    await ingestTransfers(graph, dealing.transfers);
    const node = async () => {
      const labels = new Map<string, AddressLabel>();
      await openSubject(graph, 'ethereum:a', { labels, timeoutMs: 1_000 });
      return labels.get(`ethereum:${on('ethereum')}`)?.category;
    };
    const load = async (label: Label) => {
      const stamp = await ctx.labels.beginLoad();
      expect(await updateNodes(ctx, await ctx.labels.put([label], { stamp, list: false }))).toBeLessThan(2);
    };
    await load(labelled('theft'));
    expect(await node()).toBe('theft');
    await load({ ...labelled('exchange'), chain: 'ethereum', address: on('ethereum'), confidence: 20 });
    expect(await node()).toBe('theft');
    await load({ ...labelled('theft'), validTo: SECOND });
    expect(await node()).toBe(null);
  });

  it('does not where the key is not known, and a lawful one stays with its address', async () => {
    expect((await labelsOn(labelled('theft'), false)).labelsOf(on('ethereum'))).toEqual([]);
    expect((await labelsOn(labelled('exchange'), true)).labelsOf(on('ethereum'))).toEqual([]);
  });
});

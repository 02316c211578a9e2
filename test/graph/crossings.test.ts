import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type CrossingPolicy, crossingPolicy } from '../../src/domain/bridges/crossing.ts';
import type { Statement } from '../../src/domain/bridges/join-statements.ts';
import type { BridgeMessage } from '../../src/domain/bridges/message.ts';
import { keepCrossings } from '../../src/graph/ingest/keep-crossings.ts';
import type { Graph } from '../../src/graph/port.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { openAddresses } from '../../src/tracing/read/open-addresses.ts';
import { tracing } from '../tracing/money.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { build, contents } from './world.ts';

const runs = { grafeo: 80, neo4j: 4 };

/** One side of a crossing from `sender` on Ethereum to `recipient` on Arbitrum. */
function statement(
  given: Partial<BridgeMessage> & Pick<BridgeMessage, 'side'>,
  more: Partial<Statement> = {},
): Statement {
  const isSource = given.side === 'source';
  const message: BridgeMessage = {
    protocol: 'across',
    chain: isSource ? 'ethereum' : 'arbitrum',
    tx: isSource ? '0xout' : '0xin',
    position: 3,
    at: isSource ? 2_000 : 3_000,
    id: '7',
    route: { from: { chain: 'ethereum', raw: '1' }, to: { chain: 'arbitrum', raw: '42161' } },
    sender: 'a',
    recipient: 'r',
    asset: 'TOK',
    token: null,
    assetId: 'symbol:TOK',
    amount: isSource ? '100' : '98',
    agreed: {},
    expiresAt: null,
    explains: [isSource ? 'ethereum:0xout:native' : 'arbitrum:0xin:native'],
    ...given,
  };
  const [near, far] = isSource ? ['ethereum:a', 'ethereum:pool'] : ['arbitrum:r', 'arbitrum:solver'];
  return { message, near, far, usd: 100, missing: null, likely: null, lookedUpAt: null, ...more };
}

const SOURCE = statement({ side: 'source' }, { missing: 'bridge_pending', lookedUpAt: 5 });
const DESTINATION = statement({ side: 'destination' });
/** What arrived fits the source, and nothing states that it is the other side. */
const LIKELY: BridgeMessage = { ...DESTINATION.message, id: null, agreed: {} };
const LIKELY_SOURCE = statement({ side: 'source' }, { missing: 'bridge_not_found', likely: LIKELY, lookedUpAt: 5 });

const THEFT = {
  labels: { HACK: { category: 'theft', label: 'hack' }, CEX: { category: 'exchange', label: 'cex' } } as const,
  transfers: [
    { at: 1_000, from: 'HACK', to: 'a', usd: 100, amount: '100', txHash: '0x1' },
    { id: 'ethereum:0xout:native', at: 2_000, from: 'a', to: 'pool', usd: 100, amount: '100', txHash: '0xout' },
    {
      id: 'arbitrum:0xin:native',
      at: 3_000,
      from: 'solver',
      to: 'r',
      usd: 98,
      amount: '98',
      txHash: '0xin',
      chain: 'arbitrum' as const,
    },
    { at: 4_000, from: 'r', to: 'CEX', usd: 98, amount: '98', txHash: '0x4', chain: 'arbitrum' as const },
  ],
  scanned: ['a', 'HACK'].map((address) => ({ address, at: 9_000, complete: true })),
};

describe.each(Object.entries(ENGINES))('crossings on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const bridged = async () => (await contents(graph)).bridged.map((text) => JSON.parse(text));

  test('one side is kept alone, and joined once the other one is read, in either order', async (reset) => {
    await keepCrossings(graph, [SOURCE]);
    expect(await bridged()).toMatchObject([
      {
        from: 'ethereum:a',
        to: 'arbitrum:r',
        properties: { status: 'pending', reason: 'bridge_pending', tx_out: '0xout' },
      },
    ]);
    await keepCrossings(graph, [DESTINATION]);
    const pair = await bridged();
    expect(pair).toMatchObject([
      {
        from: 'ethereum:a',
        to: 'arbitrum:r',
        properties: {
          status: 'matched',
          match: 'id',
          message_id: '7',
          tx_out: '0xout',
          tx_in: '0xin',
          amount_in: '98',
          usd: 100,
        },
      },
    ]);
    await reset();
    const unnamed = statement({ side: 'destination', sender: null });
    await keepCrossings(graph, [unnamed]);
    expect(await bridged()).toMatchObject([
      { from: 'arbitrum:solver', to: 'arbitrum:r', properties: { status: 'pending' } },
    ]);
    await keepCrossings(graph, [SOURCE]);
    expect(await bridged()).toMatchObject([{ from: 'ethereum:a', properties: { match: 'id', tx_in: '0xin' } }]);
  }, 120_000);

  test('what two sides state differently stays two', async () => {
    await keepCrossings(graph, [SOURCE, statement({ side: 'destination', id: '8' })]);
    expect((await bridged()).map(({ properties }) => properties.match ?? null)).toEqual([null, null]);
  }, 120_000);

  test('a message without a recipient on a chain ends at the bridge', async () => {
    const route = { from: { chain: 'ethereum' as const, raw: '1' }, to: { chain: null, raw: '4711' } };
    const lost = statement({ side: 'source', route, recipient: null }, { missing: 'bridge_chain_unsupported' });
    await keepCrossings(graph, [lost]);
    expect(await bridged()).toMatchObject([
      {
        to: 'ethereum:pool',
        properties: { status: 'not_found', reason: 'bridge_chain_unsupported', chain_in: '4711' },
      },
    ]);
  }, 120_000);

  test('any split, repetition and order of the same statements gives the same graph', async (reset) => {
    const drawn = fc.record({
      side: fc.constantFrom<BridgeMessage['side']>('source', 'destination'),
      id: fc.constantFrom('7', '7', '8'),
      position: fc.nat(2),
      recipient: fc.constantFrom('r', 'r', 's'),
      lookedUpAt: fc.constantFrom(null, 5, 9),
      receipt: fc.constantFrom(null, 'ambiguous' as const, 'native', 'log:9'),
    });
    const statements = fc
      .uniqueArray(drawn, {
        maxLength: 8,
        selector: ({ side, position, recipient }) => `${side} ${position} ${recipient}`,
      })
      .map((all) =>
        all.map(({ lookedUpAt, receipt, ...drawn }) => {
          // One place in one transaction states one thing, and explains transfers of that transaction.
          const delivered = { recipient: drawn.recipient, tx: `delivered-${drawn.recipient}` };
          const isKnown = receipt !== null && receipt !== 'ambiguous';
          const explains = isKnown ? [`arbitrum:${delivered.tx}:${receipt}`] : [];
          if (drawn.side === 'destination') return statement({ ...drawn, ...delivered, explains }, { lookedUpAt });
          const tx = `sent-${drawn.recipient}`;
          const likely = isKnown ? { ...LIKELY, ...delivered, explains } : receipt;
          return statement({ ...drawn, tx, explains: [`ethereum:${tx}:native`] }, { lookedUpAt, likely });
        }),
      );
    const plan = statements.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2, maxLength: all.length * 2 }),
        fc.nat(8),
      ),
    );
    await fc.assert(
      fc.asyncProperty(plan, async ([all, shuffled, cut]) => {
        await reset();
        await keepCrossings(graph, all);
        const expected = await bridged();
        await reset();
        await keepCrossings(graph, shuffled.slice(0, cut));
        await keepCrossings(graph, shuffled.slice(cut));
        expect(await bridged()).toEqual(expected);
      }),
      { numRuns: runs[name as keyof typeof runs] },
    );
  }, 300_000);

  test('money is traced over a pair in both directions, with both transactions in the path', async () => {
    await build(graph, THEFT);
    await keepCrossings(graph, [SOURCE, DESTINATION]);
    const ask = { maxHops: 5, limit: 100 };
    const back = await getExposure(tracing(graph), { chain: 'arbitrum', address: 'r', ...ask });
    const [theft] = back.indirect.filter(({ direction }) => direction === 'received');
    expect(theft).toMatchObject({
      category: 'theft',
      usd: 98,
      min_hops: 2,
      top: [{ address: 'HACK', chain: 'ethereum' }],
    });
    const crossed = theft!.top[0]!.path.map(({ tx_hash, chain, bridge }) => [
      chain,
      tx_hash,
      bridge?.destination.tx_hash,
    ]);
    expect(crossed).toEqual([
      ['ethereum', '0x1', undefined],
      ['ethereum', '0xout', '0xin'],
    ]);
    const { terminals } = await getTerminals(tracing(graph), {
      chain: 'ethereum',
      address: 'HACK',
      maxHops: 5,
      categories: ['exchange', 'bridge'],
      limit: 10,
    });
    expect(terminals).toMatchObject([{ address: 'CEX', chain: 'arbitrum', hops: 3, usd: 98, assets: { TOK: '98' } }]);
  }, 120_000);

  test('a side whose transfers the graph lacks, or holds without a price, has the value of the other side', async (reset) => {
    const [stolen, out, arrived, onward] = THEFT.transfers;
    const exit = [statement({ side: 'source' }, { usd: null }), { ...DESTINATION, usd: 98 }];
    for (const withdrawal of [[], [{ ...out!, usd: null }]]) {
      await reset();
      await build(graph, { ...THEFT, transfers: [stolen!, ...withdrawal, arrived!, onward!] });
      await keepCrossings(graph, exit);
      const { terminals } = await getTerminals(tracing(graph), {
        chain: 'ethereum',
        address: 'a',
        maxHops: 5,
        categories: ['exchange'],
        limit: 10,
      });
      expect(terminals).toMatchObject([{ address: 'CEX', usd: 98, reached: 'money', assets: { TOK: '98' } }]);
    }
    await reset();
    await build(graph, { ...THEFT, transfers: [stolen!, out!, onward!] });
    await keepCrossings(graph, [SOURCE, DESTINATION]);
    const ask = { maxHops: 5, limit: 100 };
    const { indirect } = await getExposure(tracing(graph), { chain: 'arbitrum', address: 'r', ...ask });
    expect(indirect.filter(({ direction }) => direction === 'received')).toMatchObject([
      { category: 'theft', usd: 98 },
    ]);
  }, 120_000);

  test('a lone side is the end, named in the frontier with its message, and the answer is not complete', async () => {
    await build(graph, THEFT);
    await keepCrossings(graph, [SOURCE]);
    const answer = await getTerminals(tracing(graph), {
      chain: 'ethereum',
      address: 'a',
      maxHops: 5,
      categories: ['exchange', 'bridge'],
      limit: 10,
    });
    expect(answer.terminals).toMatchObject([
      { address: 'pool', category: 'bridge', path: [{ bridge: { message_id: '7', reason: 'bridge_pending' } }] },
    ]);
    expect(answer.coverage).toMatchObject({
      complete: false,
      reasons: ['bridge_pending'],
      frontier: [
        {
          address: 'pool',
          reason: 'bridge_pending',
          bridge: { destination: { chain: 'arbitrum', address: 'r', tx_hash: null } },
        },
      ],
    });
  }, 120_000);

  test('a likely other side is shown, and followed where the question asks for it', async () => {
    await build(graph, THEFT);
    await keepCrossings(graph, [LIKELY_SOURCE]);
    const [kept] = await bridged();
    expect(kept.properties).toMatchObject({
      match: 'likely',
      reason: 'bridge_not_found',
      tx_out: '0xout',
      tx_in: '0xin',
    });
    const categories = ['exchange', 'bridge'] as const;
    const terminals = (policy?: CrossingPolicy) =>
      getTerminals(tracing(graph, policy && { policy }), {
        chain: 'ethereum',
        address: 'a',
        maxHops: 5,
        categories: [...categories],
        limit: 10,
      });
    const ended = await terminals();
    const bridge = { match: 'likely', reason: 'bridge_likely', destination: { tx_hash: '0xin' } };
    expect(ended.terminals).toMatchObject([{ address: 'pool', category: 'bridge', path: [{ bridge }] }]);
    expect(ended.coverage).toMatchObject({ complete: false, frontier: [{ reason: 'bridge_likely', bridge }] });

    const followed = await terminals(crossingPolicy('on', 'follow'));
    expect(followed.terminals).toMatchObject([
      { address: 'CEX', chain: 'arbitrum', hops: 2, path: [{ bridge: { match: 'likely', reason: null } }, {}] },
    ]);
    const exposure = (policy?: CrossingPolicy) =>
      getExposure(tracing(graph, policy && { policy }), { chain: 'arbitrum', address: 'r', maxHops: 5, limit: 100 });
    const received = async (policy?: CrossingPolicy) =>
      (await exposure(policy)).indirect.filter(({ direction }) => direction === 'received');
    expect(await received()).toEqual([]);
    expect(await received(crossingPolicy('on', 'follow'))).toMatchObject([{ category: 'theft', usd: 98 }]);
  }, 120_000);

  test('forgetting an end forgets the crossing', async () => {
    await build(graph, THEFT);
    await keepCrossings(graph, [SOURCE, DESTINATION]);
    await graph.write([{ statement: 'forget/delete-bridged', params: { key: ['ethereum:a'] } }]);
    expect(await bridged()).toEqual([]);
    const wanted = new Map([['arbitrum:r', { received: true, sent: true }]]);
    const opened = await openAddresses(graph, wanted, { timeoutMs: 5_000, labels: new Map(), room: 100 });
    expect(opened.get('arbitrum:r')!.received.map(({ from }) => from)).toEqual(['arbitrum:solver']);
  }, 120_000);
});

import { describe, expect } from 'vitest';
import { crossingPolicy } from '../../../src/domain/bridges/crossing.ts';
import type { Statement } from '../../../src/domain/bridges/join-statements.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import { keepCrossings } from '../../../src/graph/ingest/keep-crossings.ts';
import type { Graph } from '../../../src/graph/port.ts';
import { getExposure } from '../../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../../src/tracing/answers/get-terminals.ts';
import { checkRelationship } from '../../../src/tracing/answers/paths/check-relationship.ts';
import { findFlowPath } from '../../../src/tracing/answers/paths/find-flow-path.ts';
import type { Inquiry } from '../../../src/tracing/read/inquiry.ts';
import { engineCases } from '../../graph/engine-cases.ts';
import { ENGINES } from '../../graph/engines.ts';
import { crossing, type Side } from '../engine/crossings.ts';
import { type Payment, pay, SEARCH, tracing } from '../money.ts';

const ON_ONE_CHAIN = crossingPolicy('off');
const on = (chain: 'arbitrum' | 'optimism', txHash?: string) => ({ chain, ...(txHash ? { txHash } : {}) });

/** From a hack on Ethereum over Arbitrum to an exchange on Optimism. */
const THEFT: Payment[] = [
  [1_000, 'HACK', 'a', 100],
  [2_000, 'a', 'pool', 100, { txHash: 'source-1' }],
  [3_000, 'solver', 'r', 98, on('arbitrum', 'destination-1')],
  [4_000, 'r', 's', 97, on('arbitrum')],
  [5_000, 's', 'pool2', 97, on('arbitrum', 'source-2')],
  [6_000, 'solver2', 't', 95, on('optimism', 'destination-2')],
  [7_000, 't', 'CEX', 94, on('optimism')],
];

/** The transfer of a crossing has the id by which its side names it. */
const idOf = ({ chain = 'ethereum', txHash }: NonNullable<Payment[4]> = {}) =>
  txHash === undefined ? {} : { id: `${chain}:${txHash}:native` };

/** What both sides of a crossing state; each stands for the transfer of its transaction. */
function sidesOf(id: string, out: Side, arrived: Side): { source: Statement; destination: Statement } {
  const { from, to, ...sides } = crossing(id, { out, arrived });
  const of = (message: BridgeMessage, near: string, far: string, { amount }: Side): Statement => ({
    message: { ...message, explains: [`${message.chain}:${message.tx}:native`] },
    near,
    far,
    usd: Number(amount),
    missing: null,
    likely: null,
    lookedUpAt: null,
  });
  return { source: of(sides.source!, from, to, out), destination: of(sides.destination!, to, from, arrived) };
}

const FIRST = sidesOf(
  '1',
  { party: 'ethereum:a', at: 2_000, amount: '100' },
  { party: 'arbitrum:r', at: 3_000, amount: '98' },
);
const SECOND = sidesOf(
  '2',
  { party: 'arbitrum:s', at: 5_000, amount: '97' },
  { party: 'optimism:t', at: 6_000, amount: '95' },
);
const BOTH = [FIRST, SECOND].flatMap(({ source, destination }) => [source, destination]);

describe.each(Object.entries(ENGINES))('paths over bridges on %s', (_name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const know = async (payments: Payment[], statements: Statement[]) => {
    await pay(
      graph,
      payments.map(([at, from, to, usd, more]) => [at, from, to, usd, { ...more, ...idOf(more) }]),
    );
    await keepCrossings(graph, statements);
  };
  const ask = (more: Partial<Parameters<typeof findFlowPath>[1]> = {}, inquiry: Partial<Inquiry> = {}) =>
    findFlowPath(tracing(graph, inquiry), {
      ...SEARCH,
      chain: 'ethereum',
      from: 'HACK',
      toChain: 'optimism',
      to: 'CEX',
      ...more,
    });
  const fromAtoR = { from: 'a', toChain: 'arbitrum', to: 'r' } as const;
  const relate = (more: Partial<Parameters<typeof checkRelationship>[1]> = {}, inquiry: Partial<Inquiry> = {}) =>
    checkRelationship(tracing(graph, inquiry), {
      chain: 'ethereum',
      a: 'HACK',
      chainB: 'arbitrum',
      b: 's',
      limit: 5,
      ...more,
    });

  test('a way over two bridges is one path, each crossing one hop with both of its transactions', async () => {
    await know(THEFT, BOTH);
    const answer = await ask();
    expect(answer.paths).toHaveLength(1);
    const [path] = answer.paths;
    expect(path).toMatchObject({
      length: 5,
      bottleneck_usd: 94,
      first_at: '1970-01-01T00:00:01.000Z',
      last_at: '1970-01-01T00:00:07.000Z',
    });
    expect(path!.hops.map(({ chain, from, to, tx_hash }) => [chain, from, to, tx_hash])).toEqual([
      ['ethereum', 'HACK', 'a', '0x0'],
      ['ethereum', 'a', 'r', 'source-1'],
      ['arbitrum', 'r', 's', '0x3'],
      ['arbitrum', 's', 't', 'source-2'],
      ['optimism', 't', 'CEX', '0x6'],
    ]);
    expect(path!.hops.map(({ bridge }) => bridge?.message_id)).toEqual([undefined, '1', undefined, '2', undefined]);
    expect(path!.hops[1]).toMatchObject({
      usd: 100,
      amount: '100',
      at: '1970-01-01T00:00:02.000Z',
      bridge: {
        protocol: 'across',
        match: 'id',
        reason: null,
        source: { chain: 'ethereum', address: 'a', tx_hash: 'source-1' },
        destination: { chain: 'arbitrum', address: 'r', tx_hash: 'destination-1', at: '1970-01-01T00:00:03.000Z' },
      },
    });
    expect(answer.searched).toMatchObject({ truncated: false, reasons: ['not_read'] });
    const unread = answer.coverage.frontier.map(({ address }) => address);
    expect(unread.filter((address) => /pool|solver/.test(address))).toEqual([]);
    expect((await ask({ maxHops: 4 })).note).toContain('No path in the known graph within 4 hops');
  });

  test('a crossing has one value in every answer: of what left, else of what arrived', async (reset) => {
    const shownOf = async () => {
      const money = { maxHops: 5, limit: 100 };
      const received = await getExposure(tracing(graph), { chain: 'arbitrum', address: 'r', ...money });
      const { terminals } = await getTerminals(tracing(graph), {
        chain: 'ethereum',
        address: 'HACK',
        maxHops: 5,
        categories: ['exchange'],
        limit: 10,
      });
      const hops = [
        ...[...received.direct, ...received.indirect].flatMap(({ top }) => top.flatMap(({ path }) => path)),
        ...terminals.flatMap(({ path }) => path),
        ...(await ask()).paths.flatMap((path) => path.hops),
      ];
      return hops.filter(({ bridge }) => bridge?.message_id === '1').map(({ usd, amount }) => [usd, amount]);
    };
    await know(THEFT, BOTH);
    expect(await shownOf()).toEqual(Array(3).fill([100, '100']));
    await reset();
    await know(THEFT, [{ ...FIRST.source, usd: null }, FIRST.destination, SECOND.source, SECOND.destination]);
    expect(await shownOf()).toEqual(Array(3).fill([98, '100']));
  });

  test('the last arrival is the end of a path that ends behind a bridge', async () => {
    await know(THEFT, BOTH);
    expect((await ask(fromAtoR)).paths).toMatchObject([{ length: 1, last_at: '1970-01-01T00:00:03.000Z' }]);
  });

  test('a transfer before the money came, on either chain, does not carry it on', async (reset) => {
    const late = THEFT.map((payment): Payment => (payment[2] === 'a' ? [2_500, 'HACK', 'a', 100] : payment));
    await know(late, BOTH);
    expect((await ask()).found).toBe(false);
    expect((await ask({ timeOrdered: false })).found).toBe(true);
    await reset();
    // After the departure from Ethereum and before the arrival on Arbitrum.
    await know(
      THEFT.map((payment): Payment => (payment[2] === 's' ? [2_500, 'r', 's', 97, on('arbitrum')] : payment)),
      BOTH,
    );
    expect((await ask()).found).toBe(false);
    expect((await ask({ timeOrdered: false })).found).toBe(true);
  });

  test('small crossings crowd out no large one of their hub or of other addresses, and a hub cut says so', async () => {
    const dust = Array.from({ length: 1_100 }, (_, i) =>
      sidesOf(
        `0${i}`,
        { party: 'ethereum:0hub', at: 2_000, amount: '1' },
        { party: `arbitrum:0dust${i % 3}`, at: 3_000, amount: '1' },
      ),
    ).flatMap(({ source, destination }) => [source, destination]);
    const large = sidesOf(
      '9',
      { party: 'ethereum:0hub', at: 2_000, amount: '90' },
      { party: 'arbitrum:far', at: 3_000, amount: '90' },
    );
    await know([...THEFT, [1_500, 'HACK', '0hub', 50]], [...dust, ...BOTH, large.source, large.destination]);
    expect((await ask()).found).toBe(true);
    const answer = await ask({ toChain: 'arbitrum', to: 'far' });
    expect(answer).toMatchObject({ found: true, searched: { truncated: true } });
    expect(answer.searched.reasons).toContain('hub_not_expanded');
  });

  test('an arrival before the departure does not make a path', async () => {
    const hour = 3_600_000;
    const out = { party: 'ethereum:a', at: 2 * hour, amount: '100' };
    const { source, destination } = sidesOf('1', out, { party: 'arbitrum:r', at: hour, amount: '98' });
    await know([[hour, 'HACK', 'a', 100]], [source, destination]);
    expect(await ask(fromAtoR)).toMatchObject({
      found: false,
      searched: { reasons: expect.arrayContaining(['bridge_not_looked_up']) },
    });
  });

  test('with bridges left out the search stays on its chain, says so, and names nothing of the other', async () => {
    await know(THEFT, BOTH);
    const off = await ask({}, { policy: ON_ONE_CHAIN });
    expect(off).toMatchObject({
      found: false,
      searched: { reasons: ['cross_chain_off', 'not_read'] },
      coverage: { complete: false },
      note: expect.stringContaining('Bridges were left out (cross_chain=off).'),
    });
    const bridges = off.coverage.frontier.filter(({ reason }) => reason === 'cross_chain_off');
    expect(bridges.map(({ address, chain }) => `${chain}:${address}`)).toEqual(['ethereum:a']);
    expect(bridges[0]).not.toHaveProperty('bridge');
    expect(JSON.stringify(off)).not.toContain('arbitrum');
  });

  test('a crossing with one side alone ends the path, and stands in reasons and frontier with its message', async () => {
    const { source } = FIRST;
    await know(THEFT, [{ ...source, missing: 'bridge_pending', lookedUpAt: 5 }]);
    const answer = await ask();
    expect(answer).toMatchObject({ found: false, coverage: { complete: false } });
    expect(answer.searched.reasons).toContain('bridge_pending');
    expect(answer.note).toContain('1 bridge transfer whose other side is not followed may hide one');
    expect(answer.coverage.frontier.find(({ reason }) => reason === 'bridge_pending')).toMatchObject({
      address: 'a',
      chain: 'ethereum',
      direction: 'sent',
      hop: 1,
      usd: 100,
      bridge: { message_id: '1', reason: 'bridge_pending', destination: { chain: 'arbitrum', tx_hash: null } },
    });
  });

  test('what a bridge paid out is not the money of the payer: a known crossing replaces its transfer', async (reset) => {
    const solver = { chain: 'arbitrum', from: 'solver', toChain: 'arbitrum', to: 's' } as const;
    await know(THEFT, []);
    expect((await ask(solver)).found).toBe(true);
    await reset();
    await know(THEFT, BOTH);
    expect((await ask(solver)).found).toBe(false);
    expect((await ask(solver, { policy: ON_ONE_CHAIN })).found).toBe(true);
  });

  test('a crossing of less than the least value is not a way', async () => {
    await know(THEFT, BOTH);
    expect((await ask({ ...fromAtoR, minUsd: 100 })).found).toBe(true);
    expect((await ask({ ...fromAtoR, minUsd: 101 })).found).toBe(false);
  });

  test('the same address on two chains is two addresses', async () => {
    const own = { party: 'arbitrum:a', at: 3_000, amount: '98' };
    const { source, destination } = sidesOf('1', { party: 'ethereum:a', at: 2_000, amount: '100' }, own);
    await know(THEFT.slice(0, 2), [source, destination]);
    expect(await ask({ from: 'a', toChain: 'arbitrum', to: 'a' })).toMatchObject({
      paths: [{ length: 1, hops: [{ from: 'a', to: 'a', bridge: { destination: { chain: 'arbitrum' } } }] }],
    });
  });

  test('two addresses are related over a bridge, with the crossing in the shortest path, and not without', async () => {
    await know(THEFT, BOTH);
    const related = await relate();
    expect(related).toMatchObject({ related: true, shortest_path: { length: 3 }, note: null });
    expect(related).toMatchObject({ address_a: 'HACK', chain: 'ethereum', address_b: 's', chain_b: 'arbitrum' });
    expect(related.shortest_path!.hops[1]).toMatchObject({ bridge: { destination: { tx_hash: 'destination-1' } } });
    const swapped = await relate({ chain: 'arbitrum', a: 's', chainB: 'ethereum', b: 'HACK' });
    expect(swapped.shortest_path).toEqual(related.shortest_path);
    const off = await relate({}, { policy: ON_ONE_CHAIN });
    expect(off).toMatchObject({ related: false, shortest_path: null, searched: { truncated: false } });
    expect(off.coverage.reasons).toContain('cross_chain_off');
    expect(off.note).toContain('Bridges were left out (cross_chain=off).');
  });

  test('a path ends at a crossing with a likely other side, which is shown from both ends, and followed where asked', async () => {
    const { source, destination } = FIRST;
    const likely = { ...destination.message, id: null };
    const found = { ...source, missing: 'bridge_not_found' as const, likely, lookedUpAt: 5 };
    const others: Payment[] = ['y1', 'y2'].map((to) => [1_000, 'x', to, 1]);
    await know([...THEFT, ...others], [found, SECOND.source, SECOND.destination]);
    const follow = crossingPolicy('on', 'follow');
    const bridge = {
      message_id: '1',
      match: 'likely',
      reason: 'bridge_likely',
      source: { tx_hash: 'source-1' },
      destination: { chain: 'arbitrum', address: 'r', tx_hash: 'destination-1', amount: '98' },
    };
    const ends = (answer: { coverage: { frontier: { reason: string }[] } }) =>
      answer.coverage.frontier.filter(({ reason }) => reason === 'bridge_likely');
    const shown = await ask();
    expect(shown).toMatchObject({ found: false, searched: { reasons: expect.arrayContaining(['bridge_likely']) } });
    expect(shown.note).toContain('1 bridge transfer whose other side is not followed may hide one');
    expect(ends(shown)).toMatchObject([{ address: 'a', chain: 'ethereum', direction: 'sent', usd: 100, bridge }]);
    const followed = await ask({}, { policy: follow });
    expect(followed.paths).toMatchObject([{ length: 5 }]);
    expect(followed.paths[0]!.hops[1]).toMatchObject({ usd: 100, bridge: { ...bridge, reason: null } });

    // Not on the way from the first address, it is met on the way back from the second one.
    const unrelated = await relate({ a: 'x' });
    expect(unrelated).toMatchObject({ related: false, coverage: { complete: false } });
    expect(ends(unrelated)).toMatchObject([{ address: 'r', chain: 'arbitrum', direction: 'received', bridge }]);
    expect(await relate()).toMatchObject({ related: false, note: expect.stringContaining('may hide a relation') });
    expect(await relate({}, { policy: follow })).toMatchObject({ related: true, shortest_path: { length: 3 } });
  });
});

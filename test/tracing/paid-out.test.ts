import { describe, expect } from 'vitest';
import { GraphTimeoutError } from '../../src/errors.ts';
import type { Graph } from '../../src/graph/port.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { askExposure, lines, type Payment, pay } from './money.ts';

describe('swaps paid out to others', () => {
  let graph: Graph;
  const test = engineCases(ENGINES.grafeo, (empty) => {
    graph = empty;
  });

  const within = (seq: number, asset = 'USDC', amount = '100') => ({
    txHash: '0xT',
    index: `log:${seq}`,
    seq,
    asset,
    amount,
  });
  /** A pays a router, which trades with a pool and pays B. */
  const swap: Payment[] = [
    [2_000, 'A', 'ROUTER', 100, within(0)],
    [2_000, 'ROUTER', 'pool', 100, within(1)],
    [2_000, 'pool', 'ROUTER', 100, within(2, 'ETH', '1')],
    [2_000, 'ROUTER', 'B', 100, within(3, 'ETH', '1')],
  ];

  test('are found from the wallet that got them and from the wallet that gave, also around a pool', async () => {
    await pay(graph, [
      [1_000, 'HACK', 'A', 100, { asset: 'USDC' }],
      ...swap,
      [3_000, 'B', 'S', 100, { asset: 'ETH', amount: '1' }],
    ]);
    const received = await askExposure(graph);
    expect(lines(received)).toEqual(['received sanctioned indirect: 100 at 3']);
    const [hop] = received.indirect[0]?.top[0]?.path.slice(1) ?? [];
    expect(hop).toMatchObject({
      from: 'A',
      to: 'B',
      asset: 'ETH',
      conversion: [{ tx_hash: '0xT', from_asset: 'USDC', to_asset: 'ETH' }],
    });
    const sent = await askExposure(graph, { address: 'HACK' });
    expect(sent.coverage.frontier?.map(({ address }) => address)).toContain('S');
  });

  test('count for the subject itself: what it gave went to who got the proceeds', async () => {
    await pay(graph, [
      ...swap.map((payment): Payment => [payment[0], payment[1].replace('A', 'S'), payment[2], payment[3], payment[4]]),
      [3_000, 'B', 'CEX', 100, { asset: 'ETH', amount: '1' }],
    ]);
    expect(lines(await askExposure(graph))).toEqual(['sent exchange indirect: 100 at 2']);
  });

  test('leave what a party takes out of its own deposit, which the graph knows of those that are not open too', async () => {
    const deposit: Payment = [1_000, 'B', 'ROUTER', 100, { asset: 'ETH', amount: '1' }];
    const paid: Payment = [1_500, 'S', 'A', 100, { asset: 'USDC' }];
    await pay(graph, [deposit, paid, ...swap]);
    expect(lines(await askExposure(graph))).toEqual(['sent dex_router indirect: 100 at 2']);
    expect(lines(await askExposure(graph, { address: 'B' }))).toEqual([]);
  });

  test('go on where an earlier deposit had gone to others in its own transaction', async () => {
    const earlier = (seq: number, more: object = {}) => ({ txHash: '0xU', index: `log:${seq}`, seq, ...more });
    await pay(graph, [
      [1_000, 'B', 'ROUTER', 100, earlier(0, { asset: 'ETH', amount: '1' })],
      [1_000, 'ROUTER', 'C', 100, earlier(1, { asset: 'ETH', amount: '1' })],
      [1_500, 'HACK', 'A', 100, { asset: 'USDC' }],
      ...swap,
    ]);
    expect(lines(await askExposure(graph, { address: 'B' }))).toContain('received sanctioned indirect: 100 at 2');
  });

  test('leave what was read in place where their transactions take too long, and say so', async () => {
    await pay(graph, [
      [1_000, 'HACK', 'S', 100, { asset: 'USDC' }],
      [1_000, 'HACK', 'A', 50, { asset: 'USDC' }],
      [1_500, 'A', 'S', 50, { asset: 'USDC', amount: '50' }],
      [2_000, 'S', 'ROUTER', 100, within(0)],
      [2_000, 'ROUTER', 'B', 100, within(1, 'ETH', '1')],
    ]);
    const late: Graph = {
      ...graph,
      read: (statement, params, options) =>
        statement === 'exposure/transactions'
          ? Promise.reject(new GraphTimeoutError())
          : graph.read(statement, params, options),
    };
    const answer = await askExposure(late);
    expect(lines(answer).sort()).toEqual([
      'received sanctioned direct: 100 at 1',
      'received sanctioned indirect: 50 at 2',
      'sent dex_router direct: 100 at 1',
    ]);
    expect(answer.coverage.reasons).toContain('time_budget');
  });
});

import { describe, expect } from 'vitest';
import { GraphTimeoutError } from '../../../src/errors.ts';
import type { Graph } from '../../../src/graph/port.ts';
import { checkRelationship } from '../../../src/tracing/answers/paths/check-relationship.ts';
import { engineCases } from '../../graph/engine-cases.ts';
import { ENGINES } from '../../graph/engines.ts';
import { type Payment, pay, tracing } from '../money.ts';

describe.each(Object.entries(ENGINES))('relationships on %s', (_name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const ask = (more: Partial<Parameters<typeof checkRelationship>[1]> = {}) =>
    checkRelationship(tracing(graph), { chain: 'ethereum', a: 'A', b: 'B', limit: 50, ...more });
  const totals = (usd: number, tx_count: number, tx_hash: string) =>
    expect.objectContaining({ usd, tx_count, tx_hash });

  test('direct transfers either way, with the largest as evidence', async () => {
    await pay(graph, [
      [1_000, 'A', 'B', 5],
      [2_000, 'A', 'B', 9],
      [3_000, 'B', 'A', null],
    ]);
    expect(await ask()).toMatchObject({
      related: true,
      direct: {
        a_to_b: {
          usd: 14,
          tx_count: 2,
          first_at: '1970-01-01T00:00:01.000Z',
          last_at: '1970-01-01T00:00:02.000Z',
          tx_hash: '0x1',
        },
        b_to_a: { usd: null, tx_count: 1, tx_hash: '0x2' },
      },
      shared_counterparties: [],
      shared_count: 0,
      shared_services: [],
      shortest_path: { length: 1, hops: [{ from: 'A', to: 'B', tx_hash: '0x1' }] },
      same_entity: false,
    });
  });

  test('shared counterparties, the most valuable to both first, with what each sent and received', async () => {
    await pay(graph, [
      [1, 'A', 'x', 100],
      [2, 'A', 'x', 1],
      [3, 'x', 'B', 4],
      [4, 'y', 'A', 9],
      [5, 'y', 'B', 9],
      [6, 'A', 'onlyA', 9],
      [7, 'onlyB', 'B', 9],
    ]);
    const answer = await ask();
    expect(answer.shared_count).toBe(2);
    expect(answer.shared_counterparties).toEqual([
      {
        address: 'y',
        label: null,
        category: 'unknown',
        with_a: { sent: null, received: totals(9, 1, '0x3') },
        with_b: { sent: null, received: totals(9, 1, '0x4') },
      },
      {
        address: 'x',
        label: null,
        category: 'unknown',
        with_a: { sent: totals(101, 2, '0x0'), received: null },
        with_b: { sent: null, received: totals(4, 1, '0x2') },
      },
    ]);
    expect(answer).toMatchObject({ related: true, shortest_path: { length: 2 } });
    expect((await ask({ limit: 1 })).shared_counterparties).toHaveLength(1);
    expect((await ask({ limit: 1 })).shared_count).toBe(2);
  });

  test('what was minted to both, or destroyed by one and minted to the other, relates nobody', async () => {
    const zero = `0x${'0'.repeat(40)}`;
    await pay(graph, [
      [1, zero, 'A', 10],
      [2, 'A', zero, 10],
      [3, zero, 'B', 10],
    ]);
    expect(await ask()).toMatchObject({
      related: false,
      shared_count: 0,
      shared_counterparties: [],
      shortest_path: null,
    });
  });

  test('two customers of one exchange are not related by it', async () => {
    await pay(graph, [
      [1, 'A', 'CEX', 10],
      [2, 'CEX', 'B', 10],
    ]);
    expect(await ask()).toMatchObject({
      related: false,
      shared_count: 1,
      shared_counterparties: [{ address: 'CEX', category: 'exchange' }],
      shared_services: [],
      shortest_path: null,
      coverage: { reasons: ['not_read', 'service_stop'] },
      note: expect.stringMatching(/^Not related in the known graph\..* \(service_stop\), first at CEX \(exchange\)/),
    });
  });

  test('of related addresses without a path, the service in the way is named', async () => {
    await pay(graph, [
      [1, 'A', 'CEX', 10],
      [2, 'CEX', 'B', 10],
      [3, 'friend', 'A', 10],
      [4, 'friend', 'B', 10],
    ]);
    expect(await ask()).toMatchObject({
      related: true,
      shortest_path: null,
      note: expect.stringMatching(/^No path in the known graph\..* first at CEX \(exchange\)/),
    });
  });

  test('a labelled service with a thousand counterparties stands apart, one of 999 does not', async () => {
    const crowd = (service: string, count: number) =>
      Array.from({ length: count }, (_, i): Payment => [1, `${service}-c${i}`, service, 1]);
    await pay(graph, [
      ...crowd('CEX', 998),
      ...crowd('DEX', 997),
      ...['CEX', 'DEX'].flatMap((service): Payment[] => [
        [2, 'A', service, 1],
        [3, 'B', service, 1],
      ]),
    ]);
    const answer = await ask();
    expect([
      answer.shared_services.map(({ address }) => address),
      answer.shared_counterparties.map(({ address }) => address),
    ]).toEqual([['CEX'], ['DEX']]);
    expect(answer).toMatchObject({ related: false, shared_count: 1 });
  });

  test('one owner relates two addresses without a transfer between them', async () => {
    await pay(
      graph,
      [
        [1, 'A', 'x', 1],
        [1, 'y', 'B', 1],
      ],
      { labels: { A: { entity_id: 'Joe' }, B: { entity_id: 'Joe' } } },
    );
    expect(await ask()).toMatchObject({ related: true, same_entity: true, shortest_path: null, shared_count: 0 });
  });

  test('the shorter directed way counts, as far as a flow path reaches and in time order', async (reset) => {
    const chain = (from: string, to: string, hops: number, name: string): Payment[] =>
      Array.from({ length: hops }, (_, i) => [
        i,
        i === 0 ? from : `${name}${i}`,
        i === hops - 1 ? to : `${name}${i + 1}`,
        1,
      ]);
    await pay(graph, [...chain('A', 'B', 5, 'p'), ...chain('B', 'A', 4, 'q')]);
    const answer = await ask();
    expect(answer).toMatchObject({ related: true, shared_count: 0, shortest_path: { length: 4 } });
    expect(answer.shortest_path?.hops[0]?.from).toBe('B');

    await reset();
    await pay(graph, chain('A', 'B', 11, 'p'));
    expect(await ask()).toMatchObject({
      related: false,
      shortest_path: null,
      searched: { truncated: true, reasons: ['max_hops'] },
      coverage: { complete: false },
      note: expect.stringContaining('Not related in the known graph within 10 hops; a longer path may exist.'),
    });
  });

  test('of a crowded address the largest dealings are compared, and the answer says so', async () => {
    await pay(graph, [
      ...Array.from({ length: 10_000 }, (_, i): Payment => [i, `c${i}`, 'A', 5]),
      [1, 'A', 'worth', 9],
      [2, 'worth', 'B', 9],
      [3, 'A', 'small', 1],
      [4, 'small', 'B', 1],
    ]);
    const answer = await ask();
    expect(answer.shared_counterparties.map(({ address }) => address)).toEqual(['worth']);
    expect(answer.searched.reasons).toContain('hub_not_expanded');
  });

  test('at the end of its time the answer says so, and is not an error', async () => {
    await pay(graph, [
      [1, 'A', 'x', 1],
      [2, 'B', 'x', 1],
      [3, 'A', 'B', 1],
    ]);
    const read: Graph['read'] = (name, params, options) =>
      name === 'relationship/dealings' ? Promise.reject(new GraphTimeoutError()) : graph.read(name, params, options);
    const answer = await checkRelationship(tracing({ ...graph, read }), {
      chain: 'ethereum',
      a: 'A',
      b: 'B',
      limit: 9,
    });
    expect(answer).toMatchObject({
      related: true,
      shared_count: 0,
      searched: { truncated: true, reasons: ['time_budget'] },
    });
  });

  test('unknown addresses are not related', async () => {
    expect(await ask()).toMatchObject({
      address_a: 'A',
      address_b: 'B',
      chain: 'ethereum',
      related: false,
      direct: { a_to_b: null, b_to_a: null },
      shared_counterparties: [],
      shared_count: 0,
      shared_services: [],
      shortest_path: null,
      same_entity: false,
      searched: { truncated: false, reasons: [] },
      coverage: { reasons: ['not_read'], frontier_count: 4, complete: false },
      note: expect.stringContaining('Not related in the known graph.'),
    });
  });
});

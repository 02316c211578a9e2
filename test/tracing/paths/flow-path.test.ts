import { describe, expect } from 'vitest';
import { GraphTimeoutError } from '../../../src/errors.ts';
import type { Graph } from '../../../src/graph/port.ts';
import { findFlowPath } from '../../../src/tracing/answers/paths/find-flow-path.ts';
import { engineCases } from '../../graph/engine-cases.ts';
import { ENGINES } from '../../graph/engines.ts';
import { type Payment, pay, SEARCH, tracing } from '../money.ts';

describe.each(Object.entries(ENGINES))('flow paths on %s', (_name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const ask = (more: Partial<Parameters<typeof findFlowPath>[1]> = {}, on = graph, inquiry = {}) =>
    findFlowPath(tracing(on, inquiry), { ...SEARCH, chain: 'ethereum', from: 'A', to: 'Z', ...more });
  const ways = ({ paths }: Awaited<ReturnType<typeof ask>>) =>
    paths.map(
      ({ hops, bottleneck_usd }) => `${hops.map(({ from }) => from).join('>')}>${hops.at(-1)?.to} ${bottleneck_usd}`,
    );

  test('the shortest come first, then the larger bottleneck, never more than asked for', async () => {
    await pay(graph, [
      [1, 'A', 'b', 9],
      [2, 'b', 'Z', 5],
      [1, 'A', 'c', 8],
      [2, 'c', 'Z', 7],
      [3, 'A', 'Z', 1],
      [1, 'A', 'd', 99],
      [2, 'd', 'e', 99],
      [3, 'e', 'Z', 99],
    ]);
    const answer = await ask({ maxPaths: 10 });
    expect(ways(answer)).toEqual(['A>Z 1', 'A>c>Z 7', 'A>b>Z 5', 'A>d>e>Z 99']);
    expect(answer).toMatchObject({
      found: true,
      from_address: 'A',
      to_address: 'Z',
      searched: { truncated: false, reasons: ['not_read'] },
      note: null,
    });
    expect(ways(await ask({ maxPaths: 2 }))).toEqual(['A>Z 1', 'A>c>Z 7']);
    expect(ways(await ask({ maxHops: 2, maxPaths: 10 }))).toEqual(['A>Z 1', 'A>c>Z 7', 'A>b>Z 5']);
  });

  test('every step shows its transaction', async () => {
    await pay(graph, [
      [1_000, 'A', 'b', 9, { amount: '36893488147419103232.5' }],
      [2_000, 'b', 'Z', 5],
    ]);
    expect((await ask()).paths[0]).toEqual({
      length: 2,
      bottleneck_usd: 5,
      first_at: '1970-01-01T00:00:01.000Z',
      last_at: '1970-01-01T00:00:02.000Z',
      hops: [
        {
          from: 'A',
          to: 'b',
          chain: 'ethereum',
          tx_hash: '0x0',
          asset: 'TOK',
          amount: '36893488147419103232.5',
          usd: 9,
          at: '1970-01-01T00:00:01.000Z',
        },
        {
          from: 'b',
          to: 'Z',
          chain: 'ethereum',
          tx_hash: '0x1',
          asset: 'TOK',
          amount: '5',
          usd: 5,
          at: '1970-01-01T00:00:02.000Z',
        },
      ],
    });
  });

  test('money cannot go on before it came, unless that is asked for', async () => {
    await pay(graph, [
      [5, 'A', 'b', 9],
      [2, 'b', 'Z', 5],
    ]);
    expect(await ask()).toMatchObject({ found: false, paths: [] });
    expect(ways(await ask({ timeOrdered: false }))).toEqual(['A>b>Z 5']);
  });

  test('of several transfers those are chosen that can have been one way, the widest of these', async () => {
    await pay(graph, [
      [1, 'A', 'b', 3],
      [4, 'A', 'b', 8],
      [3, 'b', 'Z', 50],
      [5, 'b', 'Z', 7],
      [6, 'b', 'Z', 2],
    ]);
    const { paths } = await ask();
    expect(paths[0]?.hops.map(({ tx_hash }) => tx_hash)).toEqual(['0x1', '0x3']);
    expect(paths[0]?.bottleneck_usd).toBe(7);
  });

  test('a possible way is found behind many wider ones that are impossible in time', async () => {
    const impossible = Array.from({ length: 150 }, (_, i): Payment[] => [
      [9, 'A', `x${i}`, 1_000],
      [2, `x${i}`, 'Z', 1_000],
    ]).flat();
    await pay(graph, [...impossible, [3, 'A', 'b', 1], [4, 'b', 'Z', 1]]);
    expect(ways(await ask())).toEqual(['A>b>Z 1']);
  });

  test('a way past an address that has a shorter one is found too', async () => {
    await pay(graph, [
      [1, 'A', 'b', 1],
      [2, 'A', 'c', 1],
      [3, 'b', 'c', 1],
      [4, 'c', 'Z', 1],
    ]);
    expect(ways(await ask())).toEqual(['A>c>Z 1', 'A>b>c>Z 1']);
  });

  test('a service in between ends a way, at an end it does not', async () => {
    await pay(graph, [
      [1, 'A', 'CEX', 9],
      [2, 'CEX', 'Z', 9],
      [3, 'A', 'b', 1],
      [4, 'b', 'MIX', 1],
    ]);
    const stopped = await ask();
    expect(stopped).toMatchObject({
      found: false,
      searched: { truncated: false, reasons: ['not_read', 'service_stop'] },
      note: expect.stringContaining('(service_stop), first at CEX (exchange): a flow path with through_services'),
    });
    expect(ways(await ask({ throughServices: true }))).toEqual(['A>CEX>Z 9']);
    expect(ways(await ask({ to: 'MIX' }))).toEqual(['A>b>MIX 1']);
    expect(ways(await ask({ from: 'CEX' }))).toEqual(['CEX>Z 9']);
  });

  test('of a span, every transfer of a path lies within it', async () => {
    await pay(graph, [
      [1_000, 'A', 'b', 9],
      [2_000, 'b', 'Z', 9],
      [3_000, 'A', 'c', 5],
      [4_000, 'c', 'Z', 5],
      [5_000, 'A', 'b', 1],
      [6_000, 'b', 'Z', 1],
    ]);
    const widest = ['A>b>Z 9', 'A>c>Z 5'];
    expect(ways(await ask())).toEqual(widest);
    expect(ways(await ask({ span: { from: 1_000, until: 4_000 } }))).toEqual(widest);
    for (const timeOrdered of [true, false]) {
      expect(ways(await ask({ timeOrdered, span: { from: 2_001, until: 6_000 } }))).toEqual(['A>c>Z 5', 'A>b>Z 1']);
      expect(ways(await ask({ timeOrdered, span: { from: 3_000, until: 5_999 } }))).toEqual(['A>c>Z 5']);
      expect(ways(await ask({ timeOrdered, span: { from: 6_001, until: 9_000 } }))).toEqual([]);
    }
  });

  test('transfers below the least value are not a way, nor are many small ones together', async () => {
    await pay(graph, [
      [1, 'A', 'b', 10],
      [2, 'b', 'Z', 4],
      [3, 'b', 'Z', 4],
    ]);
    expect(ways(await ask({ minUsd: 4 }))).toEqual(['A>b>Z 4']);
    expect((await ask({ minUsd: 5 })).found).toBe(false);
  });

  test('unpriced transfers are a way without a value', async () => {
    await pay(graph, [
      [1, 'A', 'b', null],
      [2, 'b', 'Z', null],
    ]);
    const { paths } = await ask();
    expect(paths[0]?.bottleneck_usd).toBeNull();
    expect(paths[0]?.hops.map(({ usd }) => usd)).toEqual([null, null]);
    expect((await ask({ minUsd: 1 })).found).toBe(false);
  });

  test('what only the contract of an unverified token states is named, and comes after every other way', async () => {
    const token = (contract: string) => ({ token: `0x${contract.repeat(40)}`, kind: 'token', asset: 'FREE' }) as const;
    const forged: Payment = [2, 'A', 'Z', null, token('9')];
    await pay(graph, [forged, [1, 'A', 'b', 5], [2, 'b', 'c', 5], [3, 'c', 'Z', 5]]);
    const answer = await ask({ maxPaths: 2 });
    expect(ways(answer)).toEqual(['A>b>c>Z 5', 'A>Z null']);
    expect(answer.paths.map(({ hops }) => hops.map(({ claimed }) => claimed ?? false))).toEqual([
      [false, false, false],
      [true],
    ]);
    expect(answer.note).toBeNull();
    const alone = await ask({ maxHops: 1 });
    expect(alone).toMatchObject({ found: true, paths: [{ hops: [{ claimed: true }] }] });
    expect(alone.note).toContain('unverified token');
  });

  test('no address comes twice on a way', async () => {
    await pay(graph, [
      [1, 'A', 'b', 1],
      [2, 'b', 'A', 1],
      [3, 'A', 'b', 1],
      [4, 'b', 'c', 1],
      [5, 'c', 'b', 1],
      [6, 'b', 'Z', 1],
      [7, 'Z', 'b', 1],
    ]);
    expect(ways(await ask({ maxHops: 10, maxPaths: 10 }))).toEqual(['A>b>Z 1']);
  });

  test('ten hops are found, eleven are not', async () => {
    await pay(
      graph,
      Array.from({ length: 11 }, (_, i): Payment => [i, i === 0 ? 'A' : `a${i}`, i === 10 ? 'Z' : `a${i + 1}`, 1]),
    );
    expect((await ask({ maxHops: 10 })).found).toBe(false);
    expect((await ask({ maxHops: 10, to: 'a10' })).paths[0]?.length).toBe(10);
  });

  test('a search that ended at its hop limit says so, one that saw everything does not', async () => {
    const scanned = ['A', 'b', 'c', 'Z'].map((address) => ({ address, at: 9, complete: true }));
    const way: Payment[] = [
      [1, 'A', 'b', 5],
      [2, 'b', 'c', 5],
      [3, 'c', 'Z', 5],
    ];
    await pay(graph, way, { scanned });
    expect(await ask({ maxHops: 2 })).toMatchObject({
      found: false,
      searched: { truncated: true, reasons: ['max_hops'] },
      coverage: { complete: false, reasons: ['max_hops'], frontier: [] },
      note: 'No path in the known graph within 2 hops; a longer one may exist.',
    });
    expect((await ask({ maxHops: 1 })).note).toContain('within 1 hop;');
    expect(await ask({ maxHops: 3 })).toMatchObject({ found: true, searched: { truncated: false, reasons: [] } });
    expect(await ask({ maxHops: 2, from: 'Z', to: 'A' })).toMatchObject({
      found: false,
      searched: { truncated: false, reasons: [] },
      coverage: { complete: true },
      note: null,
    });
  });

  test('only the widest of a wide front are read to see that longer paths may exist, the others where these end', async () => {
    const wide = (onward: (nth: number) => boolean): Payment[] =>
      Array.from({ length: 60 }, (_, nth): Payment[] => [
        [1, 'A', `b${nth}`, 100 - nth],
        ...(onward(nth) ? [[2, `b${nth}`, `c${nth}`, 5] as Payment] : []),
      ]).flat();
    const asked: number[] = [];
    const counting: Graph = {
      ...graph,
      read: (statement, params, options) => {
        if (statement.startsWith('walk/sent')) asked.push((params.keys as string[]).length);
        return graph.read(statement, params, options);
      },
    };
    await pay(graph, [...wide((nth) => nth === 50), [1, 'y', 'Z', 1], [0, 'x', 'y', 1]]);
    expect((await ask({ maxHops: 2 }, counting)).searched).toMatchObject({
      truncated: true,
      reasons: ['max_hops', 'not_read'],
    });
    expect(asked).toEqual([1, 20, 20]);
    asked.length = 0;
    await pay(
      graph,
      wide((nth) => nth < 10),
    );
    expect((await ask({ maxHops: 2 }, counting)).searched).toMatchObject({
      truncated: true,
      reasons: ['max_hops', 'not_read'],
    });
    expect(asked).toEqual([1]);
  });

  test('whatever the times, each side takes one walk, and no address is opened again', async () => {
    const walks: string[] = [];
    const noting: Graph = {
      ...graph,
      read: (statement, params, options) => {
        if (statement.startsWith('walk/')) walks.push(statement);
        return graph.read(statement, params, options);
      },
    };
    await pay(graph, [
      [4, 'A', 'b', 9],
      [3, 'b', 'c', 9],
      [2, 'c', 'd', 9],
      [1, 'd', 'Z', 9],
    ]);
    expect(ways(await ask({ timeOrdered: false }, noting))).toEqual(['A>b>c>d>Z 9']);
    expect(walks.sort()).toEqual(['walk/received-4', 'walk/sent-4']);
  });

  test('a way is found behind wider fronts than a walk opens', async () => {
    const fan = (payment: (nth: number) => Payment[]) => Array.from({ length: 300 }, (_, nth) => payment(nth)).flat();
    await pay(graph, [
      ...['m1', 'm2', 'm3'].map((m): Payment => [1, 'A', m, 900]),
      ...fan((nth) => [[2, `m${(nth % 3) + 1}`, `x${nth}`, 900 - nth]]),
      [3, 'x299', 'w299', 1],
      ...fan((nth) => [[4, `w${nth}`, `n${(nth % 3) + 1}`, 900 - nth]]),
      ...['n1', 'n2', 'n3'].map((n): Payment => [5, n, 'Z', 900]),
    ]);
    expect(ways(await ask())).toEqual(['A>m3>x299>w299>n3>Z 1']);
  });

  test('the tail of a hub is not followed, and the answer says so', async () => {
    await pay(graph, [
      ...Array.from({ length: 201 }, (_, i): Payment => [1, 'A', `x${i}`, 9]),
      [1, 'A', 'b', 1],
      [2, 'b', 'c', 1],
      [3, 'c', 'd', 1],
      [4, 'd', 'Z', 1],
    ]);
    const exact = await ask({ maxHops: 2 });
    expect(exact.searched.reasons).toContain('hub_not_expanded');
    expect(exact.searched.truncated).toBe(true);
  });

  test('what a hub paid is found from the other end, however little it was', async () => {
    await pay(graph, [
      ...Array.from({ length: 201 }, (_, i): Payment => [1, 'A', `x${i}`, 9]),
      [1, 'A', 'Z', 1],
      [1, 'A', 'b', 2],
      [2, 'b', 'Z', 2],
    ]);
    expect(ways(await ask({ maxHops: 2 }))).toEqual(['A>Z 1', 'A>b>Z 2']);
  });

  test('unknown addresses have no way between them', async () => {
    const unread = { chain: 'ethereum', hop: 0, usd: 0, share: 0, reason: 'not_read' };
    expect(await ask()).toEqual({
      found: false,
      from_address: 'A',
      to_address: 'Z',
      chain: 'ethereum',
      to_chain: 'ethereum',
      paths: [],
      searched: { addresses: 2, truncated: false, reasons: ['not_read'] },
      coverage: {
        attributed: { received: null, sent: null },
        unattributed: {},
        through_unread: { received: null, sent: null },
        frontier: [
          { ...unread, address: 'A', direction: 'sent' },
          { ...unread, address: 'Z', direction: 'received' },
        ],
        frontier_count: 2,
        complete: false,
        reasons: ['not_read'],
      },
      note: expect.stringContaining('2 addresses on the way not read in full'),
    });
  });

  test('no path means no path only where all that was met is read', async () => {
    const scanned = ['A', 'b', 'c'].map((address) => ({ address, at: 9, complete: true }));
    await pay(
      graph,
      [
        [1, 'A', 'b', 5],
        [2, 'c', 'Z', 3],
      ],
      { scanned },
    );
    const open = await ask();
    expect(open).toMatchObject({ found: false, coverage: { frontier: [{ address: 'Z', hop: 0 }], frontier_count: 1 } });
    await pay(graph, [], { scanned: [{ address: 'Z', at: 9, complete: true }] });
    expect(await ask()).toMatchObject({
      found: false,
      searched: { reasons: [] },
      coverage: { complete: true, frontier: [] },
      note: null,
    });
    const stranger = await ask({}, graph, { readBy: async () => new Set(['ethereum:A']) });
    expect(stranger.coverage.frontier.map(({ address, reason }) => `${address} ${reason}`)).toEqual([
      'b not_read',
      'Z not_read',
    ]);
  });

  test('at the end of its time the answer holds what was found, and is not an error', async () => {
    await pay(graph, [
      [1, 'A', 'Z', 1],
      [1, 'A', 'b', 1],
      [2, 'b', 'c', 1],
      [3, 'c', 'Z', 1],
    ]);
    let asked = 0;
    const slow: Graph = {
      ...graph,
      read: (name, params, options) => {
        if (name === 'path/transfers' && ++asked > 1) return Promise.reject(new GraphTimeoutError());
        return graph.read(name, params, options);
      },
    };
    const answer = await ask({}, slow);
    expect([ways(answer), answer.searched.truncated, answer.searched.reasons]).toEqual([
      ['A>Z 1'],
      true,
      ['not_read', 'time_budget'],
    ]);
  });
});

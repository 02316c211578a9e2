import { describe, expect } from 'vitest';
import { GraphTimeoutError } from '../../src/errors.ts';
import type { Graph } from '../../src/graph/port.ts';
import type { Inquiry } from '../../src/tracing/read/inquiry.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { VECTORS } from './engine/vectors.ts';
import { askExposure, lines, type Payment, pay } from './money.ts';

/** Who asks without a key. */
const KEYLESS: Partial<Inquiry> = { accountId: null, readBy: async () => new Set() };

describe('exposure', () => {
  let graph: Graph;
  const test = engineCases(ENGINES.grafeo, (empty) => {
    graph = empty;
  });

  test('a span follows only what the address itself moved within it; what came before still explains it', async () => {
    await pay(graph, [
      [1, 'HACK', 'M', 100],
      [2, 'CEX', 'S', 300],
      [3, 'M', 'S', 100],
      [4, 'S', 'MIX', 50],
    ]);
    const answer = await askExposure(graph, { from: 3, to: 3 });
    expect(lines(answer)).toEqual(['received sanctioned indirect: 100 at 2']);
    expect(answer).toMatchObject({ received_usd: 100, sent_usd: 0, unattributed_usd: 0, total_classified_usd: 100 });
    expect(await askExposure(graph, { from: 5 })).toMatchObject({ received_usd: 0, sent_usd: 0, direct: [] });
  });

  const received: [string, Payment[], string[], number][] = [
    [
      'direct money whole',
      [
        [1, 'HACK', 'S', 100],
        [2, 'CEX', 'S', 300],
      ],
      ['received sanctioned direct: 100 at 1', 'received exchange direct: 300 at 1'],
      0,
    ],
    [
      'an intermediary in proportion',
      [
        [1, 'HACK', 'M', 2],
        [2, 'CEX', 'M', 3],
        [3, 'M', 'S', 1],
      ],
      ['received sanctioned indirect: 0.4 at 2', 'received exchange indirect: 0.6 at 2'],
      0,
    ],
    [
      'no taint that arrived after the payment',
      [
        [1, 'CEX', 'M', 3],
        [2, 'M', 'S', 1],
        [3, 'HACK', 'M', 2],
      ],
      ['received exchange indirect: 1 at 2'],
      0,
    ],
    [
      'a chain of intermediaries',
      [
        [1, 'HACK', 'a', 100],
        [2, 'a', 'b', 100],
        [3, 'CEX', 'b', 100],
        [4, 'b', 'S', 100],
      ],
      ['received sanctioned indirect: 50 at 3', 'received exchange indirect: 50 at 2'],
      0,
    ],
    [
      'a diamond once',
      [
        [1, 'HACK', 'a', 100],
        [2, 'a', 'b', 50],
        [3, 'a', 'c', 50],
        [4, 'b', 'S', 50],
        [5, 'c', 'S', 50],
      ],
      ['received sanctioned indirect: 100 at 3'],
      0,
    ],
    [
      'own money that came back as nobody’s',
      [
        [1, 'HACK', 'a', 100],
        [2, 'S', 'a', 100],
        [3, 'a', 'S', 200],
      ],
      ['received sanctioned indirect: 100 at 2'],
      100,
    ],
    [
      'never more than was paid',
      [
        [1, 'HACK', 'a', 100],
        [2, 'MIX', 'a', 100],
        [3, 'a', 'S', 10],
      ],
      ['received sanctioned indirect: 5 at 2', 'received mixer indirect: 5 at 2'],
      0,
    ],
  ];

  for (const [name, payments, buckets, left] of received) {
    test(`received money counts ${name}`, async () => {
      await pay(graph, payments);
      const answer = await askExposure(graph);
      expect(lines(answer).filter((line) => line.startsWith('received'))).toEqual(buckets);
      const sentUsd = answer.sent_usd;
      expect(answer.unattributed_usd).toBe(left + sentUsd);
      expect(answer.total_classified_usd + answer.unattributed_usd).toBe(answer.received_usd + sentUsd);
    });
  }

  for (const { id, name, transfers, direction = 'received', expected, unattributed } of VECTORS) {
    test(`${id} ${name}`, async () => {
      await pay(
        graph,
        transfers.map(
          ([at, from, to, usd, { symbol = 'USDC', amount = String(usd), ...more } = {}]): Payment => [
            at,
            from,
            to,
            usd,
            { asset: symbol, amount, ...more },
          ],
        ),
      );
      const answer = await askExposure(graph);
      const top = [...answer.direct, ...answer.indirect]
        .filter((bucket) => bucket.direction === direction)
        .flatMap((bucket) => bucket.top);
      expect(top.map(({ address, usd, hops }) => `${address}: ${usd} at ${hops}`).sort()).toEqual(expected.toSorted());
      const total = direction === 'received' ? answer.received_usd : answer.sent_usd;
      expect(total - top.reduce((sum, { usd }) => sum + usd, 0)).toBe(unattributed);
    });
  }

  test('every step shows its transaction, in the order in which the money moved', async () => {
    await pay(graph, [
      [1_000, 'HACK', 'a', 60, { amount: '36893488147419103232.5' }],
      [2_000, 'a', 'S', 50, { amount: '36893488147419103232.5' }],
      [3_000, 'S', 'b', 20],
      [4_000, 'b', 'CEX', 20],
    ]);
    const { indirect } = await askExposure(graph);
    const hop = { chain: 'ethereum', asset: 'TOK' };
    expect(indirect[0]?.top).toEqual([
      {
        address: 'HACK',
        chain: 'ethereum',
        label: 'hack',
        usd: 50,
        hops: 2,
        assets: { TOK: '36893488147419103232.5' },
        path: [
          {
            ...hop,
            from: 'HACK',
            to: 'a',
            tx_hash: '0x0',
            amount: '36893488147419103232.5',
            usd: 60,
            at: '1970-01-01T00:00:01.000Z',
          },
          {
            ...hop,
            from: 'a',
            to: 'S',
            tx_hash: '0x1',
            amount: '36893488147419103232.5',
            usd: 50,
            at: '1970-01-01T00:00:02.000Z',
          },
        ],
      },
    ]);
    expect(indirect[1]?.top[0]?.path.map(({ from, to, tx_hash }) => [from, to, tx_hash])).toEqual([
      ['S', 'b', '0x2'],
      ['b', 'CEX', '0x3'],
    ]);
  });

  test('the path shown has as many hops as the answer says, where a longer way carried more', async () => {
    await pay(graph, [
      [1, 'S', 'a', 100],
      [2, 'a', 'CEX', 10],
      [3, 'a', 'b', 90],
      [4, 'b', 'CEX', 90],
    ]);
    const [bucket] = (await askExposure(graph)).indirect;
    expect(bucket).toMatchObject({ usd: 100, min_hops: 2, top: [{ usd: 100, hops: 2 }] });
    expect(bucket?.top[0]?.path.map((hop) => hop.tx_hash)).toEqual(['0x0', '0x1']);
  });

  test('the path shown is one that can have happened, along the largest transfers', async () => {
    await pay(graph, [
      [1, 'HACK', 'm', 1],
      [2, 'HACK', 'm', 50],
      [5, 'HACK', 'm', 900],
      [3, 'm', 'S', 30],
      [4, 'm', 'S', 10],
    ]);
    const { indirect } = await askExposure(graph);
    expect(indirect[0]?.top[0]?.path.map((hop) => hop.tx_hash)).toEqual(['0x1', '0x3']);
    expect(indirect[0]).toMatchObject({ usd: 40, usd_upper: 40, share: 1, address_count: 1, min_hops: 2 });
  });

  test('the upper bound is what the ways can carry, shared beginnings counted once', async () => {
    await pay(graph, [
      [1, 'HACK1', 'a', 100],
      [1, 'HACK2', 'a', 100],
      [1, 'CEX', 'a', 100],
      [2, 'a', 'S', 10],
      [2, 'CEX2', 'S', 500],
    ]);
    const { indirect } = await askExposure(graph);
    expect(indirect.map(({ category, usd, usd_upper }) => [category, usd, usd_upper])).toEqual([
      ['sanctioned', 6.666667, 10],
      ['exchange', 3.333333, 10],
    ]);
  });

  test('of two transactions in the same place the receipt comes first where the payment needs it', async () => {
    await pay(graph, [
      [5, 'HACK', 'm', 10],
      [5, 'm', 'S', 10],
    ]);
    expect(lines(await askExposure(graph))).toEqual(['received sanctioned indirect: 10 at 2']);
  });

  test('block and position order what happened at one time, and only within one block the position', async () => {
    await pay(graph, [
      [5, 'HACK', 'm', 10, { block: 7, position: 1 }],
      [5, 'm', 'S', 10, { block: 7, position: 2 }],
      [5, 'MIX', 'n', 10, { block: 7, position: 2 }],
      [5, 'n', 'S', 10, { block: 7, position: 1 }],
      [5, 'SCAM', 'o', 10, { block: 6, position: 9 }],
      [5, 'o', 'S', 10, { block: 7, position: 1 }],
      [5, 'CEX', 'p', 10, { block: null, position: 1 }],
      [5, 'p', 'S', 10, { block: null, position: 2 }],
    ]);
    // Without a block the positions say nothing: that order is chosen which explains the payment.
    expect(lines(await askExposure(graph))).toEqual([
      'received sanctioned indirect: 10 at 2',
      'received scam indirect: 10 at 2',
      'received exchange indirect: 10 at 2',
    ]);
  });

  test('inside one transaction the place decides', async () => {
    await pay(graph, [
      [5, 'HACK', 'm', 10, { txHash: '0xsame', index: 'log:1', seq: 1 }],
      [5, 'm', 'S', 10, { txHash: '0xsame', index: 'log:2', seq: 2 }],
      [5, 'MIX', 'm', 10, { txHash: '0xsame', index: 'log:3', seq: 3 }],
    ]);
    expect(lines(await askExposure(graph))).toEqual(['received sanctioned indirect: 10 at 2']);
  });

  test('money stops at each labelled service and passes through everybody else', async (reset) => {
    const services = ['HACK', 'CEX', 'MIX', 'SCAM', 'BRIDGE', 'DARK', 'DRAIN', 'DEX', 'ROUTER', 'BET'];
    await pay(
      graph,
      services.flatMap((name): Payment[] => [
        [1, 'HACK0', name, 10],
        [2, name, 'S', 10],
      ]),
    );
    const stopped = await askExposure(graph);
    expect(stopped.indirect).toEqual([]);
    expect(stopped.direct.map(({ category, usd }) => `${category} ${usd}`).sort()).toEqual([
      'bridge 10',
      'darknet 10',
      'dex 10',
      'dex_router 10',
      'drainer 10',
      'exchange 10',
      'gambling 10',
      'mixer 10',
      'sanctioned 10',
      'scam 10',
    ]);

    await reset();
    const others = ['self', 'whitelist', 'other', 'unknown'];
    await pay(
      graph,
      [...others, 'nobody'].flatMap((name): Payment[] => [
        [1, 'HACK', name, 10],
        [2, name, 'S', 10],
      ]),
      {
        labels: Object.fromEntries(others.map((category) => [category, { category, label: category }])),
      },
    );
    expect(lines(await askExposure(graph))).toEqual(['received sanctioned indirect: 50 at 2']);
  });

  test('direct and indirect money of one address are two buckets', async () => {
    await pay(graph, [
      [1, 'HACK', 'S', 7],
      [1, 'HACK', 'm', 5],
      [2, 'm', 'S', 5],
    ]);
    const answer = await askExposure(graph);
    expect(lines(answer)).toEqual(['received sanctioned direct: 7 at 1', 'received sanctioned indirect: 5 at 2']);
    // To a millionth, so that no rest of floating-point arithmetic is shown.
    expect(answer.direct[0]?.share).toBe(0.583333);
  });

  test('what lies beyond the hops is left, and the answer says so', async () => {
    await pay(
      graph,
      [
        [1, 'HACK', 'a', 9],
        [2, 'a', 'b', 9],
        [3, 'b', 'S', 9],
      ],
      { scanned: ['S', 'a', 'b'].map((address) => ({ address, at: 9, complete: true })) },
    );
    const near = await askExposure(graph, { maxHops: 2 });
    expect([lines(near), near.unattributed_usd, near.coverage.reasons]).toEqual([[], 9, ['max_hops']]);
    expect(near.coverage.unattributed).toEqual({ max_hops: 9 });
    expect(near.note).toBe('9 USD was not followed beyond hop 2 (max_hops).');
    const far = await askExposure(graph, { maxHops: 3 });
    expect(far.note).toBeNull();
    expect(far.indirect[0]).toMatchObject({ usd: 9, min_hops: 3 });
    expect(far.coverage).toEqual({
      scanned_at: '1970-01-01T00:00:00.009Z',
      transfers: 1,
      attributed: { received: 1, sent: null },
      unattributed: {},
      through_unread: { received: 0, sent: null },
      frontier: [],
      frontier_count: 0,
      complete: true,
      reasons: [],
    });
  });

  test('the limit bounds what is opened, and never what is labelled', async () => {
    const many = Array.from({ length: 12 }, (_, i): Payment => [1, `CEX${i}`, 'S', 10 + i]);
    await pay(graph, [
      ...many,
      [2, 'm', 'S', 100],
      ...Array.from({ length: 12 }, (_, i): Payment => [1, `HACK${i}`, 'm', 1 + i]),
      ...Array.from({ length: 10 }, (_, i): Payment => [1, `x${i}`, 'S', 50 - i]),
    ]);
    const answer = await askExposure(graph, { limit: 10 });
    expect(answer.received_usd).toBe(741);
    const [direct, indirect] = [answer.direct[0], answer.indirect[0]];
    expect(direct).toMatchObject({ address_count: 12, usd: 186 });
    expect(indirect).toMatchObject({ address_count: 12, usd: 78 });
    expect(answer.coverage.unattributed).toMatchObject({ limit: 41 });
    expect(answer.coverage.reasons).toContain('limit');
    expect(answer.coverage.complete).toBe(false);
  });

  test('a hub is not opened', async () => {
    const crowd = Array.from({ length: 5_001 }, (_, i): Payment => [1, `CEX${i}`, 'hub', 1]);
    await pay(graph, [...crowd, [2, 'hub', 'S', 10]]);
    const answer = await askExposure(graph);
    expect([lines(answer), answer.unattributed_usd]).toEqual([[], 10]);
    expect(answer.coverage.reasons).toContain('hub_not_expanded');
  });

  test('one that moved just as much as is allowed is opened, and its many small payments are not lost', async () => {
    const crowd = Array.from(
      { length: 4_000 },
      (_, i): Payment => [1 + (i % 2), 'HACK', 'm', 1, { txHash: `0xc${i}` }],
    );
    await pay(graph, [
      ...crowd,
      ...Array.from({ length: 1_000 }, (_, i): Payment => [3 + i, 'm', 'S', 4, { txHash: `0xp${i}` }]),
    ]);
    expect(lines(await askExposure(graph))).toEqual(['received sanctioned indirect: 4000 at 2']);
  });

  test('unpriced transfers count as left out, never as nothing', async () => {
    await pay(graph, [
      [1, 'HACK', 'S', null],
      [1, 'CEX', 'm', null],
      [2, 'm', 'S', 3],
    ]);
    const answer = await askExposure(graph);
    expect([lines(answer), answer.received_usd, answer.unattributed_usd]).toEqual([
      ['received exchange indirect: 1 at 2'],
      3,
      2,
    ]);
    expect(answer.coverage.reasons).toContain('unpriced');
  });

  test('an address nobody scanned says so, and so does an unknown one', async () => {
    await pay(graph, [[1, 'CEX', 'S', 3]]);
    const known = await askExposure(graph);
    const coverage = { scanned_at: null, transfers: 1, complete: false, reasons: ['not_read'] };
    const itself = { address: 'S', chain: 'ethereum', hop: 0, reason: 'not_read' };
    expect(known.coverage).toMatchObject({
      ...coverage,
      frontier: [
        { ...itself, direction: 'received', usd: 3, share: 1 },
        { ...itself, direction: 'sent', usd: 0, share: 0 },
      ],
      frontier_count: 2,
    });
    expect(known.note).toMatch(/not scanned this address/);
    const unknown = await askExposure(graph, { address: 'nobody' });
    expect(unknown).toMatchObject({
      direct: [],
      indirect: [],
      patterns: [],
      received_usd: 0,
      sent_usd: 0,
      total_classified_usd: 0,
      unattributed_usd: 0,
      coverage: { scanned_at: null, transfers: 0, complete: false, reasons: ['not_read'] },
      note: 'The graph holds no transfers of this address.',
    });
  });

  test('what its own scan could not see is named', async () => {
    await pay(graph, [[1, 'CEX', 'S', 3]], { scanned: [{ address: 'S', at: 9, complete: false }] });
    expect((await askExposure(graph)).coverage).toMatchObject({ complete: false, reasons: ['partial_history'] });
  });

  test('money that ends at an address nobody scanned is left for that reason', async () => {
    const scanned = [{ address: 'S', at: 9, complete: true }];
    await pay(graph, [[2, 'm', 'S', 3]], { scanned });
    expect((await askExposure(graph)).coverage).toMatchObject({
      reasons: ['not_read'],
      unattributed: { not_read: 3 },
      frontier: [{ address: 'm', direction: 'received', hop: 1, usd: 3, share: 1, reason: 'not_read' }],
    });
    await pay(graph, [], { scanned: [{ address: 'm', at: 9, complete: true }] });
    expect((await askExposure(graph)).coverage).toMatchObject({ complete: true, reasons: ['unknown_origin'] });
  });

  test('without a key nothing shows what others investigate', async () => {
    await pay(graph, [[1, 'CEX', 'S', 3]], { scanned: [{ address: 'S', at: 9, complete: true }] });
    const { coverage, note } = await askExposure(graph, {}, KEYLESS);
    expect(coverage).toEqual({ attributed: { received: 1, sent: null }, complete: false, reasons: ['not_read'] });
    expect(note).toBeNull();
  });

  test('without a key too the note says how much lies beyond the hop limit', async () => {
    await pay(graph, [
      [1, 'CEX', 'm', 3],
      [2, 'm', 'S', 3],
    ]);
    const { note } = await askExposure(graph, { maxHops: 1 }, KEYLESS);
    expect(note).toContain('3 USD');
  });

  test('at the end of its time the answer says what is missing, and is not an error', async () => {
    await pay(
      graph,
      [
        [1, 'HACK', 'S', 100],
        [1, 'HACK', 'm', 2],
        [3, 'm', 'S', 1],
      ],
      { scanned: [{ address: 'S', at: 9, complete: true }] },
    );
    const opensOnlySubject = (count = 1): Graph => ({
      ...graph,
      read: (name, params, options) =>
        count-- <= 0 ? Promise.reject(new GraphTimeoutError()) : graph.read(name, params, options),
    });
    const late = await askExposure(opensOnlySubject());
    expect([lines(late), late.unattributed_usd, late.coverage.reasons]).toEqual([
      ['received sanctioned direct: 100 at 1'],
      1,
      ['time_budget'],
    ]);
    expect(await askExposure(opensOnlySubject(0))).toMatchObject({
      received_usd: 0,
      coverage: { complete: false, reasons: ['not_read', 'time_budget'] },
    });
  });

  test('a later transfer changes nothing that was attributed before', async () => {
    const before: Payment[] = [
      [1, 'HACK', 'm', 2],
      [2, 'CEX', 'm', 3],
      [3, 'm', 'S', 1],
    ];
    await pay(graph, before);
    const { indirect } = await askExposure(graph);
    await pay(graph, [...before, [9, 'MIX', 'm', 50]]);
    expect((await askExposure(graph)).indirect).toEqual(indirect);
  });
});

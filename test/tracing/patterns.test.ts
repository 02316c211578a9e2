import { describe, expect } from 'vitest';
import type { Graph } from '../../src/graph/port.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { askExposure, type Payment, pay } from './money.ts';

const HOUR = 3_600_000;
const at = (hours: number) => 1_700_000_000_000 + hours * HOUR;

/** Each named pattern planted at its threshold, with one change that takes it away. */
const PLANTS: [string, Payment[], { pattern_id: string; severity: string; usd: number; hops: number }, Payment[]][] = [
  [
    'a peel chain, followed beyond the hops of the trace',
    Array.from({ length: 5 }, (_, i): Payment[] => [
      [at(i), i === 0 ? 'S' : `p${i}`, `p${i + 1}`, 1_000 * 0.9 ** i],
      ...(i === 0 ? [] : [[at(i) + 1, `p${i}`, `peel${i}`, 1_000 * 0.9 ** (i - 1) * 0.1] as Payment]),
    ]).flat(),
    { pattern_id: 'peel_chain', severity: 'LOW', usd: 1_000, hops: 9 },
    [[at(-1), 'x', 'p2', 5]],
  ],
  [
    'money scattered and gathered again',
    ['m', 'n', 'o'].flatMap((m, i): Payment[] => [
      [at(i), 'S', m, 2_400],
      [at(30 + i), m, 'd', 1_680],
    ]),
    { pattern_id: 'scatter_gather', severity: 'HIGH', usd: 5_040, hops: 6 },
    [[at(35), 'S', 'n', 2_400]],
  ],
  [
    'money gathered at the subject over others',
    ['m', 'n', 'o'].flatMap((m, i): Payment[] => [
      [at(i), 'd', m, 2_400],
      [at(30 + i), m, 'S', 1_680],
    ]),
    { pattern_id: 'scatter_gather', severity: 'HIGH', usd: 5_040, hops: 6 },
    [[at(35), 'd', 'n', 2_400]],
  ],
  [
    'money of several that goes out to several others',
    [
      ...['a', 'b', 'c'].map((a, i): Payment => [at(i), a, 'S', 2_000]),
      ...['x', 'y', 'z'].map((x, i): Payment => [at(100 + i), 'S', x, 1_600]),
    ],
    { pattern_id: 'gather_scatter', severity: 'HIGH', usd: 4_800, hops: 6 },
    [[at(103), 'S', 'x', 1_400]],
  ],
  [
    'a round trip',
    [
      [at(0), 'S', 'a', 1_000],
      [at(40), 'a', 'b', 950],
      [at(80), 'b', 'S', 900],
    ],
    { pattern_id: 'cycle', severity: 'MEDIUM', usd: 900, hops: 3 },
    [],
  ],
  [
    'a relay chain that ends at the subject',
    [
      [at(0), 'a', 'b', 1_100],
      [at(20), 'b', 'c', 1_050],
      [at(40), 'c', 'S', 1_000],
    ],
    { pattern_id: 'relay_chain', severity: 'MEDIUM', usd: 1_000, hops: 3 },
    [],
  ],
  [
    'rapid pass-through',
    [
      [at(0), 'a', 'S', 10_000],
      [at(0.5), 'S', 'b', 9_000],
    ],
    { pattern_id: 'rapid_pass_through', severity: 'HIGH', usd: 9_000, hops: 2 },
    [],
  ],
];

describe('patterns inside exposure', () => {
  let graph: Graph;
  const test = engineCases(ENGINES.grafeo, (empty) => {
    graph = empty;
  });
  const find = async (id: string, maxHops = 3) => {
    const { patterns } = await askExposure(graph, { maxHops });
    return patterns.filter((pattern) => pattern.pattern_id === id);
  };

  for (const [name, payments, { pattern_id, severity, usd, hops }, undoing] of PLANTS) {
    test(`${name}: found in full, with every transfer as evidence`, async () => {
      await pay(graph, payments);
      const [pattern] = await find(pattern_id);
      expect(pattern).toMatchObject({ pattern_id, severity });
      expect(pattern?.usd).toBeCloseTo(usd, 6);
      expect(pattern?.evidence).toHaveLength(hops);
      expect(pattern?.evidence.map((hop) => hop.at)).toEqual(pattern?.evidence.map((hop) => hop.at).toSorted());
    });

    test(`${name}: not below its threshold`, async () => {
      const less =
        undoing.length > 0
          ? payments
          : payments.map(
              ([when, from, to, value], i): Payment => [
                i === payments.length - 1 ? when + 400 * HOUR : when,
                from,
                to,
                value,
              ],
            );
      await pay(graph, [...less, ...undoing]);
      expect(await find(pattern_id)).toEqual([]);
    });

    test(`${name}: none of a service`, async () => {
      await pay(graph, payments, { labels: { S: { category: 'exchange', label: 'Acme' } } });
      expect((await askExposure(graph)).patterns).toEqual([]);
    });
  }

  test('a ring inside one transaction is a trade, no round trip', async () => {
    const one = (seq: number) => ({ txHash: '0xarb', index: `log:${seq}`, seq });
    await pay(graph, [
      [at(0), 'S', 'a', 5_000, one(0)],
      [at(0), 'a', 'b', 5_000, one(1)],
      [at(0), 'b', 'S', 5_000, one(2)],
    ]);
    expect((await askExposure(graph)).patterns).toEqual([]);
  });

  test('customers of one exchange are not scatter and gather', async () => {
    await pay(
      graph,
      ['m', 'n', 'o', 'p'].flatMap((m, i): Payment[] => [
        [at(i), 'S', m, 2_400],
        [at(30 + i), m, 'CEX', 2_300],
      ]),
    );
    expect(await find('scatter_gather')).toEqual([]);
  });

  test('a relay chain begins where stolen money has left its labelled source, and needs its length from there', async () => {
    const stolen: Payment = [at(0), 'HACK', 'a', 1_200];
    const relays: Payment[] = [
      [at(10), 'a', 'b', 1_150],
      [at(20), 'b', 'c', 1_100],
    ];
    await pay(graph, [stolen, ...relays, [at(30), 'c', 'S', 1_050]]);
    expect(await find('relay_chain')).toMatchObject([{ severity: 'MEDIUM', usd: 1_050, evidence: { length: 3 } }]);
  });

  test('three payments of which the first left a labelled source are not a relay chain', async () => {
    await pay(graph, [
      [at(0), 'HACK', 'a', 1_200],
      [at(10), 'a', 'b', 1_150],
      [at(20), 'b', 'S', 1_100],
    ]);
    expect(await find('relay_chain')).toEqual([]);
  });

  test('one receipt that was sent on is shown as one', async () => {
    await pay(graph, [
      [at(0), 'a', 'S', 10_000],
      [at(20), 'S', 'b', 9_500],
    ]);
    expect((await find('rapid_pass_through'))[0]?.description).toBe(
      'Within 20 hours, 9,500 USD came in and went out again soon after each receipt.',
    );
  });

  test('money that goes to and fro once is not a round trip, three times it is', async () => {
    const trip = (i: number): Payment[] => [
      [at(i * 20), 'S', 'a', 1_000],
      [at(i * 20 + 5), 'a', 'S', 1_000],
    ];
    await pay(graph, [trip(0), trip(1)].flat());
    expect(await find('cycle')).toEqual([]);
    await pay(graph, [trip(0), trip(1), trip(2)].flat());
    expect(await find('cycle')).toMatchObject([{ severity: 'MEDIUM', usd: 3_000, evidence: { length: 6 } }]);
  });
});

import { expect, it, onTestFinished } from 'vitest';
import { groupBy } from '../../src/domain/group-by.ts';
import type { Category } from '../../src/domain/label.ts';
import type { Direction } from '../../src/domain/tracing/flow-portion.ts';
import { GraphTimeoutError } from '../../src/errors.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import type { Graph } from '../../src/graph/port.ts';
import { getFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { label } from '../risk/world.ts';
import { type Payment, pay, tracing } from './money.ts';

/**
 * The account of `S`, a line for each end: `sanctioned HACK 100`. Addresses whose name begins with `r` are only reported. Each
 * address is opened once for all traces; the time is over where `late` is to be opened.
 */
async function account(payments: Payment[], category: Category, direction: Direction = 'received', late = '') {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  const parties = [...new Set(payments.flatMap(([, from, to]) => [from, to]))];
  const reports = parties
    .filter((name) => name.startsWith('r'))
    .map((name) => label(name, category, { confidence: 40 }));
  await pay(graph, payments, {
    labels: Object.fromEntries(reports.map((one) => [one.address, { category, label: 'r' }])),
  });
  const labels = { find: async () => groupBy(reports, ({ address }) => address) };
  const opened: string[] = [];
  const read: Graph['read'] = (statement, params, options) => {
    const keys = statement === 'exposure/open' ? (params.items as { key: string }[]).map(({ key }) => key) : [];
    opened.push(...keys);
    return keys.includes(`ethereum:${late}`)
      ? Promise.reject(new GraphTimeoutError())
      : graph.read(statement, params, options);
  };
  const ctx = { ...tracing({ ...graph, read }), labels };
  const asked = { keys: ['ethereum:S'], direction, maxHops: 10, lang: 'en' as const };
  const { rows, total_usd } = await getFunds(ctx as never, asked);
  expect(rows.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(total_usd, 6);
  expect(opened.length).toBe(new Set(opened).size);
  return rows.map(({ kind, category, address, usd }) => `${category ?? kind} ${address} ${usd}`);
}

it('a sure adverse party behind a reported one is the end of its money, counted once, over several reports too', async () => {
  expect(
    await account(
      [
        [1, 'HACK', 'r1', 900],
        [2, 'r1', 'r2', 900],
        [3, 'p', 'r2', 100],
        [4, 'r2', 'r3', 1_000],
        [5, 'r3', 'r4', 1_000],
        [6, 'r4', 'S', 1_000],
      ],
      'scam',
    ),
  ).toEqual(['sanctioned HACK 900', 'not_read p 100']);
  expect(
    await account(
      [
        [1, 'S', 'r', 500],
        [2, 'r', 'MIX', 500],
      ],
      'darknet',
      'sent',
    ),
  ).toEqual(['mixer MIX 500']);
});

it('a reported party keeps the money behind which less than a tenth is surely adverse, or only lawful', async () => {
  expect(
    await account(
      [
        [1, 'HACK', 'r1', 90],
        [2, 'p', 'r1', 910],
        [3, 'r1', 'S', 1_000],
        [4, 'CEX', 'r2', 200],
        [5, 'r2', 'S', 200],
      ],
      'scam',
    ),
  ).toEqual(['scam r1 1000', 'scam r2 200']);
});

it('gives way party by party', async () => {
  expect(
    await account(
      [
        [1, 'HACK', 'r1', 300],
        [2, 'r1', 'S', 300],
        [3, 'CEX', 'r2', 200],
        [4, 'r2', 'S', 200],
      ],
      'theft',
    ),
  ).toEqual(['sanctioned HACK 300', 'theft r2 200']);
});

it('what a victim lost to a reported taker ends there, wherever he took it', async () => {
  expect(
    await account(
      [
        [1, 'S', 'r', 500],
        [2, 'r', 'MIX', 500],
      ],
      'scam',
      'sent',
    ),
  ).toEqual(['scam r 500']);
});

it('a report is an end where the time is over before all behind it is known', async () => {
  const payments: Payment[] = [
    [1, 'HACK', 'r', 300],
    [2, 'p', 'r', 200],
    [3, 'r', 'S', 500],
  ];
  expect(await account(payments, 'theft', 'received', 'p')).toEqual(['theft r 500']);
});

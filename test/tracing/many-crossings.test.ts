import { describe, expect } from 'vitest';
import type { Statement } from '../../src/domain/bridges/join-statements.ts';
import { keepCrossings } from '../../src/graph/ingest/keep-crossings.ts';
import type { Graph } from '../../src/graph/port.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { checkRelationship } from '../../src/tracing/answers/paths/check-relationship.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { crossing } from './engine/crossings.ts';
import { type Payment, pay, tracing } from './money.ts';

/** What is read of an address on each side. */
const READ_MAX = 1_000;
const ARBITRUM = { chain: 'arbitrum' } as const;

/** The pool of a bridge pays `r` on Arbitrum, which pays `s`; the pool has money of a hack. */
const PAYMENTS: Payment[] = [
  [1_000, 'HACK', 'pool', 100, ARBITRUM],
  [2_000, 'pool', 'r', 100, ARBITRUM],
  [3_000, 'r', 's', 100, ARBITRUM],
  [4_000, 's', 'CEX', 100, ARBITRUM],
];

/** Crossings of one dollar each from `sender` on Ethereum to `r`, none of which explains a transfer of the graph. */
function crossings(count: number, sender: (i: number) => string): Statement[] {
  return Array.from({ length: count }, (_, i) => {
    const out = { party: `ethereum:${sender(i)}`, at: 1_000, amount: '1' };
    const { source, destination } = crossing(`${i}`, { out, arrived: { ...out, party: 'arbitrum:r', at: 1_500 } });
    const more = { usd: 1, missing: null, likely: null, lookedUpAt: null };
    return [
      { message: source!, near: out.party, far: 'ethereum:bridge', ...more },
      { message: destination!, near: 'arbitrum:r', far: 'arbitrum:pool', ...more },
    ];
  }).flat();
}

describe.each(Object.entries(ENGINES))('more crossings than are read on %s', (_name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const know = async (count: number, sender: (i: number) => string = (i) => `sender${i % 50}`) => {
    await pay(graph, PAYMENTS, {
      scanned: ['pool', 'r', 's'].map((address) => ({ ...ARBITRUM, address, at: 9_000, complete: true })),
    });
    await keepCrossings(graph, crossings(count, sender));
  };
  const exposure = (address: string) => getExposure(tracing(graph), { ...ARBITRUM, address, maxHops: 5, limit: 100 });
  const terminals = (address: string) =>
    getTerminals(tracing(graph), { ...ARBITRUM, address, maxHops: 5, categories: ['exchange'], limit: 10 });

  test('an answer says so of its subject, on the way and where it finds no relationship, and is not complete', async () => {
    await know(READ_MAX + 1);
    const answer = await exposure('r');
    expect(answer.coverage).toMatchObject({ complete: false });
    expect(answer.coverage.reasons).toContain('hub_not_expanded');
    expect(answer.coverage.frontier).toContainEqual({
      address: 'r',
      chain: 'arbitrum',
      direction: 'received',
      hop: 0,
      usd: 100,
      share: expect.any(Number),
      reason: 'hub_not_expanded',
    });
    // It sent money over none.
    const sent = await terminals('r');
    expect(sent).toMatchObject({
      truncated: false,
      coverage: { reasons: expect.not.arrayContaining(['hub_not_expanded']) },
    });
    // On the way it is a hub in both directions: its money is unattributed, and nothing is the money of the pool.
    const back = await exposure('s');
    expect(back.coverage).toMatchObject({
      complete: false,
      unattributed: { hub_not_expanded: 100 },
      frontier: [{ address: 'r', direction: 'received', hop: 1, usd: 100, reason: 'hub_not_expanded' }],
    });
    expect([...back.direct, ...back.indirect].map(({ category }) => category)).toEqual(['exchange']);
    const on = await terminals('pool');
    expect(on).toMatchObject({ terminals: [], truncated: true, coverage: { unattributed: { hub_not_expanded: 100 } } });
    // So does a relationship that is not found.
    const related = await checkRelationship(tracing(graph), {
      chain: 'arbitrum',
      a: 'HACK',
      chainB: 'ethereum',
      b: 'nobody',
      limit: 5,
    });
    expect(related).toMatchObject({ related: false, searched: { truncated: true } });
    expect(related.searched.reasons).toContain('hub_not_expanded');
    expect(related.coverage.complete).toBe(false);
  }, 120_000);

  test('a sender with more says so in its terminals', async () => {
    await know(READ_MAX + 1, () => 'one');
    const answer = await getTerminals(tracing(graph), {
      chain: 'ethereum',
      address: 'one',
      maxHops: 5,
      categories: ['exchange'],
      limit: 10,
    });
    expect(answer).toMatchObject({
      truncated: true,
      note: expect.stringContaining('Not everything was followed: hub_not_expanded.'),
      coverage: { complete: false, reasons: expect.arrayContaining(['hub_not_expanded']) },
    });
  }, 120_000);

  test('as many as are read are all followed', async () => {
    await know(READ_MAX);
    expect((await exposure('s')).coverage.reasons).not.toContain('hub_not_expanded');
    expect((await exposure('r')).coverage.reasons).not.toContain('hub_not_expanded');
    expect((await terminals('pool')).terminals).toMatchObject([{ address: 'CEX', usd: 100 }]);
  }, 120_000);
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { GraphTimeoutError } from '../../src/errors.ts';
import { openGrafeo } from '../../src/graph/grafeo.ts';
import { findIndirectExposure } from '../../src/questions/indirect-exposure.ts';
import { type Payment, pay } from './money.ts';

async function find(payments: Payment[]) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  await pay(graph, payments);
  return findIndirectExposure({ graph }, 'ethereum', 'S');
}

describe('indirect exposure for a score', () => {
  it('is what lies behind unlabelled counterparties, by direction and category, with its last hop and all who carried it', async () => {
    const found = await find([
      [1, 'HACK', 'm', 30, { index: 'log:4' }],
      [1, 'HACK2', 'n', 10],
      [2, 'm', 'S', 30, { index: 'log:7' }],
      [3, 'n', 'S', 10],
      [4, 'CEX', 'S', 60],
      [5, 'S', 'o', 50],
      [6, 'o', 'p', 50],
      [7, 'p', 'MIX', 50],
    ]);
    expect(found).toEqual({
      timedOut: false,
      indirect: [
        {
          direction: 'received',
          category: 'sanctioned',
          share: 0.4,
          usd: 40,
          minHops: 2,
          evidence: ['0x2#log:7', '0x3#native'],
          counterparties: ['m', 'n'],
        },
        {
          direction: 'sent',
          category: 'mixer',
          share: 1,
          usd: 50,
          minHops: 3,
          evidence: ['0x5#native'],
          counterparties: ['o'],
        },
      ],
    });
  });

  it('looks three hops far and never at direct counterparties', async () => {
    expect(
      await find([
        [1, 'HACK', 'S', 5],
        [1, 'HACK', 'a', 5],
        [2, 'a', 'b', 5],
        [3, 'b', 'c', 5],
        [4, 'c', 'S', 5],
      ]),
    ).toEqual({ indirect: [], timedOut: false });
  });

  it('says so when its time ended', async () => {
    const graph = await openGrafeo({ path: null });
    onTestFinished(() => graph.close());
    await pay(graph, [
      [1, 'HACK', 'm', 5],
      [2, 'm', 'S', 5],
    ]);
    const slow: typeof graph.read = (name, params, options) =>
      name.startsWith('exposure/expand') ? Promise.reject(new GraphTimeoutError()) : graph.read(name, params, options);
    expect(await findIndirectExposure({ graph: { ...graph, read: slow } }, 'ethereum', 'S')).toEqual({
      indirect: [],
      timedOut: true,
    });
  });
});

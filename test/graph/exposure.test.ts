import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import type { Graph, Row } from '../../src/graph/port.ts';
import { expandSides } from '../../src/graph/queries/exposure.ts';
import { build } from './world.ts';

let graph: Graph;
beforeAll(async () => {
  graph = await openGrafeo({ path: null });
});
afterAll(() => graph.close());

const options = () => ({ direction: 'received', timeoutMs: 10_000, parties: new Map() }) as const;
const keys = Array.from({ length: 100 }, (_, i) => `ethereum:a${i}`);

it('opens as many addresses as it is given, in their order, unknown ones as empty', async () => {
  await build(graph, { transfers: keys.slice(1).map((_, i) => ({ from: 'p', to: `a${i + 1}`, usd: i + 1 })) });
  const sides = await expandSides(graph, keys, options());
  expect([...sides.keys()]).toEqual(keys);
  expect([...sides.values()].map(({ transfers }) => transfers.map(({ far, usd }) => [far, usd]))).toEqual([
    [],
    ...keys.slice(1).map((_, i) => [['ethereum:p', i + 1]]),
  ]);
});

it('lists transfers in time order, those of one moment by id, each with its transaction', async () => {
  const [sent, at] = [{ from: 'payer', to: 'payee' }, 500];
  const shared = { chain: 'bitcoin', txHash: '0c', index: 'out:1', id: 'bitcoin:0c:out:1:payer:payee' } as const;
  await build(graph, {
    transfers: [
      { ...sent, chain: 'bitcoin', txHash: '0d', index: 'out:1', at },
      { ...sent, ...shared, at, apportioned: true },
      { ...sent, chain: 'bitcoin', txHash: 'from:a:file', index: '1', at: 400 },
    ],
  });
  const sides = await expandSides(graph, ['bitcoin:payee'], options());
  expect(sides.get('bitcoin:payee')?.transfers.map(({ txHash, index }) => [txHash, index])).toEqual([
    ['from:a:file', '1'],
    ['0c', 'out:1'],
    ['0d', 'out:1'],
  ]);
});

it('reads at most 200,000 transfers of one hop and leaves out the addresses after that, hubs not counted', async () => {
  let read = 0;
  const busy: Pick<Graph, 'read'> = {
    read: async <T extends Row>(_: string, params: { keys?: unknown }) =>
      (params.keys as string[]).map((key) => {
        const hub = key === 'ethereum:a3';
        if (!hub) read += 5_000;
        return { key, scanned: true, hub, tx_count: 5_000, priced_count: 4_999, transfers: [] } as Row as T;
      }),
  };
  const sides = await expandSides({ ...graph, ...busy }, keys, options());
  expect([...sides.keys()]).toEqual(keys.slice(0, 41));
  expect(sides.get('ethereum:a3')).toEqual({ transfers: [], hub: true, unpriced: false, scanned: true });
  expect(sides.get('ethereum:a4')?.unpriced).toBe(true);
  expect(read).toBeLessThan(2 * 200_000);
});

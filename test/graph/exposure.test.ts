import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import type { Graph, Row } from '../../src/graph/port.ts';
import { isHub, openAddresses, openSubject } from '../../src/tracing/read/open-addresses.ts';
import { build } from './world.ts';

let graph: Graph;
beforeAll(async () => {
  graph = await openGrafeo({ path: null });
});
afterAll(() => graph.close());

const options = () => ({ timeoutMs: 60_000, labels: new Map(), room: 400_000 });
const keys = Array.from({ length: 100 }, (_, i) => `ethereum:a${i}`);
const received = (wanted: string[]) => new Map(wanted.map((key) => [key, { received: true, sent: false }]));

it('opens as many addresses as it is given, in their order, unknown ones as empty', async () => {
  await build(graph, { transfers: keys.slice(1).map((_, i) => ({ from: 'p', to: `a${i + 1}`, usd: i + 1 })) });
  const opened = await openAddresses(graph, received(keys), options());
  expect([...opened.keys()]).toEqual(keys);
  expect([...opened.values()].map((address) => address.received.map(({ from, usd }) => [from, usd]))).toEqual([
    [],
    ...keys.slice(1).map((_, i) => [['ethereum:p', i + 1]]),
  ]);
});

it('gives each transfer with its transaction', async () => {
  const [sent, at] = [{ from: 'payer', to: 'payee' }, 500];
  const shared = { chain: 'bitcoin', txHash: '0c', index: 'out:1', id: 'bitcoin:0c:out:1:payer:payee' } as const;
  await build(graph, {
    transfers: [
      { ...sent, chain: 'bitcoin', txHash: '0d', index: 'out:1', at },
      { ...sent, ...shared, at, apportioned: true },
      { ...sent, chain: 'bitcoin', txHash: 'from:a:file', index: '1', at: 400 },
    ],
  });
  const opened = await openAddresses(graph, received(['bitcoin:payee']), options());
  const transfers = opened.get('bitcoin:payee')?.received ?? [];
  expect(transfers.map(({ txHash, index }) => [txHash, index]).sort()).toEqual([
    ['0c', 'out:1'],
    ['0d', 'out:1'],
    ['from:a:file', '1'],
  ]);
});

it('gives a long history whole, whatever its sides hold', async () => {
  const paid = (count: number, from: string, to: string) =>
    Array.from({ length: count }, (_, i) => ({ from, to, txHash: `0x${from}${to}${i}` }));
  await build(graph, {
    transfers: [
      ...paid(60, 'p', 'long'),
      ...paid(25, 'long', 'q'),
      ...paid(130, 'long2', 'q'),
      ...paid(1, 'p', 'long2'),
    ],
    scanned: [{ address: 'long2', at: 7, complete: true }],
  });
  const opened = await openAddresses(graph, received(['ethereum:long', 'ethereum:long2']), options());
  const sizes = [...opened.values()].map((one) =>
    [one.received, one.sent].map((side) => new Set(side.map(({ id }) => id)).size),
  );
  expect(sizes).toEqual([
    [60, 25],
    [1, 130],
  ]);
  expect([...opened.values()].map(({ scannedAt }) => scannedAt)).toEqual([null, 7]);
});

it('keeps the fees that the address itself paid', async () => {
  await build(graph, {
    transfers: [
      { from: 'feepayer', to: 'x', txHash: '0xf1', txSender: 'feepayer', fee: '0.5' },
      { from: 'feepayer', to: 'y', txHash: '0xf1', index: 'log:1', txSender: 'feepayer', fee: '0.5' },
      { from: 'z', to: 'feepayer', txHash: '0xf2', txSender: 'z', fee: '0.7' },
    ],
  });
  const opened = await openAddresses(graph, received(['ethereum:feepayer']), options());
  expect([...(opened.get('ethereum:feepayer')?.fees ?? [])]).toEqual([['0xf1', '0.5']]);
});

it('is a hub in the direction alone in which it moved too much', async () => {
  const crowd = Array.from({ length: 5_001 }, (_, i) => ({ from: `c${i}`, to: 'hub', txHash: `0xh${i}` }));
  await build(graph, { transfers: [...crowd, { from: 'hub', to: 'x', txHash: '0xout' }] });
  const key = 'ethereum:hub';
  const one = (await openAddresses(graph, received([key]), options())).get(key)!;
  expect([one.isHub, one.received]).toEqual([true, []]);
  const both = await openAddresses(graph, new Map([[key, { received: true, sent: true }]]), options());
  expect([isHub(both.get(key)!, 'received'), isHub(both.get(key)!, 'sent')]).toEqual([true, false]);
});

it('of a subject with more transfers than are read keeps those with labelled addresses first, and the sums of all', async () => {
  const crowd = Array.from({ length: 20_100 }, (_, i) => ({
    from: `d${i % 90}`,
    to: 'busy',
    txHash: `0xb${i}`,
    usd: 2,
  }));
  await build(graph, {
    transfers: [...crowd, { from: 'named', to: 'busy', txHash: '0xn', usd: 1 }],
    labels: { named: { category: 'mixer', label: 'Mixer' } },
  });
  const subject = await openSubject(graph, 'ethereum:busy', options());
  expect(subject?.isHub).toBe(false);
  expect(subject?.received[0]?.from).toBe('ethereum:named');
  expect(subject?.received.length).toBe(20_101);
  expect(subject?.totals.received).toEqual({ usd: 40_201, count: 20_101, unpriced: 0 });
});

it('stops at the room that it is given, hubs not counted', async () => {
  let read = 0;
  const transfers = Array.from({ length: 5_000 }, (_, i) => ['ethereum:p', null, null, `id${i}`, `0x${i}`, '1', 0, 1]);
  const busy: Pick<Graph, 'read'> = {
    read: async <T extends Row>(_: string, params: { items?: unknown }) =>
      (params.items as { key: string }[]).map(({ key }) => {
        const hub = key === 'ethereum:a3';
        if (!hub) read += 5_000;
        const rows = hub ? [] : transfers.map((row) => [...row, null, null, 1, 'ETH', '1', null, null, null]);
        return { key, part: 0, scanned_at: 1, tx_in: 5_000, tx_out: 0, received: rows, sent: [] } as Row as T;
      }),
  };
  const opened = await openAddresses({ ...graph, ...busy }, received(keys), { ...options(), room: 200_000 });
  expect([...opened.keys()]).toEqual(keys.slice(0, 41));
  expect(opened.get('ethereum:a3')).toMatchObject({ received: [], isHub: true });
  expect(read).toBeLessThan(2 * 200_000 + 1);
});

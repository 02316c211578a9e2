import { expect, it, onTestFinished } from 'vitest';
import type { Crossing } from '../../src/domain/bridges/crossing.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { openAddresses } from '../../src/tracing/read/open-addresses.ts';
import { readPaidOut } from '../../src/tracing/read/payouts.ts';
import { build } from './world.ts';

it('leaves to a bridge what a history knows as its side, although the market lists it as a payment', async () => {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  const within = (seq: number, asset: string) => ({ txHash: '0xT', index: `log:${seq}`, seq, at: 1_000, asset });
  await build(graph, {
    transfers: [
      { from: 'A', to: 'ROUTER', usd: 100, amount: '100', ...within(0, 'USDC') },
      { from: 'A', to: 'ROUTER', usd: 50, amount: '50', ...within(1, 'USDC') },
      { from: 'ROUTER', to: 'B', usd: 100, amount: '1', ...within(2, 'ETH') },
    ],
  });
  const labels = new Map();
  const opened = await openAddresses(graph, new Map([['ethereum:A', { received: false, sent: true }]]), {
    timeoutMs: 5_000,
    labels,
    room: 100,
  });
  const { received, sent } = opened.get('ethereum:A')!;
  const bridge = { crossing: {} as Crossing, end: null };
  const known = sent.map((transfer) => (transfer.usd === 50 ? { ...transfer, bridge } : transfer));
  const paid = await readPaidOut(graph, new Map([['ethereum:A', { received, sent: known }]]), {
    labels,
    kindOf: (key) => (key === 'ethereum:ROUTER' ? 'trader' : 'any'),
    timeoutMs: 5_000,
    rounds: new Map(),
  });
  const ways = paid.get('ethereum:A')!.sent.map(({ to, usd, bridge: side }) => [to, usd, side !== undefined]);
  expect(ways.sort()).toEqual([
    ['ethereum:B', 100, false],
    ['ethereum:ROUTER', 50, true],
  ]);
});

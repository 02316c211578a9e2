import { expect, it, onTestFinished } from 'vitest';
import { GraphTimeoutError } from '../../../src/errors.ts';
import { openGrafeo } from '../../../src/graph/grafeo/grafeo.ts';
import type { Graph } from '../../../src/graph/port.ts';
import { type MoneyTraces, traceMoney } from '../../../src/questions/tracing/trace-money.ts';
import { AMPLE_MS, type Payment, pay, tracing } from './money.ts';

const beside = (txHash: string, log: number) => ({ txHash, index: `log:${log}`, seq: log, asset: 'USDC' });

/** A subject behind a share that was paid beside a listed taker, who trades, mixes with others, and gives something back. */
const SCENE: Payment[] = [
  ...[1, 2, 3].flatMap((n): Payment[] => [
    [n, `victim${n}`, 'DRAIN', 200, beside(`0xrob${n}`, 0)],
    [n, `victim${n}`, 'share', 800, beside(`0xrob${n}`, 1)],
  ]),
  [10, 'share', 'b', 2_400, { asset: 'USDC', amount: '2400' }],
  [11, 'b', 'ROUTER', 2_400, { ...beside('0xswap', 0), amount: '2400' }],
  [11, 'ROUTER', 'c', 2_400, { ...beside('0xswap', 1), asset: 'ETH', amount: '1' }],
  [12, 'c', 'S', 2_000, { asset: 'ETH', amount: '0.8' }],
  [13, 'S', 'DRAIN', 100, { asset: 'ETH', amount: '0.04' }],
  [14, 'DRAIN', 'S', 90, { asset: 'ETH', amount: '0.036' }],
  [15, 'S', 'd', 1_500, { asset: 'ETH', amount: '0.6' }],
  [16, 'd', 'CEX', 1_500, { asset: 'ETH', amount: '0.6' }],
  [17, 'HACK', 'e', null, { asset: 'JUNK', token: '0xjunk', amount: '5' }],
  [18, 'e', 'S', null, { asset: 'JUNK', token: '0xjunk', amount: '5' }],
  [19, 'S', 'f', null, { asset: 'JUNK', token: '0xjunk', amount: '5' }],
];

/** Where the money of each trace ended. */
function endsOf({ received, sent, account, unpriced }: MoneyTraces) {
  return [received, sent, account.received, account.sent, unpriced.received, unpriced.sent].map((trace) => [
    trace.parties.map(({ address, category, usd }) => [address, category, usd]),
    trace.ends.filter(({ usd }) => usd > 0).map(({ address, reason, usd }) => [address, reason, usd]),
  ]);
}

it.each(['before it asks', 'while it is asked'])(
  'a trace whose time is up %s the graph again says so, or lost nothing',
  async (when) => {
    const graph = await openGrafeo({ path: null });
    onTestFinished(() => graph.close());
    await pay(graph, SCENE);
    const run = async (most: number) => {
      let left = most;
      const spend = () => (left-- > 0 ? AMPLE_MS : 0);
      const late: Graph = {
        ...graph,
        read: (...asked) => (spend() > 0 ? graph.read(...asked) : Promise.reject(new GraphTimeoutError())),
      };
      const ctx = when === 'before it asks' ? tracing(graph, { remainingMs: spend }) : tracing(late);
      const traces = await traceMoney(ctx, ['ethereum:S'], {
        ...{ directions: ['received', 'sent'], maxHops: 5, limit: 50, byEntity: true },
        ...{ exchanges: 'both', endsAtAccomplices: true, withUnpriced: true },
      });
      return { traces, used: most - left };
    };
    const whole = await run(1_000);
    const silent: number[] = [];
    for (let most = 0; most < whole.used; most++) {
      const { traces } = await run(most);
      const says = traces.received.unattributed.has('time_budget') && traces.sent.unattributed.has('time_budget');
      if (!says && JSON.stringify(endsOf(traces)) !== JSON.stringify(endsOf(whole.traces))) silent.push(most);
    }
    expect(whole.used).toBeGreaterThan(5);
    expect(whole.traces.accomplices.size).toBe(1);
    expect(whole.traces.received.unattributed.has('time_budget')).toBe(false);
    expect(silent).toEqual([]);
  },
);

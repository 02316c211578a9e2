import { expect, it, onTestFinished } from 'vitest';
import { GraphTimeoutError } from '../../src/errors.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import type { Graph } from '../../src/graph/port.ts';
import type { Trace } from '../../src/tracing/engine/walk/findings.ts';
import { type MoneyTraces, type TraceContext, traceMoney } from '../../src/tracing/read/trace-money.ts';
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

type Side = 'received' | 'sent';
const SIDES: readonly Side[] = ['received', 'sent'];

/** The traces of each stage: of money, by a rule, and of what has no price. */
function stagesOf({ received, sent, account, byRule, unpriced }: MoneyTraces) {
  return [[received, sent, account.received, account.sent], bothOf(byRule.get('fifo')!), bothOf(unpriced)];
}

function bothOf(traces: Record<Side, Trace>): Trace[] {
  return SIDES.map((side) => traces[side]);
}

/** Where the money of traces ended. */
function endsOf(traces: readonly Trace[]): string {
  const ends = traces.map(({ parties, ends }) => [
    parties.map(({ address, category, usd }) => [address, category, usd]),
    ends.filter(({ usd }) => usd > 0).map(({ address, reason, usd }) => [address, reason, usd]),
  ]);
  return JSON.stringify(ends);
}

const isLate = (trace: Trace) => trace.unattributed.has('time_budget');

async function paidGraph(): Promise<Graph> {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  await pay(graph, SCENE);
  return graph;
}

function traced(ctx: TraceContext, rowBudget?: number): Promise<MoneyTraces> {
  return traceMoney(ctx, ['ethereum:S'], {
    ...{ directions: SIDES, maxHops: 5, limit: 50, byEntity: true, rules: ['fifo'], rowBudget },
    ...{ exchanges: 'both', endsAtAccomplices: true, withUnpriced: true },
  });
}

/** The stages that lost something and do not say so. */
function silentStages(traces: MoneyTraces, whole: MoneyTraces): number[] {
  const all = stagesOf(whole);
  return stagesOf(traces).flatMap((stage, i) => (stage.every(isLate) || endsOf(stage) === endsOf(all[i]!) ? [] : [i]));
}

it.each(['before it asks', 'while it is asked'])(
  'a trace whose time is up %s the graph again says so, or lost nothing; what has no price spoils no money, and no rule the account',
  async (when) => {
    const graph = await paidGraph();
    const run = async (most: number) => {
      let left = most;
      const spend = () => (left-- > 0 ? AMPLE_MS : 0);
      const late: Graph = {
        ...graph,
        read: (...asked) => (spend() > 0 ? graph.read(...asked) : Promise.reject(new GraphTimeoutError())),
      };
      const traces = await traced(when === 'before it asks' ? tracing(graph, { remainingMs: spend }) : tracing(late));
      return { traces, used: most - left };
    };
    const whole = await run(1_000);
    const silent: number[] = [];
    const lateFrom = new Set<string>();
    for (let most = 0; most < whole.used; most++) {
      const { traces } = await run(most);
      if (silentStages(traces, whole.traces).length > 0) silent.push(most);
      lateFrom.add(
        stagesOf(traces)
          .map((stage) => stage.some(isLate))
          .join(),
      );
    }
    expect(whole.used).toBeGreaterThan(5);
    expect(whole.traces.accomplices.size).toBe(1);
    expect(stagesOf(whole.traces).flat().some(isLate)).toBe(false);
    expect(silent).toEqual([]);
    expect(lateFrom).toContain('false,false,true');
  },
);

it('a trace whose room is used up says so, or lost nothing', async () => {
  const graph = await paidGraph();
  const whole = await traced(tracing(graph));
  const silent: number[] = [];
  for (let room = 0; room < 30; room++) {
    const traces = await traced(tracing(graph), room);
    if (silentStages(traces, whole).length > 0) silent.push(room);
  }
  expect(silent).toEqual([]);
});

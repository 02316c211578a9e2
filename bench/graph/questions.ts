import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { TERMINAL_CATEGORIES, type TerminalCategory } from '../../src/domain/tracing/answers.ts';
import { openGraphQuestions } from '../../src/graph/graph-questions.ts';
import type { Graph } from '../../src/graph/port.ts';
import { type AskedStatement, recorded } from '../../src/graph/recorded.ts';
import { walkOutward } from '../../src/questions/monitoring/walk-outward.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { getFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { checkRelationship } from '../../src/tracing/answers/paths/check-relationship.ts';
import { findFlowPath } from '../../src/tracing/answers/paths/find-flow-path.ts';
import { asOperator } from '../../src/tracing/read/inquiry.ts';
import { median, percentile } from '../table.ts';
import { bareQuestion } from './report.ts';
import { type Measured, timed, timedInTurn } from './timing.ts';
import type { GraphWorld } from './world.ts';

export const HOPS = [3, 5] as const;
export const STARTS = 30;

type Pair = { from: string; to: string };

const chain = 'ethereum';
const PATH = { chain, maxHops: 6, minUsd: 0, timeOrdered: true, maxPaths: 1, throughServices: false } as const;

/** The questions of investigators on one engine, called as functions and, for exposure, over HTTP. */
export async function measureQuestions(engine: string, graph: Graph, world: GraphWorld): Promise<Measured[]> {
  const log = pino({ level: 'silent' });
  const own = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true, log });
  const seen = recorded(graph);
  const ctx: Context = { ...own, graph: seen.graph, graphQuestions: openGraphQuestions(seen.graph) };
  const app = await buildApp(ctx);
  const account = await createAccount(own.records, { name: 'bench', planId: 'enterprise' }, Date.now());
  const { key } = await insertKey(own.records, { accountId: account.id, name: 'bench' }, Date.now());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const starts = world.starts(STARTS);
  const measured: Measured[] = [];
  const statements = new Map<string, number[]>();
  const counted = <T>(question: string, ask: (item: T) => Promise<unknown>) => {
    const counts: number[] = [];
    statements.set(question, counts);
    return async (item: T) => {
      const before = seen.asked.length;
      await ask(item);
      counts.push(seen.asked.length - before);
    };
  };
  const withStatements = (one: Measured): Measured => {
    const counts = statements.get(one.question);
    if (!counts) return one;
    return { ...one, note: `${one.note}, ${median(counts)} statements (p95 ${percentile(counts, 0.95)})` };
  };
  const add = async <T>(question: string, items: T[], ask: (item: T) => Promise<unknown>) => {
    measured.push(withStatements(await timed(engine, question, items, counted(question, ask))));
  };

  const exposureOverHttp = async (address: string, maxHops: number, more: string) => {
    const answer = await fetch(`${url}/api/v1/exposure/${address}?chain=${chain}&max_hops=${maxHops}${more}`, {
      headers: { 'x-api-key': key },
    });
    if (!answer.ok) throw new Error(`exposure over HTTP: ${answer.status}`);
    await answer.arrayBuffer();
  };

  for (const maxHops of HOPS) {
    const search = { chain, maxHops, limit: 200, withPatterns: false } as const;
    const reads = new Map<string, AskedStatement[]>();
    for (const address of starts) {
      const bare = recorded(graph);
      await getExposure(asOperator({ ...ctx, graph: bare.graph }), { ...search, address });
      reads.set(address, bare.asked);
    }
    const whole = `exposure ${maxHops} hops`;
    const without = `${whole} without patterns`;
    const questions = {
      [bareQuestion(maxHops)]: async (address: string) => {
        for (const { name, params } of reads.get(address) ?? []) await graph.read(name, params);
      },
      [without]: counted(without, (address: string) => getExposure(asOperator(ctx), { ...search, address })),
      [`exposure ${maxHops} hops without patterns over HTTP`]: (address: string) =>
        exposureOverHttp(address, maxHops, '&patterns=off'),
      [whole]: counted(whole, (address: string) =>
        getExposure(asOperator(ctx), { chain, address, maxHops, limit: 200 }),
      ),
      [`exposure ${maxHops} hops over HTTP`]: (address: string) => exposureOverHttp(address, maxHops, ''),
    };
    measured.push(...(await timedInTurn(engine, questions, starts)).map(withStatements));
  }
  // What a request costs that asks the graph nothing.
  await add('usage over HTTP', starts, async () => {
    await (await fetch(`${url}/api/v1/public/usage`, { headers: { 'x-api-key': key } })).arrayBuffer();
  });
  const categories = Object.keys(TERMINAL_CATEGORIES) as TerminalCategory[];
  await add('terminals 3 hops', starts, (address) =>
    getTerminals(asOperator(ctx), { chain, address, maxHops: 3, categories, limit: 20 }),
  );
  await add('account of what was received, 10 hops', starts, (address) =>
    getFunds(asOperator(ctx), { keys: [addressKey(chain, address)], direction: 'received', maxHops: 10, lang: 'en' }),
  );
  await add('Follow Mode, 3 hops', starts, (address) =>
    walkOutward(asOperator(ctx), { chain, address, direction: 'sent', depth: 3 }),
  );
  const strangers = starts.map((from, i) => ({ from, to: starts[(i + 1) % starts.length]! }));
  const ends: { pair: Pair; found: boolean }[] = [];
  for (const pair of [...world.routes(STARTS), ...strangers]) {
    ends.push({ pair, found: (await findFlowPath(asOperator(ctx), { ...PATH, ...pair })).found });
  }
  for (const found of [true, false]) {
    const pairs = ends.filter((end) => end.found === found).map(({ pair }) => pair);
    const question = `flow path ${found ? 'found' : 'not found'}`;
    await add(question, pairs, (pair) => findFlowPath(asOperator(ctx), { ...PATH, ...pair }));
  }
  await add('relationship', strangers, ({ from: a, to: b }) =>
    checkRelationship(asOperator(ctx), { chain, a, b, limit: 50 }),
  );
  await app.close();
  await own.close();
  return measured;
}

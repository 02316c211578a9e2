import { spawn } from 'node:child_process';
import { once } from 'node:events';
import grafeo from '@grafeo-db/js';
import neo4j from 'neo4j-driver';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Context, openContext } from '../src/context.ts';
import type { Graph } from '../src/graph/port.ts';
import { checkRelationship } from '../src/questions/check-relationship.ts';
import { findFlowPath } from '../src/questions/find-flow-path.ts';
import { getExposure } from '../src/questions/get-exposure.ts';
import { getTerminals } from '../src/questions/get-terminals.ts';
import { createAccount } from '../src/records/accounts.ts';
import { createKey } from '../src/records/keys.ts';
import { type EmbeddedGraph, embedded, imported, relational } from './graph-engines.ts';
import { apocStatement, bareStatement, naiveStatement, overDriver, overSql, type Reach } from './graph-rivals.ts';
import { type GraphWorld, graphWorld } from './graph-world.ts';
import { median, ms, percentile, table } from './table.ts';

const STARTS = 30;
const HOPS = [3, 5] as const;
/** Rivals that cannot answer in ten seconds are asked this often, not thirty times. */
const TIMEOUTS_MAX = 2;

interface Measured {
  name: string;
  times: number[];
  note: string;
}

/**
 * Builds the same seeded heavy-tailed graph in both engines and in PostgreSQL and prints what the questions cost
 * beside what a user would write by hand. `BENCH_EDGES=200000,2000000` chooses the sizes.
 */
export async function benchGraph(): Promise<void> {
  const sizes = (process.env.BENCH_EDGES ?? '200000').split(',').map(Number);
  const medians = new Map<string, number[]>();
  for (const edges of sizes) {
    const world = graphWorld(edges);
    const own = await embedded(world);
    const count = (value: number) => Math.round(value).toLocaleString('en');
    console.log(`\n${count(edges)} edges, ${count(world.addresses)} addresses, ${world.labels.size} of them labelled`);
    console.log(
      `Grafeo: loaded at ${count((edges * 1_000) / own.loadMs)} transfers/s, file ${count(own.bytes / 2 ** 20)} MiB`,
    );
    const measured = await measureQuestions('Grafeo', own.graph, world);
    measured.push(...(await measureGrafeoText(own, world)));
    measured.push(...(await measureNeo4j(own, world)));
    measured.push(...(await measureSql(world)));
    report(measured);
    for (const { name, times } of measured) medians.set(name, [...(medians.get(name) ?? []), median(times)]);
    await measureStart(own);
  }
  if (sizes.length === 2) growth(medians, sizes);
}

async function measureQuestions(engine: string, graph: Graph, world: GraphWorld): Promise<Measured[]> {
  const ctx = await openContext(readConfig({ LOG_LEVEL: 'silent' }), {
    inMemory: true,
    log: pino({ level: 'silent' }),
  });
  const real: Context = { ...ctx, graph };
  const app = await buildApp(real);
  const account = await createAccount(ctx.records, { name: 'bench', planId: 'enterprise' }, Date.now());
  const { key } = await createKey(ctx.records, { accountId: account.id, name: 'bench' }, Date.now());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const starts = world.starts(STARTS);
  const pairs = starts.map((from, i) => ({ from, to: starts[(i + 1) % starts.length]! }));
  const rows: Measured[] = [];
  const add = async <T>(name: string, items: T[], ask: (item: T) => Promise<string>) => {
    await ask(items[0]!);
    const times: number[] = [];
    let note = '';
    for (const item of items) {
      const startedAt = performance.now();
      note = await ask(item);
      times.push(performance.now() - startedAt);
    }
    rows.push({ name: `${engine}: ${name}`, times, note });
  };
  for (const maxHops of HOPS) {
    const request = { chain: 'ethereum', maxHops, limit: 200, keyless: false } as const;
    await add(`exposure ${maxHops} hops`, starts, async (address) => {
      await getExposure(real, { ...request, address });
      return '';
    });
    await add(`exposure ${maxHops} hops over HTTP`, starts, async (address) => {
      const answer = await fetch(`${url}/api/v1/exposure/${address}?chain=ethereum&max_hops=${maxHops}`, {
        headers: { 'x-api-key': key },
      });
      if (!answer.ok) throw new Error(`exposure over HTTP: ${answer.status}`);
      await answer.arrayBuffer();
      return '';
    });
  }
  const categories = ['scam', 'mixing', 'exchange', 'bridge', 'sanctioned_entity'] as const;
  await add('terminals 3 hops', starts, async (address) => {
    const request = { chain: 'ethereum', address, maxHops: 3, categories: [...categories], limit: 20 } as const;
    await getTerminals(real, { ...request, categories: [...categories] });
    return '';
  });
  const path = {
    chain: 'ethereum',
    maxHops: 6,
    minUsd: 0,
    timeOrdered: true,
    maxPaths: 1,
    throughServices: false,
  } as const;
  let found = 0;
  await add('flow path up to 6 hops', pairs, async (pair) => {
    if ((await findFlowPath(real, { ...path, ...pair })).found) found += 1;
    return `${Math.min(found, pairs.length)} of ${pairs.length} found`;
  });
  await add('flow path to nowhere', starts, async (from) => {
    await findFlowPath(real, { ...path, from, to: `0x${'0'.repeat(39)}1` });
    return '';
  });
  await add('relationship', pairs, async ({ from: a, to: b }) => {
    await checkRelationship(real, { chain: 'ethereum', a, b, limit: 50 });
    return '';
  });
  await app.close();
  await ctx.close();
  return rows;
}

/** Times a rival and compares its answers with the expected ones, where it answers in time. */
async function measureReach(name: string, reach: Reach, world: GraphWorld, expected: Map<string, string[]> | null) {
  const times: number[] = [];
  const answers = new Map<string, string[]>();
  let [late, compared, different] = [0, 0, 0];
  for (const address of world.starts(STARTS)) {
    const key = `ethereum:${address}`;
    const startedAt = performance.now();
    const answer = await reach(key).catch((error: Error) => {
      if (/timeout|timed out|terminated|interrupted|memory/i.test(`${error.message}${error.cause ?? ''}`)) return null;
      throw error;
    });
    times.push(performance.now() - startedAt);
    if (answer === null) late += 1;
    else answers.set(key, answer);
    const known = expected?.get(key);
    if (answer && known) compared += 1;
    if (answer && known && JSON.stringify(answer) !== JSON.stringify(known)) different += 1;
    if (late >= TIMEOUTS_MAX) break;
  }
  const notes = [
    expected ? `${different} of ${compared} answers differ` : '',
    late > 0 ? `${late} of ${times.length} gave up after 10 s` : '',
  ];
  return { measured: { name, times, note: notes.filter(Boolean).join('; ') }, answers };
}

let reference: Map<number, Map<string, string[]>> = new Map();

async function measureGrafeoText(own: EmbeddedGraph, world: GraphWorld): Promise<Measured[]> {
  reference = new Map();
  // A second process may not open the file: the text runs on a copy.
  const copy = `${own.path}.copy`;
  const { cpSync } = await import('node:fs');
  cpSync(own.path, copy);
  cpSync(`${own.path}.wal`, `${copy}.wal`, { recursive: true });
  const db = grafeo.GrafeoDB.create(copy);
  const rows: Measured[] = [];
  for (const hops of HOPS) {
    const text = bareStatement(hops);
    const reach: Reach = async (key) => (await db.executeCypher(text, { key })).toArray().map((row) => String(row.key));
    const { measured, answers } = await measureReach(`Grafeo: bare statement ${hops} hops`, reach, world, null);
    reference.set(hops, answers);
    rows.push(measured);
  }
  db.close();
  return rows;
}

async function measureNeo4j(own: EmbeddedGraph, world: GraphWorld): Promise<Measured[]> {
  const remote = await imported(own).catch((error: Error) => error);
  if (remote instanceof Error) {
    console.log(`Neo4j left out: ${remote.message}`);
    return [];
  }
  const rows = await measureQuestions('Neo4j', remote.graph, world);
  const { uri, user, password } = remote.login;
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
  const rivals: [string, number, string, boolean][] = [
    ...HOPS.map((hops): [string, number, string, boolean] => [
      `bare statement ${hops} hops`,
      hops,
      bareStatement(hops),
      true,
    ]),
    ['naive *1..3', 3, naiveStatement(3), false],
    ['naive *1..4', 4, naiveStatement(4), false],
    ...(remote.apoc ? HOPS : []).map((hops): [string, number, string, boolean] => [
      `APOC expandConfig ${hops} hops`,
      hops,
      apocStatement(hops),
      true,
    ]),
  ];
  if (!remote.apoc) console.log('APOC left out: it could not be fetched');
  for (const [name, hops, text, isSame] of rivals) {
    const expected = isSame ? (reference.get(hops) ?? null) : null;
    const { measured } = await measureReach(`Neo4j: ${name}`, overDriver(driver, text), world, expected);
    rows.push(measured);
  }
  await driver.close();
  await remote.close();
  return rows;
}

async function measureSql(world: GraphWorld): Promise<Measured[]> {
  const server = await relational(world).catch((error: Error) => error);
  if (server instanceof Error) {
    console.log(`PostgreSQL left out: ${server.message}`);
    return [];
  }
  const rows: Measured[] = [];
  for (const hops of HOPS) {
    const name = `PostgreSQL: recursive SQL ${hops} hops`;
    rows.push((await measureReach(name, overSql(server.db, hops), world, reference.get(hops) ?? null)).measured);
  }
  await server.close();
  return rows;
}

function report(measured: Measured[]): void {
  const base = new Map(measured.map(({ name, times }) => [name, median(times)]));
  const rows = measured.map(({ name, times, note }) => {
    const [engine = '', hops = ''] = [name.split(':')[0], /(\d) hops/.exec(name)?.[1]];
    const bare = base.get(`${engine}: bare statement ${hops} hops`);
    const ratio = bare && /exposure|naive|APOC/.test(name) ? `${(median(times) / bare).toFixed(2)} × bare` : '';
    return [name, ms(median(times)), ms(percentile(times, 0.95)), ratio, note];
  });
  table(['question', 'p50', 'p95', 'ratio', ''], rows);
}

/** A fresh process that opens the graph's file: time until the first answer, and memory then. */
async function measureStart(own: EmbeddedGraph): Promise<void> {
  await own.graph.close();
  const code = `
    const at = performance.now();
    const { openGrafeo } = await import(${JSON.stringify(new URL('../src/graph/grafeo.js', import.meta.url).href)});
    const graph = await openGrafeo({ path: ${JSON.stringify(own.path)} });
    await graph.ping();
    console.log(JSON.stringify({ ms: performance.now() - at, rss: process.memoryUsage().rss }));
    await graph.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  const { ms: took, rss } = JSON.parse(text) as { ms: number; rss: number };
  console.log(
    `start on this file: ${ms(took)} (target 3 s with 2 M edges); memory ${Math.round(rss / 2 ** 20)} MiB (target 700)`,
  );
  await own.close();
}

function growth(medians: Map<string, number[]>, [small = 0, large = 0]: number[]): void {
  const rows = [...medians].flatMap(([name, [before, after]]) =>
    before && after ? [[name, `${(after / before).toFixed(2)} ×`]] : [],
  );
  console.log(`\ncost as the graph grows ${large / small} × (target 1.3 ×)`);
  table(['question', 'growth of p50'], rows);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import grafeo from '@grafeo-db/js';
import neo4j from 'neo4j-driver';
import { type EmbeddedGraph, embedded, imported, relational } from './graph-engines.ts';
import { HOPS, measureQuestions, STARTS } from './graph-questions.ts';
import { bareQuestion, reportGrowth, reportSummary, reportTargets, reportTimes } from './graph-report.ts';
import {
  type Asked,
  apocStatement,
  bareStatement,
  naiveStatement,
  overDriver,
  overSql,
  reachStatement,
} from './graph-rivals.ts';
import { type Measured, timed, timedRival } from './graph-timing.ts';
import { type GraphWorld, graphWorld, keyOf } from './graph-world.ts';

const FULL_SIZE = 2_000_000;

/**
 * Builds the same seeded heavy-tailed graph in both engines and in PostgreSQL and prints what the questions cost
 * beside what a user would write by hand. `BENCH_EDGES=200000,2000000` chooses the sizes.
 */
export async function benchGraph(): Promise<void> {
  const sizes = (process.env.BENCH_EDGES ?? '200000').split(',').map(Number);
  const bySize: Measured[][] = [];
  for (const edges of sizes) bySize.push(await benchSize(edges));
  const [small, large] = bySize;
  if (small && large) reportGrowth(small, large, sizes[1]! / sizes[0]!);
}

async function benchSize(edges: number): Promise<Measured[]> {
  const world = graphWorld(edges);
  const count = (value: number) => value.toLocaleString('en');
  console.log(`\n${count(edges)} transfers, ${count(world.addresses)} addresses, ${count(world.labels.size)} labelled`);
  const own = await stage('building the graph', () => embedded(world));
  const measured = await stage('questions, Grafeo', () => measureQuestions('Grafeo', own.graph, world));
  const { bare, reach } = await stage('statements by hand, Grafeo', () => measureGrafeoText(own, world));
  measured.push(...bare);
  measured.push(...(await stage('Neo4j', () => measureNeo4j(own, world, reach))));
  measured.push(...(await stage('PostgreSQL', () => measureSql(world, reach))));
  await own.graph.close();
  const start = await measureStart(own.path);
  await own.close();
  reportTimes(measured);
  reportSummary(measured);
  console.log(
    `a process that opens the graph file answers after ${Math.round(start.ms)} ms and holds ${start.mib} MiB`,
  );
  reportTargets(measured, start, edges === FULL_SIZE);
  return measured;
}

async function stage<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const mib = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(`  ${name}: ${Math.round((performance.now() - startedAt) / 1_000)} s, ${mib} MiB in this process then`);
  return result;
}

function keysOf(world: GraphWorld): string[] {
  return world.starts(STARTS).map(keyOf);
}

type ByHops = Map<number, Map<string, unknown[]>>;

/** Bare statements on the embedded engine, and which services each start can be reached from. */
async function measureGrafeoText(
  { path }: EmbeddedGraph,
  world: GraphWorld,
): Promise<{ bare: Measured[]; reach: ByHops }> {
  // A second connection may not open the file: the text runs on a copy.
  const copy = `${path}.copy`;
  cpSync(path, copy);
  const db = grafeo.GrafeoDB.create(copy);
  const ask = (text: string): Asked => {
    return async (key) => (await db.executeCypher(text, { key })).toArray().map((row) => Object.values(row)[0]);
  };
  const bare: Measured[] = [];
  const reach: ByHops = new Map();
  for (const hops of HOPS) {
    bare.push(await timed('Grafeo', bareQuestion(hops), keysOf(world), bothWays(hops, ask)));
    const { answers } = await timedRival(['Grafeo', ''], keysOf(world), ask(reachStatement(hops)));
    reach.set(hops, answers);
  }
  db.close();
  rmSync(copy);
  return { bare, reach };
}

/** Exposure asks for both directions at once, and so does what it is compared with. */
function bothWays(hops: number, ask: (text: string) => Asked): (key: string) => Promise<unknown> {
  const asks = (['received', 'sent'] as const).map((direction) => ask(bareStatement(hops, direction)));
  return (key) => Promise.all(asks.map((one) => one(key)));
}

async function measureNeo4j(own: EmbeddedGraph, world: GraphWorld, reach: ByHops): Promise<Measured[]> {
  const remote = await imported(own).catch((error: Error) => error);
  if (remote instanceof Error) {
    console.log(`Neo4j left out: ${remote.message}`);
    return [];
  }
  const measured = await measureQuestions('Neo4j', remote.graph, world);
  const { uri, user, password } = remote.login;
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
  const ask = (text: string) => overDriver(driver, text);
  for (const hops of HOPS) {
    measured.push(await timed('Neo4j', bareQuestion(hops), keysOf(world), bothWays(hops, ask)));
  }
  if (!remote.apoc) console.log('APOC left out: it could not be fetched');
  const rivals: [string, string, Map<string, unknown[]> | undefined][] = [
    ...HOPS.map((hops): [string, string, Map<string, unknown[]> | undefined] => {
      return [`services reached ${hops} hops`, reachStatement(hops), reach.get(hops)];
    }),
    ['naive *1..3', naiveStatement(3), undefined],
    ['naive *1..4', naiveStatement(4), undefined],
    ...(remote.apoc ? HOPS : []).map((hops): [string, string, Map<string, unknown[]> | undefined] => {
      return [`APOC expandConfig ${hops} hops`, apocStatement(hops), reach.get(hops)];
    }),
  ];
  for (const [question, text, expected] of rivals) {
    measured.push((await timedRival(['Neo4j', question], keysOf(world), ask(text), expected)).measured);
  }
  await driver.close();
  await remote.close();
  return measured;
}

async function measureSql(world: GraphWorld, reach: ByHops): Promise<Measured[]> {
  const server = await relational(world).catch((error: Error) => error);
  if (server instanceof Error) {
    console.log(`PostgreSQL left out: ${server.message}`);
    return [];
  }
  const measured: Measured[] = [];
  for (const hops of HOPS) {
    const name: [string, string] = ['PostgreSQL', `recursive SQL ${hops} hops`];
    measured.push((await timedRival(name, keysOf(world), overSql(server.db, hops), reach.get(hops))).measured);
  }
  await server.close();
  return measured;
}

/** A fresh process that opens the graph's file: time until its first answer, and its memory then. */
async function measureStart(path: string): Promise<{ ms: number; mib: number }> {
  const code = `
    const at = performance.now();
    const { openGrafeo } = await import(${JSON.stringify(new URL('../src/graph/grafeo.js', import.meta.url).href)});
    const graph = await openGrafeo({ path: ${JSON.stringify(path)} });
    await graph.ping();
    console.log(JSON.stringify({ ms: performance.now() - at, mib: Math.round(process.memoryUsage().rss / 2 ** 20) }));
    await graph.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text) as { ms: number; mib: number };
}

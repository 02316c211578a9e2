import grafeo from '@grafeo-db/js';
import neo4j from 'neo4j-driver';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { type GraphFile, graphFile, imported, relational } from './engines.ts';
import { HOPS, measureQuestions, STARTS } from './questions.ts';
import { reportGrowth, reportSummary, reportTargets, reportTimes } from './report.ts';
import { type Asked, apocStatement, naiveStatement, overDriver, overSql, reachStatement } from './rivals.ts';
import { measureStart, reportStart } from './start.ts';
import { type Measured, timedRival } from './timing.ts';
import { type GraphWorld, graphWorld, keyOf } from './world.ts';

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
  const file = await stage('building the graph', () => graphFile(world));
  const measured = await stage('questions, Grafeo', () => measureGrafeo(file, world));
  const byHand = await stage('statements by hand, Grafeo', () => measureGrafeoText(file, world));
  measured.push(...byHand.measured);
  measured.push(...(await stage('Neo4j', () => measureNeo4j(file, world, byHand.reach))));
  measured.push(...(await stage('PostgreSQL', () => measureSql(world, byHand.reach))));
  const start = await measureStart(file.path);
  file.remove();
  reportTimes(measured);
  reportSummary(measured);
  reportStart(start);
  reportTargets(measured, start.own, edges === FULL_SIZE);
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

async function measureGrafeo({ path }: GraphFile, world: GraphWorld): Promise<Measured[]> {
  const graph = await openGrafeo({ path });
  return measureQuestions('Grafeo', graph, world).finally(() => graph.close());
}

/** Services by hops and start: the first engine that answers sets what the others are compared with. */
type Reach = Map<number, Map<string, unknown[]>>;

/** Statements by hand on the embedded engine. It needs gigabytes for a list of all that five hops reach: three will do. */
async function measureGrafeoText(
  { path }: GraphFile,
  world: GraphWorld,
): Promise<{ measured: Measured[]; reach: Reach }> {
  const db = grafeo.GrafeoDB.create(path);
  const ask = (text: string): Asked => {
    return async (key) => (await db.executeCypher(text, { key })).toArray().map((row) => Object.values(row)[0]);
  };
  const reached = await timedRival(['Grafeo', reachQuestion(3)], keysOf(world), ask(reachStatement(3)));
  db.close();
  return { measured: [reached.measured], reach: new Map([[3, reached.answers]]) };
}

function reachQuestion(hops: number): string {
  return `services reached ${hops} hops`;
}

async function measureNeo4j(file: GraphFile, world: GraphWorld, reach: Reach): Promise<Measured[]> {
  const remote = await imported(file).catch((error: Error) => error);
  if (remote instanceof Error) {
    console.log(`Neo4j left out: ${remote.message}`);
    return [];
  }
  const measured = await measureQuestions('Neo4j', remote.graph, world);
  const { uri, user, password } = remote.login;
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
  const ask = (text: string) => overDriver(driver, text);
  if (!remote.apoc) console.log('APOC left out: it could not be fetched');
  for (const hops of HOPS) {
    const name: [string, string] = ['Neo4j', reachQuestion(hops)];
    const reached = await timedRival(name, keysOf(world), ask(reachStatement(hops)), reach.get(hops));
    measured.push(reached.measured);
    if (!reach.has(hops)) reach.set(hops, reached.answers);
  }
  const rivals: [question: string, text: string, expected?: Map<string, unknown[]>][] = [
    ['naive *1..3', naiveStatement(3)],
    ['naive *1..4', naiveStatement(4)],
  ];
  for (const hops of remote.apoc ? HOPS : []) {
    rivals.push([`APOC expandConfig ${hops} hops`, apocStatement(hops), reach.get(hops)]);
  }
  for (const [question, text, expected] of rivals) {
    measured.push((await timedRival(['Neo4j', question], keysOf(world), ask(text), expected)).measured);
  }
  await driver.close();
  await remote.close();
  return measured;
}

async function measureSql(world: GraphWorld, reach: Reach): Promise<Measured[]> {
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

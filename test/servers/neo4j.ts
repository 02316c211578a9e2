import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import neo4j from 'neo4j-driver';
import { freePort, newFolder, outputOf, readScript, type Service, ServiceMissing, startServer } from './service.ts';

const VERSION = '5.26.30';
const PASSWORD = 'for-tests-only';
const OPENED = ['java.nio', 'java.io', 'sun.nio.ch', 'java.util.concurrent'].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
);
/**
 * Code optimised for days is lost on a server of minutes: without it, starts and first plans take a third less. Neo4j's
 * own classes, which start and plans load by the thousand, need no proof of their bytecode: that saves another fifth.
 */
const SHORT_LIVED = [
  ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
  ...['-XX:+UnlockDiagnosticVMOptions', '-XX:-BytecodeVerificationRemote'],
];
/** Plans stay: suites empty the graph again and again, after which each statement would be planned again. */
const PLANNED_ONCE = ['dbms.cypher.min_replan_interval=1h'];

export interface Neo4jStart {
  /** Arguments of `neo4j-admin` that fill the database before the server starts. */
  admin?: string[];
  /** Path of a jar with procedures. */
  plugin?: string;
  /** For the page cache; 256 MiB when left out. */
  pageCacheMib?: number;
  /** For a few minutes of small questions: starts and plans soon, and is slower in the long run. */
  isShortLived?: boolean;
}

/** Neo4j Community from Maven Central on the Java of this machine, with Browser at `/browser/` of its HTTP port. */
export async function startNeo4j(start: Neo4jStart = {}): Promise<Service & { browserUrl: string }> {
  const java = findJava();
  const libraries = await fetchLibraries();
  const folder = newFolder('neo4j');
  const [bolt, http] = [await freePort(), await freePort()];
  mkdirSync(join(folder, 'conf'));
  mkdirSync(join(folder, 'plugins'));
  const lines = [...configuration(bolt, http, start.pageCacheMib ?? 256), ...(start.isShortLived ? PLANNED_ONCE : [])];
  writeFileSync(join(folder, 'conf', 'neo4j.conf'), `${lines.join('\n')}\n`);
  if (start.plugin) copyFileSync(start.plugin, join(folder, 'plugins', basename(start.plugin)));
  const flags = [...(start.isShortLived ? SHORT_LIVED : []), ...OPENED];
  if (start.admin) runAdmin(java, [...flags, '-cp', join(libraries, '*')], folder, start.admin);
  const uri = `neo4j://127.0.0.1:${bolt}`;
  const stop = await startServer('Neo4j', {
    command: java,
    args: [
      '-Xms256m',
      '-Xmx1g',
      ...flags,
      '-cp',
      [libraries, join(folder, 'plugins')].map((jars) => join(jars, '*')).join(delimiter),
      'org.neo4j.server.CommunityEntryPoint',
      `--home-dir=${folder}`,
      `--config-dir=${join(folder, 'conf')}`,
    ],
    folder,
    // Its data are thrown away: an orderly end takes ten seconds.
    signal: 'SIGKILL',
    answers: () => setPassword(uri),
  });
  const settings = { NEO4J_URI: uri, NEO4J_USER: 'neo4j', NEO4J_PASSWORD: PASSWORD };
  return { settings, browserUrl: `http://127.0.0.1:${http}/browser/`, stop };
}

/** `neo4j-admin` as the shell script of an installed Neo4j would run it. */
function runAdmin(java: string, flags: string[], folder: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(java, ['-Xmx1g', ...flags, 'org.neo4j.cli.AdminTool', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NEO4J_HOME: folder, NEO4J_CONF: join(folder, 'conf') },
  });
  if (status !== 0) throw new Error(`neo4j-admin ${args[0]} failed:\n${`${stdout}${stderr}`.slice(-4_000)}`);
}

function findJava(): string {
  const home = process.env.JAVA_HOME;
  const java = home ? join(home, 'bin', 'java') : 'java';
  const major = /version "(\d+)/.exec(outputOf(java, ['-version']) ?? '')?.[1];
  if (major === '17' || major === '21') return java;
  throw new ServiceMissing(`Neo4j needs Java 17 or 21, found ${major ? `Java ${major}` : 'none'}`);
}

let fetching: Promise<string> | undefined;

/** Copies Neo4j's libraries once for all checkouts of this user. */
function fetchLibraries(): Promise<string> {
  fetching ??= copyLibraries();
  return fetching;
}

async function copyLibraries(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'traceflow');
  const libraries = join(cache, `neo4j-${VERSION}`, 'lib');
  if (existsSync(libraries)) return libraries;
  if (!outputOf('mvn', ['-version'])) throw new ServiceMissing('Neo4j is fetched by Maven, and mvn is not installed');
  const work = join(cache, `neo4j-${VERSION}.${process.pid}`);
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'pom.xml'), readScript('pom.xml'));
  const goal = ['-B', '-q', 'dependency:copy-dependencies', `-DoutputDirectory=${join(work, 'lib')}`];
  const maven = spawn('mvn', goal, { cwd: work, stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  maven.stdout.on('data', (chunk) => {
    log += chunk;
  });
  const [code] = await once(maven, 'close');
  if (code !== 0) {
    rmSync(work, { recursive: true });
    throw new ServiceMissing(`Maven could not fetch Neo4j: ${log.slice(0, 500)}`);
  }
  mkdirSync(join(cache, `neo4j-${VERSION}`), { recursive: true });
  if (!existsSync(libraries)) renameSync(join(work, 'lib'), libraries);
  rmSync(work, { recursive: true });
  return libraries;
}

function configuration(bolt: number, http: number, pageCacheMib: number): string[] {
  return [
    'server.default_listen_address=127.0.0.1',
    'server.default_advertised_address=127.0.0.1',
    `server.bolt.listen_address=127.0.0.1:${bolt}`,
    `server.bolt.advertised_address=127.0.0.1:${bolt}`,
    `server.http.listen_address=127.0.0.1:${http}`,
    `server.http.advertised_address=127.0.0.1:${http}`,
    'server.https.enabled=false',
    `server.memory.pagecache.size=${pageCacheMib}m`,
    'dbms.security.procedures.unrestricted=apoc.*',
    'dbms.usage_report.enabled=false',
    // As in docker-compose.yml.
    'db.memory.transaction.max=256m',
  ];
}

/** A new server wants its first password changed before anything else. */
async function setPassword(uri: string): Promise<void> {
  const driver = neo4j.driver(uri.replace('neo4j:', 'bolt:'), neo4j.auth.basic('neo4j', 'neo4j'), {
    connectionTimeout: 2_000,
    maxTransactionRetryTime: 0,
  });
  const session = driver.session({ database: 'system' });
  try {
    await session.run('ALTER CURRENT USER SET PASSWORD FROM $old TO $new', { old: 'neo4j', new: PASSWORD });
  } finally {
    await session.close();
    await driver.close();
  }
}

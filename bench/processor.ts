import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld } from '../fixtures/demo/world.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { openRecords } from '../src/records/database/database.ts';
import { startService } from './service-process.ts';
import { claim, median, ms, table } from './table.ts';

const ROUNDS = 7;
/** Each may ask 300 times a minute; together they never reach a limit. */
const ACCOUNTS = 60;
const JOBS = 20;
const POLL_MS = 500;
/** Lets work that goes on beside an answer end, in milliseconds. */
const REST_MS = 100;

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

/** A kind of request that runs `count` times in a round, with `each` answers every time. */
interface Kind {
  name: string;
  count: number;
  each?: number;
  /** Most times that the main thread works as long as for an answer of a bare Fastify route. */
  target?: number;
  run: (ask: Ask, nth: number) => Promise<unknown>;
}

/**
 * Milliseconds for which one request of each kind takes the main thread of the service, and the whole process with its
 * helpers, beside a bare Fastify route in the same rounds: other work of the host slows both alike. Linux alone states it.
 */
export async function benchProcessor(): Promise<void> {
  if (!existsSync('/proc/self/schedstat')) return console.log('needs Linux, which states the time of a thread');
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const world = makeWorld();
  const chains = await startChainServers(world);
  const keys = await makeKeys(dataDir);
  const bare = await startBare();
  const service = await startService({
    ...chains.env,
    DATA_DIR: dataDir,
    SECRET_KEY: 'for the bench alone',
    PORT: '0',
  });
  const addresses = [...new Set(world.labels.filter(({ chain }) => chain === 'bitcoin').map(({ address }) => address))];
  const at = (nth: number) => addresses[nth % addresses.length]!;
  let asked = 0;
  const ask: Ask = (method, path, body) => askAs(keys[asked++ % keys.length]!, method, path, body);
  const askAs = async (key: string, method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const json = body && { 'content-type': 'application/json' };
    const sent = { method, headers: { 'x-api-key': key, ...json }, body: body && JSON.stringify(body) };
    const answer = await fetch(`${service.url}/api/v1${path}`, sent);
    const isJson = answer.headers.get('content-type')?.includes('json');
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return isJson
      ? ((await answer.json()) as Record<string, unknown>)
      : { bytes: (await answer.arrayBuffer()).byteLength };
  };
  const settle = async (key: string, id: unknown) => {
    const status = async () => String((await askAs(key, 'GET', `/public/scan/${id}`)).status);
    while (!['completed', 'failed'].includes(await status())) await sleep(POLL_MS);
  };
  try {
    const cases: string[] = [];
    for (const key of keys) {
      const { case: opened } = await askAs(key, 'POST', '/cases', { title: 'Bench' });
      cases.push((opened as { id: string }).id);
    }
    // A case is of the account that asks next.
    const caseOf = () => cases[asked % cases.length]!;
    const kinds: Kind[] = [
      {
        name: 'check before signing',
        target: 8,
        count: 100,
        run: (ask, nth) => ask('GET', `/public/presign/check?chain=bitcoin&to=${at(nth)}`),
      },
      {
        name: 'scan',
        target: 240,
        count: 30,
        run: (ask, nth) => ask('GET', `/public/scan?chain=bitcoin&fresh=true&address=${at(nth)}`),
      },
      {
        name: 'scan again',
        target: 130,
        count: 30,
        run: (ask, nth) => ask('GET', `/public/scan?chain=bitcoin&address=${at(nth)}`),
      },
      {
        name: 'asynchronous scan',
        target: 240,
        count: 1,
        each: JOBS,
        run: async (_, nth) => {
          const jobs: [key: string, id: unknown][] = [];
          for (const [i, key] of keys.slice(0, JOBS).entries()) {
            const address = at(JOBS * nth + i);
            const { job_id } = await askAs(key, 'POST', '/public/scan/async', {
              chain: 'bitcoin',
              address,
              fresh: true,
            });
            jobs.push([key, job_id]);
          }
          for (const [key, id] of jobs) await settle(key, id);
        },
      },
      {
        name: 'report',
        target: 180,
        count: 20,
        run: (ask, nth) => ask('GET', `/risk-report/${at(nth)}?chain=bitcoin`),
      },
      {
        name: 'exposure',
        count: 30,
        run: (ask, nth) => ask('GET', `/exposure/${at(nth)}?chain=bitcoin&max_hops=5&limit=1000`),
      },
      {
        name: 'ends of money',
        count: 30,
        run: (ask, nth) => ask('GET', `/exposure/${at(nth)}/terminals?chain=bitcoin&max_hops=10`),
      },
      {
        name: 'note',
        count: 50,
        run: (ask) => ask('POST', `/cases/${caseOf()}/notes`, { content: 'Looked at it again.' }),
      },
      { name: 'case', count: 50, run: (ask) => ask('GET', `/cases/${caseOf()}`) },
      { name: 'list of scans', count: 50, run: (ask) => ask('GET', '/public/scans?limit=100') },
      { name: 'audit log', count: 50, run: (ask) => ask('GET', '/audit?limit=100') },
      { name: 'usage', count: 50, run: (ask) => ask('GET', '/public/usage') },
    ];
    const bareRoute: Kind = {
      name: 'bare Fastify route',
      count: 300,
      run: () => fetch(bare.url).then((answer) => answer.json()),
    };
    const taken = new Map<Kind, { main: number; whole: number; ratio: number }[]>();
    for (let round = 0; round <= ROUNDS; round++) {
      let base = Number.NaN;
      for (const kind of [bareRoute, ...kinds]) {
        const pid = (kind === bareRoute ? bare.child : service.child).pid!;
        const before = timesOf(pid);
        for (let nth = 0; nth < kind.count; nth++) await kind.run(ask, round * kind.count + nth);
        await sleep(REST_MS);
        const after = timesOf(pid);
        const answers = kind.count * (kind.each ?? 1);
        const [main, whole] = [(after.main - before.main) / answers, (after.whole - before.whole) / answers];
        if (kind === bareRoute) base = main;
        // The first round is for the compiler.
        if (round > 0) taken.set(kind, [...(taken.get(kind) ?? []), { main, whole, ratio: main / base }]);
      }
    }
    const rows: string[][] = [];
    const notMet: string[] = [];
    for (const [{ name, target }, all] of taken) {
      const [main, whole, ratio] = (['main', 'whole', 'ratio'] as const).map((of) => median(all.map((one) => one[of])));
      if (target !== undefined && !(ratio! <= target)) notMet.push(`${name}: ${ratio!.toFixed(0)}`);
      rows.push([name, ms(main!), ms(whole!), ratio!.toFixed(1), target === undefined ? '' : `≤ ${target}`]);
    }
    table(['one answer', 'main thread', 'whole process', '× bare', ''], rows);
    claim('no kind takes the main thread for longer', notMet.length === 0, notMet.join('; '));
  } finally {
    service.child.kill('SIGKILL');
    bare.child.kill('SIGKILL');
    await once(service.child, 'exit');
    await chains.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function makeKeys(dataDir: string): Promise<string[]> {
  const records = await openRecords({ path: join(dataDir, 'records.sqlite') });
  const keys: string[] = [];
  for (let nth = 0; nth < ACCOUNTS; nth++) {
    const { id } = await createAccount(records, { name: `Desk ${nth}`, planId: 'enterprise' }, Date.now());
    keys.push((await insertKey(records, { accountId: id, name: 'bench' }, Date.now())).key);
  }
  await records.destroy();
  return keys;
}

const BARE = `import fastify from 'fastify';
const app = fastify();
app.get('/', async () => ({ verdict: 'ok' }));
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));`;

async function startBare(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: url.toString().trim() };
}

/** Milliseconds of processor time since a process began: of its main thread, and of all its threads. */
function timesOf(pid: number): { main: number; whole: number } {
  const [runs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // Behind the name of the program, which may have spaces; in hundredths of a second.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return { main: Number(runs) / 1e6, whole: 10 * (Number(user) + Number(system)) };
}

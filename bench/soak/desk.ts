import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../fixtures/demo/random.ts';
import type { Taken } from './compare.ts';

/** What an account was given by its own count, to be compared with the records of the service. */
export interface Given {
  accountId: string;
  /** Ids of the scans that it was answered. */
  scans: string[];
  /** Ids of the jobs that it was promised, with the status in which each ended. */
  jobs: Record<string, string>;
  notes: number;
  notesHeld: number;
  billed: number;
  /** Kinds of requests that were refused, with their status. */
  refused: string[];
}

/** An account that works as analysts and their systems do: about three requests in two seconds. */
interface Desk {
  work(signal: AbortSignal, part: () => number, took: (taken: Taken) => void): Promise<void>;
  /** Waits for its jobs. */
  settle(): Promise<Given>;
}

const PAUSE_MS = 650;
const RETRY_MS = 1_000;
/** Longer than what a killed process had reserved stays so. */
const TRIES = 330;
const ENDED = ['completed', 'failed'];

/**
 * Kinds of requests, each as often as it stands here. In ten minutes more than 300 of each that costs little fall into each
 * part; scans, jobs and reports, which take a processor, are rarer, so that these accounts leave it time.
 */
const MIX = [
  ...['presign', 'exposure', 'note', 'case', 'usage', 'audit'].flatMap((kind) => Array<string>(5).fill(kind)),
  ...['scan', 'async', 'report'].flatMap((kind) => [kind, kind]),
];

async function openDesk(
  url: string,
  { key, accountId }: { key: string; accountId: string },
  { addresses, seed }: { addresses: readonly string[]; seed: string },
): Promise<Desk> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]) => list[random.int(0, list.length - 1)]!;
  // A scan that joins one under way of the same account costs nothing: jobs scan other addresses, so that each costs one unit.
  const [ofScans, ofJobs] = [0, 1].map((part) => addresses.filter((_, nth) => nth % 2 === part)) as [
    string[],
    string[],
  ];
  let nthJob = 0;
  const ask = async (method: string, path: string, body?: object) => {
    const json = body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const request = { method, headers: { 'x-api-key': key, ...json }, body: body && JSON.stringify(body) };
    const answer = await untilHeard(() => fetch(`${url}/api/v1${path}`, request));
    const isJson = answer.headers.get('content-type')?.includes('json');
    const content = isJson ? ((await answer.json()) as Record<string, unknown>) : {};
    if (!isJson) await answer.arrayBuffer();
    return { status: answer.status, body: content };
  };
  const opened = await ask('POST', '/cases', { title: 'Soak' });
  const caseId = (opened.body.case as { id: string }).id;
  const given: Given = {
    ...{ accountId, scans: [], jobs: {}, notes: 0 },
    ...{ notesHeld: 0, billed: 0, refused: [] },
  };

  const requests: Record<string, () => ReturnType<typeof ask>> = {
    presign: () => ask('GET', `/public/presign/check?chain=bitcoin&to=${pick(addresses)}`),
    scan: async () => {
      const answer = await ask('POST', '/public/scan', { chain: 'bitcoin', address: pick(ofScans), fresh: true });
      if (answer.status === 200) given.scans.push(String(answer.body.scan_id));
      return answer;
    },
    exposure: () => ask('GET', `/exposure/${pick(addresses)}?chain=bitcoin&max_hops=3`),
    note: async () => {
      const answer = await ask('POST', `/cases/${caseId}/notes`, { content: 'Looked at it again.' });
      if (answer.status === 200 || answer.status === 201) given.notes += 1;
      return answer;
    },
    case: () => ask('GET', `/cases/${caseId}`),
    async: async () => {
      const answer = await ask('POST', '/public/scan/async', {
        chain: 'bitcoin',
        // In turn: one that joins another job's scan costs nothing either.
        address: ofJobs[nthJob++ % ofJobs.length]!,
        fresh: true,
      });
      if (answer.status === 202) given.jobs[String(answer.body.job_id)] = 'queued';
      return answer;
    },
    usage: () => ask('GET', '/public/usage'),
    audit: () => ask('GET', '/audit?limit=20'),
    report: () => ask('GET', `/risk-report/${pick(addresses)}?chain=bitcoin&language=en`),
  };

  /** Asks until the limit per minute lets it through. */
  const askUntil = async (path: string, isEnough: (body: Record<string, unknown>) => boolean = () => true) => {
    for (let tries = 0; ; tries++) {
      const { status, body } = await ask('GET', path);
      if (status === 200 && (isEnough(body) || tries >= TRIES)) return body;
      await sleep(RETRY_MS);
    }
  };

  return {
    work: async (signal, part, took) => {
      while (!signal.aborted) {
        const [kind, of] = [pick(MIX), part()];
        const startedAt = performance.now();
        const { status } = await requests[kind]!();
        if (status >= 400) given.refused.push(`${kind} ${status}`);
        else took({ kind, part: of, at: startedAt, ms: performance.now() - startedAt });
        await sleep(PAUSE_MS * (0.5 + random.next()));
      }
    },
    settle: async () => {
      for (const id of Object.keys(given.jobs)) {
        const { status } = await askUntil(`/public/scan/${id}`, (body) => ENDED.includes(String(body.status)));
        given.jobs[id] = String(status);
      }
      const earned = given.scans.length + Object.values(given.jobs).filter((status) => status === 'completed').length;
      // What a killed process had reserved is given back once its lease has ended.
      const usage = await askUntil('/public/usage', ({ scans_used: used }) => Number(used) <= earned);
      given.billed = Number(usage.scans_used);
      given.notesHeld = Number((await askUntil(`/cases/${caseId}`)).notes_total);
      return given;
    },
  };
}

/** Sends a request again, by the same idempotency key, while the service is killed and starts. */
async function untilHeard(send: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (tries >= TRIES) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** The accounts of the process, which work until it is asked to end. */
export interface Desks {
  url: string;
  keys: readonly { key: string; accountId: string }[];
  addresses: readonly string[];
}

/** Of its parent: the part that begins, to report what was measured in all parts so far, or to end. */
export type Message = number | 'measured' | 'end';

/** Works at all desks, until its parent ends it. */
async function probe({ url, keys, addresses }: Desks): Promise<void> {
  const desks = await Promise.all(keys.map((key, i) => openDesk(url, key, { addresses, seed: `desk ${i}` })));
  const ending = new AbortController();
  const taken: Taken[] = [];
  let part = 0;
  process.on('message', (message: Message) => {
    if (message === 'end') ending.abort();
    else if (message === 'measured') process.send!(taken);
    else part = message;
  });
  process.send!('working');
  const took = (one: Taken) => void taken.push(one);
  await Promise.all(desks.map((desk) => desk.work(ending.signal, () => part, took)));
  process.send!(await Promise.all(desks.map((desk) => desk.settle())), () => process.exit());
}

if (process.send) process.once('message', (desks: Desks) => void probe(desks));

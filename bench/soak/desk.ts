import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../fixtures/demo/random.ts';

interface Taken {
  kind: string;
  half: 0 | 1;
  ms: number;
}

/** An account that works as analysts and their systems do, about once a second. */
export interface Desk {
  taken: Taken[];
  work(signal: AbortSignal, half: () => 0 | 1): Promise<void>;
  /** What it was given, by its own count. */
  given: { scans: number; jobs: string[]; notes: number; failed: number };
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>;
  caseId: string;
}

const PAUSE_MS = 1_000;
const ENDED = ['completed', 'failed'];

/** Kinds of requests, each as often as it stands here. */
const MIX = [
  ...Array(6).fill('presign'),
  ...Array(5).fill('scan'),
  ...Array(3).fill('exposure'),
  ...Array(2).fill('note'),
  ...Array(2).fill('case'),
  'async',
  'usage',
  'audit',
  'report',
] as string[];

export async function openDesk(
  url: string,
  { key }: { key: string },
  { addresses, seed }: { addresses: readonly string[]; seed: string },
): Promise<Desk> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]) => list[random.int(0, list.length - 1)]!;
  // A scan that joins one under way of the same account costs nothing: jobs scan other addresses, so that each costs one unit.
  const [ofScans, ofJobs] = [0, 1].map((part) => addresses.filter((_, nth) => nth % 2 === part)) as [
    string[],
    string[],
  ];
  const ask: Desk['ask'] = async (method, path, body) => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    const isJson = answer.headers.get('content-type')?.includes('json');
    const content = isJson ? ((await answer.json()) as Record<string, unknown>) : {};
    if (!isJson) await answer.arrayBuffer();
    return { status: answer.status, body: content };
  };
  const opened = await ask('POST', '/cases', { title: 'Soak' });
  const caseId = (opened.body.case as { id: string }).id;
  const given: Desk['given'] = { scans: 0, jobs: [], notes: 0, failed: 0 };
  const taken: Taken[] = [];

  const requests: Record<string, () => ReturnType<Desk['ask']>> = {
    presign: () => ask('GET', `/public/presign/check?chain=bitcoin&to=${pick(addresses)}`),
    scan: async () => {
      const answer = await ask('GET', `/public/scan?chain=bitcoin&fresh=true&address=${pick(ofScans)}`);
      if (answer.status === 200) given.scans += 1;
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
        address: pick(ofJobs),
        fresh: true,
      });
      if (answer.status === 202) given.jobs.push(String(answer.body.job_id));
      return answer;
    },
    usage: () => ask('GET', '/public/usage'),
    audit: () => ask('GET', '/audit?limit=20'),
    report: () => ask('GET', `/risk-report/${pick(addresses)}?chain=bitcoin&language=en`),
  };

  return {
    taken,
    given,
    ask,
    caseId,
    work: async (signal, half) => {
      while (!signal.aborted) {
        const kind = pick(MIX);
        const part = half();
        const startedAt = performance.now();
        const { status } = await requests[kind]!();
        if (status >= 400) given.failed += 1;
        else taken.push({ kind, half: part, ms: performance.now() - startedAt });
        await sleep(PAUSE_MS * (0.5 + random.next()));
      }
    },
  };
}

/** Waits for the jobs of a desk, and compares what it was given with what the service says. */
export async function settle({ ask, given, caseId }: Desk) {
  let completed = 0;
  let lost = 0;
  for (const id of given.jobs) {
    let status = '';
    for (let tries = 0; tries < 120 && !ENDED.includes(status); tries++) {
      const answer = await ask('GET', `/public/scan/${id}`);
      if (answer.status === 200) status = String(answer.body.status);
      if (!ENDED.includes(status)) await sleep(PAUSE_MS);
    }
    if (status === 'completed') completed += 1;
    else if (status !== 'failed') lost += 1;
  }
  const usage = await withRetry(ask, '/public/usage');
  const held = await withRetry(ask, `/cases/${caseId}`);
  lost += Math.abs(Number(held.notes_total) - given.notes);
  return { earned: given.scans + completed, billed: Number(usage.scans_used), lost, failed: given.failed };
}

/** Asks until the limit per minute lets it through. */
async function withRetry(ask: Desk['ask'], path: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { status, body } = await ask('GET', path);
    if (status === 200) return body;
    await sleep(PAUSE_MS);
  }
}

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const AT_ONCE = 40;
/** Between two requests of a connection: sending at full speed would take the processor from the service itself. */
const PAUSE_MS = 200;

interface Target {
  url: string;
  keys: readonly string[];
  addresses: readonly string[];
}

/** Starts an account that sends what it can by all its keys, 200 times a second at most, and heeds no refusal, in a thread of its own. */
export function startAttack(target: Target) {
  const thread = new Worker(new URL(import.meta.url), { workerData: target });
  return {
    /** Ends it; its answers by status, where 0 is a connection that was closed. */
    stop: async (): Promise<string> => {
      const answered = once(thread, 'message') as Promise<[Map<number, number>]>;
      thread.postMessage('stop');
      const [statuses] = await answered;
      await thread.terminate();
      const sorted = [...statuses].sort(([a], [b]) => a - b);
      return sorted.map(([status, count]) => `${count} × ${status}`).join(', ');
    },
  };
}

/** The requests, in turn. */
const ATTACKS: ((address: string) => [method: string, path: string, body?: string])[] = [
  (address) => ['GET', `/public/scan?chain=bitcoin&fresh=true&address=${address}`],
  (address) => ['GET', `/exposure/${address}?chain=bitcoin&max_hops=5&limit=1000`],
  (address) => ['GET', `/risk-report/${address}?chain=bitcoin&max_hops=5`],
  (address) => ['GET', `/exposure/${address}/terminals?chain=bitcoin&max_hops=10`],
  () => ['POST', '/cases', JSON.stringify({ title: 'x', description: 'x'.repeat(5_000) })],
  () => ['GET', '/cases?limit=500'],
  () => ['GET', '/audit?limit=500'],
  () => ['POST', '/api-keys', JSON.stringify({ name: 'more' })],
  (address) => ['POST', '/public/scan/batch', JSON.stringify({ addresses: Array(100).fill(address) })],
  (address) => ['GET', `/graph/funds/${address}?chain=bitcoin`],
  () => ['POST', '/public/scan', `{"address":"${'x'.repeat(900_000)}"}`],
  () => ['POST', '/webhooks/configs', JSON.stringify({ webhook_url: 'https://127.0.0.1/' })],
  (address) => ['POST', '/scamdb/report', JSON.stringify({ address, type: 'phishing', description: 'x' })],
];

async function attack({ url, keys, addresses }: Target): Promise<void> {
  const statuses = new Map<number, number>();
  const ending = new AbortController();
  let nth = 0;
  parentPort!.once('message', () => {
    ending.abort();
    parentPort!.postMessage(statuses);
  });
  const attackOnce = async (): Promise<number> => {
    nth += 1;
    const [method, path, body] = ATTACKS[nth % ATTACKS.length]!(addresses[nth % addresses.length]!);
    // Now and then a key that does not exist.
    const key = nth % 50 === 0 ? 'tfk_none' : keys[nth % keys.length]!;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body, signal: ending.signal });
    await answer.arrayBuffer();
    return answer.status;
  };
  const loop = async () => {
    while (!ending.signal.aborted) {
      const status = await attackOnce().catch(() => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
}

if (!isMainThread) await attack(workerData as Target);

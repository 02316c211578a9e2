import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const AT_ONCE = 40;
/** Between two requests of a connection: sending at full speed would take the processor from the service itself. */
const PAUSE_MS = 200;

/** What the process is given: an account attacks by all its keys until its parent disconnects. */
export interface Target {
  url: string;
  keys: readonly string[];
  addresses: readonly string[];
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
  () => ['GET', '/public/scans?limit=100'],
  (address) => ['GET', `/public/presign/check?chain=bitcoin&to=${address}`],
  (address) => ['POST', '/public/scan/async', JSON.stringify({ chain: 'bitcoin', address, fresh: true })],
  (address) => ['POST', '/scamdb/report', JSON.stringify({ address, type: 'phishing', description: 'x' })],
];

/** Sends a request and lets its answer flow away; 0 where the connection was closed. */
function drain(url: string, method: string, key: string, body: string | undefined, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request(url, { method, headers, agent }, (answer) => {
      answer.on('close', () => resolve(answer.statusCode ?? 0)).resume();
    });
    sent.on('error', () => resolve(0)).end(body);
  });
}

/** Sends what it can, 200 times a second at most, and heeds no refusal; reports its answers by status each second. */
async function attack({ url, keys, addresses }: Target): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses: Record<string, number> = {};
  let nth = 0;
  setInterval(() => process.send?.(statuses), 1_000);
  const loop = async () => {
    for (;;) {
      nth += 1;
      const [method, path, body] = ATTACKS[nth % ATTACKS.length]!(addresses[nth % addresses.length]!);
      // Now and then a key that does not exist.
      const key = nth % 50 === 0 ? 'tfk_none' : keys[nth % keys.length]!;
      const status = await drain(`${url}/api/v1${path}`, method, key, body, agent);
      statuses[status] = (statuses[status] ?? 0) + 1;
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
}

if (process.send) {
  process.on('disconnect', () => process.exit());
  process.once('message', (target: Target) => void attack(target));
}

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openChangesInRedis } from '../../src/account-changes/redis.ts';
import { openWay } from '../cluster/way.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';

let server: LeasedServer;
beforeAll(async () => {
  server = await leaseServer('redis');
}, 600_000);
afterAll(() => server?.release());

function open(port: number) {
  const failures: Error[] = [];
  const changes = openChangesInRedis(`redis://127.0.0.1:${port}`, (error) => failures.push(error));
  const received: (string | null)[] = [];
  changes.subscribe((accountId) => received.push(accountId));
  onTestFinished(() => changes.close());
  return { changes, received, failures };
}
const portOf = (url: string) => Number(new URL(url).port);

it('publishes a change to every process, and counts it', async ({ skip }) => {
  if (server.missing) return skip(server.missing);
  const [one, two] = [1, 2].map(() => open(portOf(server.settings.REDIS_URL!))) as [
    ReturnType<typeof open>,
    ReturnType<typeof open>,
  ];
  await expect.poll(() => [one.received, two.received]).toEqual([[null], [null]]);
  const before = two.changes.version;
  await one.changes.publish('a');
  expect(one.received).toContain('a');
  await expect.poll(() => two.received).toEqual([null, 'a']);
  expect(two.changes.version).toBe(before + 1);
});

it('counts everything as changed once the connection is back, since what was published meanwhile is lost', async ({
  skip,
}) => {
  if (server.missing) return skip(server.missing);
  const way = await openWay(portOf(server.settings.REDIS_URL!));
  onTestFinished(() => way.cut());
  const cutOff = open(way.port);
  const other = open(portOf(server.settings.REDIS_URL!));
  await expect.poll(() => [cutOff.received, other.received]).toEqual([[null], [null]]);
  await way.cut();
  await other.changes.publish('a');
  await cutOff.changes.publish('b');
  expect(cutOff.received).toEqual([null, 'b']);
  expect(cutOff.failures).toHaveLength(1);
  await way.restore();
  await expect.poll(() => cutOff.received).toEqual([null, 'b', null]);
  await other.changes.publish('c');
  await expect.poll(() => cutOff.received).toEqual([null, 'b', null, 'c']);
});

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
  const untold: Error[] = [];
  const changes = openChangesInRedis(`redis://127.0.0.1:${port}`, (error) => untold.push(error));
  const heard: (string | null)[] = [];
  changes.listen((accountId) => heard.push(accountId));
  onTestFinished(() => changes.close());
  return { changes, heard, untold };
}
const portOf = (url: string) => Number(new URL(url).port);

it('tells every process of a change, and counts it', async ({ skip }) => {
  if (server.missing) return skip(server.missing);
  const [one, two] = [1, 2].map(() => open(portOf(server.settings.REDIS_URL!))) as [
    ReturnType<typeof open>,
    ReturnType<typeof open>,
  ];
  await expect.poll(() => [one.heard, two.heard]).toEqual([[null], [null]]);
  const before = two.changes.heard;
  await one.changes.tell('a');
  expect(one.heard).toContain('a');
  await expect.poll(() => two.heard).toEqual([null, 'a']);
  expect(two.changes.heard).toBe(before + 1);
});

it('counts everything as changed once the connection is back, for what was told meanwhile is lost', async ({
  skip,
}) => {
  if (server.missing) return skip(server.missing);
  const way = await openWay(portOf(server.settings.REDIS_URL!));
  onTestFinished(() => way.cut());
  const cutOff = open(way.port);
  const other = open(portOf(server.settings.REDIS_URL!));
  await expect.poll(() => [cutOff.heard, other.heard]).toEqual([[null], [null]]);
  await way.cut();
  await other.changes.tell('a');
  await cutOff.changes.tell('b');
  expect(cutOff.heard).toEqual([null, 'b']);
  expect(cutOff.untold).toHaveLength(1);
  await way.mend();
  await expect.poll(() => cutOff.heard, { timeout: 10_000 }).toEqual([null, 'b', null]);
  await other.changes.tell('c');
  await expect.poll(() => cutOff.heard).toEqual([null, 'b', null, 'c']);
});

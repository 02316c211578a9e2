import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openRedisLimits } from '../../../src/fairness/limits/redis.ts';
import { limitsContract } from '../../contract/limits.ts';
import { childModule } from '../../setup/child-module.ts';
import { type LeasedServer, leaseServer } from '../../setup/services.ts';
import { openWire } from '../../setup/wire.ts';

const PREFIX = 'test:limit:';
let server: LeasedServer;

beforeAll(async () => {
  server = await leaseServer('redis');
}, 600_000);
afterAll(() => server?.release());

limitsContract('in Redis', async () => {
  if (server.missing) return { missing: server.missing };
  const url = server.settings.REDIS_URL!;
  const redis = new Redis(url);
  await redis.flushall();
  const limits = openRedisLimits(url, PREFIX);
  onTestFinished(async () => {
    redis.disconnect();
    await limits.close();
  });
  return {
    limits,
    // Redis has its own clock: what passes is taken off the window.
    pass: async (bucket, ms) => {
      const left = (await redis.pttl(PREFIX + bucket)) - ms;
      if (left <= 0) await redis.del(PREFIX + bucket);
      else await redis.pexpire(PREFIX + bucket, left);
    },
  };
});

it('is shared by processes: two accept together what one bucket holds', async ({ skip }) => {
  if (server.missing) return skip(server.missing);
  const accepted = await Promise.all(
    [1, 2].map(async () => {
      const child = await childModule('/test/fairness/limits/take-process.ts', [
        server.settings.REDIS_URL!,
        '120',
        '100',
      ]);
      let text = '';
      for await (const chunk of child.stdout) text += chunk;
      return Number(text.trim());
    }),
  );
  expect(accepted.every((count) => count > 0)).toBe(true);
  expect(accepted[0]! + accepted[1]!).toBeGreaterThanOrEqual(119);
  expect(accepted[0]! + accepted[1]!).toBeLessThanOrEqual(121);
});

it('connects again where its server has become a replica, whose name leads to another one by then', async ({
  skip,
}) => {
  if (server.missing) return skip(server.missing);
  const redis = new Redis(server.settings.REDIS_URL!);
  const limits = openRedisLimits(server.settings.REDIS_URL!, PREFIX);
  onTestFinished(async () => {
    redis.disconnect();
    await limits.close();
  });
  const connections = async () => String(await redis.client('LIST')).match(/\bid=\d+(?=.* cmd=(?:eval|evalsha) )/g);
  const bucket = { name: 'failover', limit: 5 };
  await limits.take(bucket);
  const before = await connections();
  await redis.replicaof('127.0.0.1', 1);
  await expect(limits.take(bucket)).rejects.toMatchObject({ status: 503 });
  await redis.call('REPLICAOF', 'NO', 'ONE');
  await limits.take(bucket);
  expect(before).toHaveLength(1);
  expect(await connections()).not.toEqual(before);
});

it('connects again where nothing comes over its connection any more', async ({ skip }) => {
  if (server.missing) return skip(server.missing);
  const wire = await openWire(Number(new URL(server.settings.REDIS_URL!).port));
  const limits = openRedisLimits(`redis://127.0.0.1:${wire.port}`, PREFIX);
  onTestFinished(async () => {
    await limits.close();
    await wire.cut();
  });
  const bucket = { name: 'idle', limit: 100 };
  await limits.take(bucket);
  wire.stall();
  await expect(limits.take(bucket)).rejects.toMatchObject({ status: 503 });
  await limits.take(bucket);
});

it('is unavailable, not open, while Redis does not answer', async () => {
  const limits = openRedisLimits('redis://127.0.0.1:1');
  onTestFinished(() => limits.close());
  await expect(limits.take({ name: 'key', limit: 1 })).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
  });
});

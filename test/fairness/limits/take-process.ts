import { openRedisLimits } from '../../../src/fairness/limits/redis.ts';

/** A process of redis.test.ts: takes from one bucket until the first request of the next window, and says how often it was allowed. */
export async function run(redisUrl: string, limit: string, times: string): Promise<void> {
  const limits = openRedisLimits(redisUrl, 'test:shared:');
  const taken = await Promise.all(
    Array.from({ length: Number(times) }, () => limits.take({ name: 'key', limit: Number(limit) })),
  );
  console.log(taken.filter((one) => one.allowed).length);
  await limits.close();
  process.exit();
}

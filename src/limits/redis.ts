import { Redis } from 'ioredis';
import { UnavailableError } from '../errors.ts';
import { describeTaken, type Limits } from './port.ts';

const WINDOW_MS = 60_000;
const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 1;

/** Counts in all buckets or in none, and looks at the clock, in one step. A bucket ends with its window, by Redis's own clock. */
const TAKE = `
local counts = {}
local allowed = true
for i, key in ipairs(KEYS) do
  local taken = tonumber(redis.call('GET', key) or '0')
  local left = redis.call('PTTL', key)
  if left <= 0 then
    taken = 0
    left = tonumber(ARGV[1])
  end
  if taken >= tonumber(ARGV[1 + i]) then allowed = false end
  counts[i] = { taken, left }
end
if allowed then
  for i, key in ipairs(KEYS) do
    redis.call('SET', key, counts[i][1] + 1, 'PX', counts[i][2])
  end
end
return counts`;

type TakingRedis = Redis & {
  take(keyCount: number, ...args: (string | number)[]): Promise<[taken: number, leftMs: number][]>;
};

/** Limits that all processes share. Throws UnavailableError while Redis does not answer. */
export function openRedisLimits(redisUrl: string, prefix = 'traceflow:limit:', windowMs = WINDOW_MS): Limits {
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  }) as TakingRedis;
  redis.defineCommand('take', { lua: TAKE });
  // Each request says so itself; without a listener the client would print it.
  redis.on('error', () => {});

  return {
    async take(...buckets) {
      const names = buckets.map(({ name }) => prefix + name);
      const limits = buckets.map(({ limit }) => limit);
      const counts = await redis.take(names.length, ...names, windowMs, ...limits).catch((cause) => {
        throw new UnavailableError('Rate limits cannot be read', RETRY_AFTER_S, { cause });
      });
      return describeTaken(
        buckets.map((bucket, i) => {
          const [taken, leftMs] = counts[i]!;
          return { ...bucket, taken, leftMs };
        }),
      );
    },
    async close() {
      redis.disconnect();
    },
  };
}

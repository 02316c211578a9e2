import { Redis } from 'ioredis';
import { UnavailableError } from '../errors.ts';
import type { Limits } from './port.ts';

const WINDOW_MS = 60_000;
const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 1;

/** Counts and looks at the clock in one step. A bucket ends with its window, by Redis's own clock. */
const TAKE = `
local taken = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  taken = 0
  left = tonumber(ARGV[2])
end
local allowed = 0
if taken < tonumber(ARGV[1]) then
  allowed = 1
  taken = taken + 1
  redis.call('SET', KEYS[1], taken, 'PX', left)
end
return { allowed, taken, left }`;

type TakingRedis = Redis & {
  take(key: string, limit: number, windowMs: number): Promise<[allowed: number, taken: number, leftMs: number]>;
};

/** Limits that all processes share. Throws UnavailableError while Redis does not answer. */
export function openRedisLimits(redisUrl: string, prefix = 'traceflow:limit:', windowMs = WINDOW_MS): Limits {
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  }) as TakingRedis;
  redis.defineCommand('take', { numberOfKeys: 1, lua: TAKE });
  // Each request says so itself; without a listener the client would print it.
  redis.on('error', () => {});

  return {
    async take(bucket, limit) {
      const [allowed, taken, leftMs] = await redis.take(prefix + bucket, limit, windowMs).catch((cause) => {
        throw new UnavailableError('Rate limits cannot be read', RETRY_AFTER_S, { cause });
      });
      return {
        allowed: allowed === 1,
        remaining: Math.max(0, limit - taken),
        retryAfterS: Math.max(1, Math.ceil(leftMs / 1_000)),
      };
    },
    async close() {
      redis.disconnect();
    },
  };
}

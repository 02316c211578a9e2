import { Redis } from 'ioredis';
import { UnavailableError } from '../../errors.ts';
import { describeTaken, type Limits, RECOVERY_MS, rateOf, SAME_REFUSAL_MS, slowedRate } from './port.ts';

const WINDOW_MS = 60_000;
const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 1;

/** True where the server has become a replica: its name leads to another one by now, and a connection kept open would for ever not write. */
export function isReplica({ message }: Error): boolean {
  return message.includes('READONLY ');
}

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

/** The rate at this moment by Redis's own clock, as rateAt of turns.ts computes it. */
const RATE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local state = redis.call('HMGET', KEYS[1], 'rate', 'refused_at', 'next_at')
local refusedAt = tonumber(state[2] or '0')
local rate = math.min(tonumber(ARGV[1]), tonumber(state[1] or ARGV[1]) * 2 ^ ((now - refusedAt) / tonumber(ARGV[2])))`;
const TAKE_TURN = `${RATE}
local turnAt = math.max(now, tonumber(state[3] or '0'))
redis.call('HSET', KEYS[1], 'next_at', string.format('%.3f', turnAt + 1000 / rate))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return string.format('%.3f', turnAt - now)`;
const SLOW_DOWN = `${RATE}
if now - refusedAt < tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], 'rate', math.max(tonumber(ARGV[4]), rate / 2), 'refused_at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`;
/** Longer than any wait for a turn, and than the recovery from the slowest rate. */
const TURNS_KEPT_MS = 3_600_000;

type TakingRedis = Redis & {
  take(keyCount: number, ...args: (string | number)[]): Promise<[taken: number, leftMs: number][]>;
  takeTurn(key: string, ...args: number[]): Promise<string>;
  slowDown(key: string, ...args: number[]): Promise<number>;
};

/** Limits that all processes share. Throws UnavailableError while Redis does not answer. */
export function openRedisLimits(redisUrl: string, prefix = 'traceflow:limit:'): Limits {
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // A connection that carries nothing any more, as behind a balancer that dropped it while it was idle, is replaced.
    socketTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    reconnectOnError: isReplica,
  }) as TakingRedis;
  redis.defineCommand('take', { lua: TAKE });
  redis.defineCommand('takeTurn', { lua: TAKE_TURN, numberOfKeys: 1 });
  redis.defineCommand('slowDown', { lua: SLOW_DOWN, numberOfKeys: 1 });
  // Each request says so itself; without a listener the client would print it.
  redis.on('error', () => {});

  return {
    async take(...buckets) {
      const names = buckets.map(({ name }) => prefix + name);
      const limits = buckets.map(({ limit }) => limit);
      const counts = await redis.take(names.length, ...names, WINDOW_MS, ...limits).catch(unreadable);
      return describeTaken(
        buckets.map((bucket, i) => {
          const [taken, leftMs] = counts[i]!;
          return { ...bucket, taken, leftMs };
        }),
      );
    },
    async takeTurn(turns) {
      const args = [rateOf(turns), RECOVERY_MS, TURNS_KEPT_MS];
      return Number(await redis.takeTurn(`${prefix}turns:${turns.name}`, ...args).catch(unreadable));
    },
    async slowDown(turns) {
      const args = [rateOf(turns), RECOVERY_MS, SAME_REFUSAL_MS, slowedRate(0), TURNS_KEPT_MS];
      await redis.slowDown(`${prefix}turns:${turns.name}`, ...args).catch(unreadable);
    },
    async close() {
      redis.disconnect();
    },
  };
}

function unreadable(cause: unknown): never {
  throw new UnavailableError('Rate limits cannot be read', RETRY_AFTER_S, { cause });
}

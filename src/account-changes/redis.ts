import { Redis } from 'ioredis';
import { openChangesInProcess } from './in-process.ts';
import type { AccountChanges } from './port.ts';

const CHANNEL = 'traceflow:account-changes';
const COMMAND_TIMEOUT_MS = 2_000;

const retryStrategy = (times: number) => Math.min(times * 100, 2_000);

/**
 * News among all processes on one Redis. Redis keeps none: after a lost connection everything counts as changed.
 * `onUntold` gets the reason why the others could not be told.
 */
export function openChangesInRedis(redisUrl: string, onUntold: (error: Error) => void): AccountChanges {
  const here = openChangesInProcess();
  const publisher = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy,
  });
  const subscriber = new Redis(redisUrl, { autoResubscribe: false, maxRetriesPerRequest: null, retryStrategy });
  // Limits and health say that Redis is away; without a listener the client would print it.
  for (const redis of [publisher, subscriber]) redis.on('error', () => {});
  subscriber.on('message', (_channel, accountId) => here.hear(accountId));
  subscriber.on('ready', () => {
    subscriber.subscribe(CHANNEL).then(
      () => here.hear(null),
      // The connection was lost again; the next one subscribes.
      () => {},
    );
  });

  return {
    get heard() {
      return here.heard;
    },
    listen: here.listen,
    tell: async (accountId) => {
      here.hear(accountId);
      await publisher.publish(CHANNEL, accountId).catch(onUntold);
    },
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
      await here.close();
    },
  };
}

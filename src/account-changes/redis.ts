import { Redis } from 'ioredis';
import { openChangesInProcess } from './in-process.ts';
import type { AccountChanges } from './port.ts';

const CHANNEL = 'traceflow:account-changes';
const COMMAND_TIMEOUT_MS = 2_000;

const retryStrategy = (times: number) => Math.min(times * 100, 2_000);

/**
 * Changes published among all processes on one Redis. Redis stores none: after a lost connection everything counts as
 * changed. `onFailure` gets the error where a change could not be published to the others.
 */
export function openChangesInRedis(redisUrl: string, onFailure: (error: Error) => void): AccountChanges {
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
  subscriber.on('message', (_channel, accountId) => here.receive(accountId));
  subscriber.on('ready', () => {
    subscriber.subscribe(CHANNEL).then(
      () => here.receive(null),
      // The connection was lost again; the next one subscribes.
      () => {},
    );
  });

  return {
    get version() {
      return here.version;
    },
    subscribe: here.subscribe,
    publish: async (accountId) => {
      here.receive(accountId);
      await publisher.publish(CHANNEL, accountId).catch(onFailure);
    },
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
      await here.close();
    },
  };
}

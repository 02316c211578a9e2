import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { startDeliveryWorker } from '../../workers/delivery-worker.ts';

/** A process that only delivers events, its clock ahead by `aheadMs`, until it is killed. */
export async function run(settings: string): Promise<void> {
  const { aheadMs, ...env } = JSON.parse(settings) as Record<string, string>;
  const ctx = await openContext(readConfig(env), { now: () => Date.now() + Number(aheadMs) });
  startDeliveryWorker(ctx);
  console.log(JSON.stringify({ msg: 'working' }));
}

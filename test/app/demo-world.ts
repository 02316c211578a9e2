import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { demoWorld } from '../../fixtures/demo/world.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { savePrices } from '../../src/prices/price-store.ts';
import { putLabels } from '../labels/label-of.ts';
import { openTestApp, shareTestApp, type TestApp } from './test-app.ts';

export const world = demoWorld();

/** The servers of the world's chains, while a suite that called `serveWorld` runs. */
export let chains: ChainServers;

/** For a suite that asks about the demo world: its chains are served throughout, without the faults of the test before. */
export function serveWorld(): void {
  beforeAll(async () => {
    chains = await startChainServers(world);
  });
  afterEach(() => {
    for (const server of Object.values(chains.servers)) server.clearFaults();
  });
  afterAll(() => chains.close());
}

/** A context on the demo chains, while a suite that called `serveContext` runs. */
export let ctx: Context;

/** The same for a suite that asks the chain sources themselves. */
export function serveContext(): void {
  serveWorld();
  beforeAll(async () => {
    ctx = await openContext(readConfig({ ...chains.env, LOG_LEVEL: 'silent' }), { inMemory: true });
  });
  afterAll(() => ctx.close());
}

/** The app on the demo chains, while a suite that called `serveApp` runs. */
export let shared: TestApp;

/** The same for a suite whose tests leave each other alone: each asks with a key of its own, and changes nothing else. */
export function serveApp(): void {
  serveWorld();
  shared = shareTestApp({ env: () => chains.env, fill: loadWorld });
}

/** The app on the demo chains, with the world's labels and prices. */
export async function openApp(env: Record<string, string> = {}): Promise<TestApp> {
  const test = await openTestApp({ ...chains.env, ...env });
  await loadWorld(test);
  return test;
}

async function loadWorld({ ctx, time }: TestApp): Promise<void> {
  await savePrices(ctx.records, world.prices);
  await putLabels(ctx.labels, world.labels);
  time.at += 1_000;
}

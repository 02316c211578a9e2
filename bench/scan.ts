import { pino } from 'pino';
import type { ChainServer } from '../fixtures/chain-servers/serve.ts';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld, roleOf } from '../fixtures/demo/world.ts';
import { readConfig } from '../src/config.ts';
import { openContext } from '../src/context.ts';
import { CHAINS } from '../src/domain/chain.ts';
import { readAndScore } from '../src/questions/scans/scan-address.ts';
import { inquire } from '../src/tracing/read/inquiry.ts';
import { median, ms, table } from './table.ts';

const ROUNDS = 7;

/** A whole fresh scan of the busiest address of a chain, beside fetching the same pages from its source and nothing else. */
export async function benchScan(): Promise<void> {
  const world = makeWorld();
  const chains = await startChainServers(world);
  const servers = Object.values(chains.servers);
  const log = pino({ level: 'silent' });
  const rows: string[][] = [];
  for (const chain of CHAINS) {
    const { address } = roleOf(world, chain, 'exchange_hot_wallet', 'exchange');
    const scans: number[] = [];
    const bare: number[] = [];
    let transfers = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const ctx = await openContext(readConfig(chains.env), { inMemory: true, log });
      for (const server of servers) server.requests.length = 0;
      const startedAt = performance.now();
      const signal = AbortSignal.timeout(60_000);
      const rules = { maxAgeMs: 0, readsAll: false, reach: 'none' } as const;
      const inquiry = { ...(await inquire(ctx, 'bench')), signal };
      const { result } = await readAndScore(inquiry, { chain, address, lang: 'en' }, rules);
      transfers = (result.metadata.coverage as { transfers: number }).transfers;
      scans.push(performance.now() - startedAt);
      bare.push(await replay(servers));
      await ctx.close();
    }
    const [whole, pages] = [median(scans), median(bare)];
    rows.push([chain, String(transfers), ms(whole), ms(pages), (whole / pages).toFixed(1)]);
  }
  await chains.close();
  table(['scan of the busiest address', 'transfers', 'scan', 'bare pages', 'ratio'], rows);
}

/** Asks every server again for what the scan asked, one request after the other. */
async function replay(servers: ChainServer[]): Promise<number> {
  const asked = servers.flatMap((server) => server.requests.map((line) => ({ url: server.url, line })));
  const startedAt = performance.now();
  for (const { url, line } of asked) {
    const [, method, path, body] = /^(\S+) (\S+)(?: (.*))?$/s.exec(line) ?? [];
    await (await fetch(url + path, { method, body, headers: { 'content-type': 'application/json' } })).text();
  }
  return performance.now() - startedAt;
}

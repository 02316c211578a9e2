import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ChainServers } from '../../fixtures/chain-servers/start.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { savePrices } from '../../src/prices/price-store.ts';
import { openTestApp } from '../app/test-app.ts';
import { putLabels } from '../labels/label-of.ts';

/** A service over the demo world, asked by an account that may make every report. `REPORT_SAMPLES` is a folder that keeps the files. */
export async function openReportDesk(chains: ChainServers, world: World) {
  const test = await openTestApp({ ...chains.env, SCAN_TRACE_MS: '30000' });
  await savePrices(test.ctx.records, [...world.prices, { date: '2026-01-01', asset: 'JPY', usd: 0.0065 }]);
  await putLabels(test.ctx.labels, world.labels);
  // Long after the load of the labels: what is scanned is scored by them.
  test.time.at += 3_600_000;
  const headers = await test.headers('enterprise');
  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    test.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) });
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const reply = await ask(method, url, payload);
    expect(reply.statusCode, reply.body.slice(0, 300)).toBeLessThan(300);
    return reply.json();
  };
  const file = async (url: string, name: string) => {
    const reply = await ask('GET', url);
    expect(reply.statusCode, reply.body.slice(0, 300)).toBe(200);
    const folder = process.env.REPORT_SAMPLES;
    if (folder) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), reply.rawPayload);
    }
    return reply.rawPayload;
  };
  return { ...test, ask, call, file };
}

import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../fixtures/demo/start.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import type { Direction } from '../../src/domain/tracing/carried.ts';
import type { Funds } from '../../src/questions/tracing/funds/funds-of.ts';
import type { CaseFunds } from '../../src/questions/tracing/funds/get-case-funds.ts';
import type { getExposure } from '../../src/questions/tracing/get-exposure.ts';
import type { getTerminals } from '../../src/questions/tracing/get-terminals.ts';
import { emptyNeo4j } from '../setup/empty-neo4j.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';

type Exposure = Awaited<ReturnType<typeof getExposure>>;
type Terminals = Awaited<ReturnType<typeof getTerminals>>;

const HOPS = 5;

describe.each(['embedded', 'neo4j'])('the money of every story, graph %s', (engine) => {
  let server: LeasedServer | undefined;
  let demo: Demo;
  beforeAll(async () => {
    if (engine === 'neo4j') server = await leaseServer('neo4j');
    if (server && server.missing !== null) return;
    if (server) await emptyNeo4j(server.settings);
    demo = await startDemo({ ...server?.settings, PORT: '0', LOG_LEVEL: 'silent' });
  }, 600_000);
  afterAll(async () => {
    await demo?.close();
    server?.release();
  });

  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${demo.url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': demo.keys.enterprise, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    if (response.status === 429) {
      await setTimeout(1_000 * Number(response.headers.get('retry-after')));
      return ask(path, body);
    }
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };

  it('has the same amounts and ends in exposure, terminals, the account of the address and of its case', {
    timeout: 600_000,
  }, async ({ skip }) => {
    if (server && server.missing !== null) return skip(server.missing);
    const moved = new Set(demo.world.moves.ethereum.flatMap(({ from, to }) => [from, to]));
    const known = demo.world.roles.filter(({ chain, address }) => chain === 'ethereum' && moved.has(address));
    // The first address of each story, so that the key's limit of a minute is enough.
    const roles = [...groupBy(known, ({ story }) => story).values()].map(([first]) => first!);
    for (const { address } of roles) await ask(`/public/scan?address=${address}&chain=ethereum`);
    let compared = 0;
    for (const { chain, address, story, name } of roles) {
      const at = `${address}?chain=${chain}&max_hops=${HOPS}`;
      const exposure = await ask<Exposure>(`/exposure/${at}&limit=1000&patterns=off`);
      const terminals = await ask<Terminals>(`/exposure/${at.replace('?', '/terminals?')}&limit=100`);
      const accounts = new Map<Direction, Funds>();
      for (const direction of ['sent', 'received'] as const) {
        const which = `${story} ${name} ${direction}`;
        const funds = await ask<Funds>(`/graph/funds/${at}&direction=${direction}`);
        accounts.set(direction, funds);
        expect(exactSum(funds.rows), which).toBe(Math.round(funds.total_usd * 1e6));
        expect(sumsIn(exposure, direction), which).toEqual(sumsOf(funds));
        if (funds.rows.length > 1) compared += 1;
      }
      const sent = accounts.get('sent') as Funds;
      for (const { address: end, chain: there, usd, reached } of terminals.terminals) {
        const rows = sent.rows.filter((row) => row.address === end && row.chain === there && row.category !== null);
        // Beyond 200 rows ends are summed.
        if (usd > 0 && rows.length === 0 && sent.rows.some(({ count }) => count > 1)) continue;
        const sum = rows.reduce((total, row) => total + row.usd, 0);
        expect([reached, sum > 0, Math.abs(sum - usd) < 1e-4], `${story} ${name} ${end}`).toEqual([
          usd > 0 ? 'money' : 'path',
          usd > 0,
          true,
        ]);
      }
      const { case: opened } = await ask<{ case: { id: string } }>('/cases', { title: `${story} ${name}` });
      await ask(`/cases/${opened.id}/addresses`, { chain, address, role: 'subject' });
      const ofCase = await ask<CaseFunds>(`/cases/${opened.id}/funds?max_hops=${HOPS}`);
      expect({ ...ofCase, address, chain }, story).toEqual({ ...sent, case_id: opened.id });
    }
    expect(compared).toBeGreaterThan(roles.length / 2);
  });
});

function exactSum(rows: Funds['rows']): number {
  return rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0);
}

/** US dollars by category of party, and the rest. */
function sumsOf({ rows, total_usd }: Funds): Record<string, string> {
  const sums = new Map<string, number>();
  for (const { category, usd } of rows) if (category) sums.set(category, (sums.get(category) ?? 0) + usd);
  return shown(sums, total_usd);
}

function sumsIn(exposure: Exposure, direction: Direction): Record<string, string> {
  const sums = new Map<string, number>();
  for (const bucket of [...exposure.direct, ...exposure.indirect]) {
    if (bucket.direction === direction) sums.set(bucket.category, (sums.get(bucket.category) ?? 0) + bucket.usd);
  }
  return shown(sums, direction === 'sent' ? exposure.sent_usd : exposure.received_usd);
}

/** To a tenth of a cent: each side is rounded to a millionth for each party. */
function shown(sums: ReadonlyMap<string, number>, totalUsd: number): Record<string, string> {
  const entries = [...sums].filter(([, usd]) => usd > 0.001).map(([name, usd]) => [name, usd.toFixed(3)] as const);
  return Object.fromEntries([...entries.sort(), ['total', totalUsd.toFixed(3)]]);
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import type { Hop } from '../../src/domain/tracing/hop.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { createCase } from '../../src/questions/cases/manage-cases.ts';
import { gatherCaseReport } from '../../src/questions/cases/report/gather-case-report.ts';
import { freezingRequests } from '../../src/questions/cases/requests/freezing-requests.ts';
import { requestText } from '../../src/questions/cases/requests/request-text.ts';
import { scanAddress } from '../../src/questions/scans/scan-address.ts';
import { getTerminals } from '../../src/questions/tracing/get-terminals.ts';
import { inquire } from '../../src/questions/tracing/inquiry.ts';
import { usd as dollars } from '../../words/figures.ts';

describe('the theft of the demo', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', SCAN_TRACE_MS: '60000' });
  });
  afterAll(() => demo?.close());

  it('has one value in dollars for each quantity of a transaction in every answer, and fees explain the rest', {
    timeout: 120_000,
  }, async () => {
    const { ctx, enterprise, world } = demo;
    const at = (chain: Chain, name: string) => ({ chain, address: roleOf(world, chain, 'bridge_theft', name).address });
    const thief = at('ethereum', 'vault_thief');
    for (const one of [thief, at('optimism', 'ferry_5')])
      await scanAddress(ctx, enterprise, { ...one, lang: 'en', source: 'sync' });
    const { id: caseId } = await createCase(ctx, enterprise, { title: 'Kelp Vault' });
    await addCaseAddress(ctx, enterprise, caseId, { ...thief, role: 'subject' });
    const { input, tracedIn } = await gatherCaseReport(ctx, enterprise, { caseId, language: 'en' });
    const { sent, payers } = input.money!;

    const values = new Map<string, Set<string>>();
    const note = (tx: string | null, asset: string | null, quantity: string | null, usd: number | null) => {
      if (tx === null || usd === null) return;
      const key = `${tx} ${asset} ${Number(quantity)}`;
      values.set(key, (values.get(key) ?? new Set()).add(usd.toFixed(4)));
    };
    const noteHops = (hops: readonly Hop[]) => {
      for (const { tx_hash, asset, amount, usd } of hops) note(tx_hash, asset, amount, usd);
    };
    for (const { path, arrivals } of sent.rows) {
      noteHops(path);
      for (const one of arrivals)
        if (one.amount === one.moved_amount) note(one.tx_hash, one.asset, one.amount, one.usd);
    }
    for (const { transfers, bridge, arrived } of sent.flows) {
      for (const one of transfers)
        if (one.amount === one.moved_amount) note(one.tx_hash, one.asset, one.amount, one.usd);
      const there = bridge?.destination;
      if (there && arrived) note(there.tx_hash, there.asset, there.amount, arrived.usd);
    }
    for (const one of payers)
      note(one.transactions[0]!, Object.keys(one.assets)[0]!, Object.values(one.assets)[0]!, one.usd);
    // The column of the package's CSV, for both sides of each crossing.
    for (const { bridge } of sent.flows) {
      for (const side of bridge && bridge.reason === null ? [bridge.source, bridge.destination] : []) {
        const transfer = { ...side, id: '', txHash: side.tx_hash, from: side.address, to: side.address };
        note(side.tx_hash, side.asset, side.amount, tracedIn(transfer as never));
      }
    }
    const reached = await getTerminals(await inquire(ctx, enterprise.accountId), {
      ...thief,
      maxHops: 10,
      categories: ['exchange'],
      limit: 10,
    });
    for (const { path } of reached.terminals) noteHops(path);
    expect([...values].filter(([, different]) => different.size > 1)).toEqual([]);
    expect(values.size).toBeGreaterThanOrEqual(12);

    const [request] = freezingRequests(caseId, sent);
    const text = requestText({ request: request!, caseTitle: 'Kelp Vault', madeAt: input.madeAt, language: 'en' });
    const exchange = sent.rows.find(({ kind }) => kind === 'party')!;
    expect(exchange).toMatchObject({ assets: { USDT: '88000' }, usd: 88_000, share: 0.92827 });
    expect(text.match(/[\d,.]+ USD\b/g)!.filter((one) => one.startsWith('88,'))).toEqual(
      Array.from({ length: 3 }, () => dollars(88_000, 'en').replace('\u00a0', ' ')),
    );
    expect(reached.terminals.find(({ address }) => address === exchange.address)?.usd).toBeCloseTo(88_000, 6);
    const fees = sent.rows.filter(({ kind }) => kind === 'fees');
    expect(fees.map(({ usd, assets }) => [usd, assets])).toEqual([
      [100, { USDT: '100' }],
      [100, { USDT: '100' }],
    ]);
    expect(sent.rows.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(sent.total_usd, 6);
    expect(sent.rows.map(({ kind }) => kind)).not.toContain('price_change');
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RULE_FACTS, RULE_PRESETS } from '../../../src/domain/rule-facts.ts';
import { applyRules } from '../../../src/questions/rules/apply-rules.ts';
import { openRules, parseCondition } from '../../../src/questions/rules/evaluate.ts';
import { scanFacts } from '../../../src/questions/rules/scan-facts.ts';
import type { ScanAnswer } from '../../../src/questions/scans/record-scan.ts';
import { insertScan } from '../../../src/records/scans/scans.ts';
import { openTestApp } from '../../app/test-app.ts';
import { workFor } from '../../app/work-for.ts';

const ADDRESS = `0x${'1'.repeat(40)}`;
const HIGH = { all: [{ fact: 'level', operator: 'equal', value: 'HIGH' }] };
const EVERY = { all: [{ fact: 'score', operator: 'greaterThanInclusive', value: 0 }] };

const scanOf = (more: object = {}): ScanAnswer =>
  ({
    ...{
      success: true,
      address: ADDRESS,
      chain: 'ethereum',
      address_type: 'wallet',
      risk_level: 'HIGH',
      risk_score: 70,
    },
    ...{
      detection_count: 0,
      detections: [],
      metadata: {},
      top_counterparties: [],
      flow_totals: { sent: {}, received: {} },
    },
    ...{ scan_id: randomUUID(), created_at: '2026-11-20T10:00:00.000Z', rule_set_version: '1' },
    ...more,
  }) as unknown as ScanAnswer;

async function openDesk() {
  const test = await openTestApp();
  const { accountId, key } = await test.issue('enterprise');
  const caller = (by: string) => async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': by }, payload });
    return { status: reply.statusCode, body: reply.json() };
  };
  const call = caller(key);
  const make = async (rule: object = {}) =>
    (await call('POST', '/rules', { name: 'High', when: HIGH, severity: 'high', mode: 'active', ...rule })).body.rule;
  const apply = (scan = scanOf()) =>
    applyRules(test.ctx, test.ctx.records, { accountId, scan, asked: { source: 'sync' } });
  const record = (n: number, scan: ScanAnswer) =>
    insertScan(test.ctx.records, {
      ...{
        id: scan.scan_id,
        account_id: accountId,
        chain: scan.chain,
        address: scan.address,
        source: 'sync',
        lang: 'en',
      },
      ...{
        risk_level: scan.risk_level,
        risk_score: scan.risk_score,
        detection_count: 0,
        rule_set_version: '1',
        units: 1,
      },
      ...{ result: JSON.stringify(scan), created_at: test.time.at + n },
    });
  return { test, accountId, call, caller, make, apply, record };
}

describe('a rule', () => {
  it('raises an alert of its version, rings while it is active, and says nowhere what it tried', async () => {
    const { test, call, make, apply } = await openDesk();
    const rule = await make();
    await apply();
    await apply(scanOf({ risk_level: 'LOW' }));
    const [alert] = (await call('GET', '/alerts')).body.alerts;
    expect(alert).toMatchObject({
      ...{
        rule: 'rule',
        rule_id: rule.id,
        rule_version: 1,
        title: `High: ${ADDRESS} on ethereum`,
        severity: 'high',
        count: 1,
        address: ADDRESS,
      },
    });
    expect((await call('GET', '/watchlist/alerts')).body.total).toBe(1);
    const changed = await call('PATCH', `/rules/${rule.id}`, { when: EVERY, mode: 'test' });
    expect(changed.body.rule).toMatchObject({ version: 2, mode: 'test' });
    expect((await call('PATCH', `/rules/${rule.id}`, { mode: 'test' })).body.rule.version).toBe(2);
    test.time.at += 1_000;
    await apply(scanOf({ address: `0x${'2'.repeat(40)}`, risk_level: 'LOW' }));
    expect((await call('GET', '/watchlist/alerts')).body.total).toBe(1);
    expect((await call('GET', '/alerts?test=true')).body.alerts).toMatchObject([{ test: true, rule_version: 2 }]);
    expect((await call('GET', `/rules/${rule.id}`)).body.versions.map(({ when }: { when: object }) => when)).toEqual([
      HIGH,
      EVERY,
    ]);
    await call('DELETE', `/rules/${rule.id}`);
    await apply(scanOf({ address: `0x${'3'.repeat(40)}` }));
    expect((await call('GET', '/alerts')).body.total).toBe(1);
    expect((await call('GET', `/rules/${rule.id}`)).status).toBe(404);
  });

  it('that matches everything raises 500 alerts an hour, and counts the rest', async () => {
    const { test, call, make, apply } = await openDesk();
    const rule = await make({ when: EVERY });
    for (let n = 0; n < 503; n++) await apply(scanOf({ address: `0x${n.toString(16).padStart(40, '0')}` }));
    expect((await call('GET', '/alerts?limit=1')).body.total).toBe(500);
    expect((await call('GET', `/rules/${rule.id}`)).body.rule.beyond).toBe(3);
    test.time.at += 3_600_000;
    await apply(scanOf({ address: `0x${'f'.repeat(40)}` }));
    expect((await call('GET', '/alerts?limit=1')).body.total).toBe(501);
  });

  it('run over recorded scans says how many match, where, and how alerts about them turned out', async () => {
    const { test, call, make, apply, record } = await openDesk();
    const rule = await make();
    await apply();
    const [{ id }] = (await call('GET', '/alerts')).body.alerts;
    await call('POST', `/alerts/${id}/events`, { kind: 'closed', disposition: 'false_positive', comment: 'x' });
    for (let n = 0; n < 45; n++) {
      const address = n % 3 === 0 ? ADDRESS : `0x${n.toString(16).padStart(40, '0')}`;
      await record(n, scanOf({ address, risk_level: n % 2 === 0 ? 'HIGH' : 'LOW' }));
    }
    const span = { from: new Date(test.time.at).toISOString(), to: new Date(test.time.at + 43).toISOString() };
    const { body } = await call('POST', `/rules/${rule.id}/backtest`, span);
    expect(body).toMatchObject({ status: 'queued', total: 44, scanned: 0 });
    expect((await call('POST', `/rules/${rule.id}/backtest`, span)).body.job_id).toBe(body.job_id);
    const url = `/rules/${rule.id}/backtest/${body.job_id}`;
    workFor(test.ctx);
    const ended = test.ctx.records.selectFrom('jobs').select('status').where('id', '=', body.job_id);
    await expect.poll(async () => (await ended.executeTakeFirst())?.status).toBe('completed');
    const found = (await call('GET', url)).body;
    // 22 even ones, of which 8 are of one address.
    expect(found).toMatchObject({
      scanned: 44,
      progress: 1,
      matches: 22,
      alerts: 15,
      dispositions: { false_positive: 1 },
    });
    expect([found.examples.length, found.most_in_an_hour]).toEqual([20, 22]);
  });

  it('runs show nothing of what runs of other accounts found', async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    const ended = async ({ call, make, test }: typeof one) => {
      const { id } = await make({ when: EVERY });
      const { body } = await call('POST', `/rules/${id}/backtest`, { from: '2026-01-01', to: '2027-01-01' });
      workFor(test.ctx);
      const url = `/rules/${id}/backtest/${body.job_id}`;
      await expect.poll(async () => (await call('GET', url)).body.status).toBe('completed');
      return (await call('GET', url)).body;
    };
    await one.record(1, scanOf());
    expect(await ended(one)).toMatchObject({ matches: 1, examples: [{ address: ADDRESS }] });
    expect(await ended(other)).toMatchObject({ matches: 0, examples: [] });
  });

  it('run that was cancelled stays so', async () => {
    const { call, make, record, test } = await openDesk();
    const rule = await make({ when: { all: [{ fact: 'watched', operator: 'equal', value: true }] } });
    await record(1, scanOf());
    const span = { from: '2026-01-01', to: '2027-01-01' };
    const { body } = await call('POST', `/rules/${rule.id}/backtest`, span);
    expect(body.not_recorded).toEqual(['watched']);
    const url = `/rules/${rule.id}/backtest/${body.job_id}`;
    expect((await call('DELETE', url)).body).toMatchObject({ status: 'failed', error_message: 'Cancelled' });
    workFor(test.ctx);
    expect((await call('GET', url)).body).toMatchObject({ status: 'failed', scanned: 0 });
    expect((await call('POST', `/rules/${rule.id}/backtest`, { from: span.to, to: span.from })).status).toBe(400);
  });

  it('runs ten times at once, and once more when one is cancelled', async () => {
    const { call, make } = await openDesk();
    const { id } = await make();
    const run = (nth: number) =>
      call('POST', `/rules/${id}/backtest`, { from: `20${10 + nth}-01-01`, to: '2027-01-01' });
    const runs = [];
    for (let nth = 0; nth < 11; nth++) runs.push(await run(nth));
    expect(runs.map(({ status }) => status)).toEqual([...Array(10).fill(202), 429]);
    await call('DELETE', `/rules/${id}/backtest/${runs[0]!.body.job_id}`);
    expect((await run(10)).status).toBe(202);
  });

  it('of another account is unknown in every call', async () => {
    const { test, caller, call, make } = await openDesk();
    const { id } = await make();
    const span = { from: '2026-01-01', to: '2027-01-01' };
    const { job_id } = (await call('POST', `/rules/${id}/backtest`, span)).body;
    const stranger = caller((await test.issue('enterprise')).key);
    expect((await stranger('GET', '/rules')).body.rules).toEqual([]);
    for (const [method, url, body] of [
      ['GET', `/rules/${id}`],
      ['PATCH', `/rules/${id}`, { mode: 'off' }],
      ['DELETE', `/rules/${id}`],
      ['POST', `/rules/${id}/backtest`, span],
      ['GET', `/rules/${id}/backtest/${job_id}`],
      ['DELETE', `/rules/${id}/backtest/${job_id}`],
    ] as ['GET', string, object?][]) {
      expect([method, url, (await stranger(method, url, body)).status]).toEqual([method, url, 404]);
    }
    const reader = caller((await test.issue('enterprise', ['read'])).key);
    expect((await reader('POST', '/rules', { name: 'x', when: HIGH })).status).toBe(403);
  });
});

describe('conditions', () => {
  const leaf = { fact: 'score', operator: 'equal', value: 1 };
  const deep = (n: number): object => (n === 0 ? leaf : { all: [deep(n - 1)] });

  it.each([
    ['more than 50', { any: Array.from({ length: 1_000 }, () => leaf) }],
    ['too deep', deep(6)],
    ['an unknown fact', { all: [{ ...leaf, fact: 'nothing' }] }],
    ['a fact of the prototype', { all: [{ ...leaf, fact: 'constructor' }] }],
    ['a prototype key', JSON.parse('{"all":[{"fact":"score","operator":"equal","value":1,"__proto__":{"x":1}}]}')],
    ['a path', { all: [{ ...leaf, path: '$.x' }] }],
    ['parameters', { all: [{ ...leaf, params: {} }] }],
    ['a named condition', { all: [{ condition: 'other' }] }],
    ['a custom operator', { all: [{ ...leaf, operator: 'everyFact:equal' }] }],
    ['an operator of another type', { all: [{ ...leaf, operator: 'contains' }] }],
    ['a reference to a fact', { all: [{ ...leaf, value: { fact: 'score' } }] }],
    ['no number', { all: [{ ...leaf, value: 'x' }] }],
    ['two groups at once', { all: [leaf], any: [leaf] }],
    ['an empty group', { all: [] }],
  ])('with %s are refused', async (_what, when) => {
    const { call } = await openDesk();
    const answer = await call('POST', '/rules', { name: 'x', when });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input']);
  });

  it('hold over what a scan knows', async () => {
    const details = {
      category: 'mixer',
      measured: { usd: 500, share: 0.4 },
      variant: 'sent',
      labels: [],
      counterparties: [],
    };
    const scan = scanOf({
      detections: [{ detector_id: 'known_malicious', severity: 'HIGH', details }],
      flow_totals: { sent: { ETH: 1 }, received: {} },
      top_counterparties: [{ address: '0x2', label: 'Tornado', category: 'mixer' }],
    });
    const facts = scanFacts(scan, { source: 'sync' });
    expect(Object.keys(facts).sort()).toEqual(Object.keys(RULE_FACTS).sort());
    const rules = [
      { id: 'sent', when: { all: [{ fact: 'mixer_sent_usd', operator: 'greaterThan', value: 499 }] } },
      { id: 'received', when: { all: [{ fact: 'mixer_received_usd', operator: 'greaterThan', value: 0 }] } },
      { id: 'not', when: { not: { any: [{ fact: 'assets', operator: 'contains', value: 'BTC' }] } } },
      { id: 'finding', when: { fact: 'findings', operator: 'contains', value: 'HIGH known_malicious' } },
      { id: 'hops', when: { any: [{ fact: 'sanctioned_hops', operator: 'lessThan', value: 10 }] } },
    ].map(({ id, when }) => ({ id, when: parseCondition(when) }));
    expect((await openRules(rules).matches(facts)).sort()).toEqual(['finding', 'not', 'sent']);
    for (const { id, when } of RULE_PRESETS) expect([id, parseCondition(when)]).toEqual([id, when]);
  });
});

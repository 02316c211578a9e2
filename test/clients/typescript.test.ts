import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { answerOf, createTraceflow, rowsOf, TraceflowError } from '../../clients/typescript/client.js';
import { decide } from '../../clients/typescript/examples/presign-gate.ts';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import { writeDocument } from '../../scripts/clients/openapi-document.ts';
import { deposits, listSender } from './deposits.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DEPOSIT_LOOP = 'clients/typescript/examples/deposit-loop.ts';
const run = promisify(execFile);

let demo: Demo;
beforeAll(async () => {
  [demo] = await Promise.all([startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED }), generateTypes()]);
}, 120_000);
afterAll(() => demo.close());

const client = (apiKey = demo.keys.enterprise) => createTraceflow({ baseUrl: demo.url, apiKey });
const address = (story: string, name?: string) => roleOf(demo.world, 'ethereum', story, name).address;

it('scans, reads the record, and follows the money', async () => {
  const traceflow = client();
  const scan = await traceflow.POST('/api/v1/public/scan', {
    body: { address: address('laundering', 'layer_4'), chain: 'ethereum' },
  });
  expect(scan.data).toMatchObject({ success: true, risk_level: 'CRITICAL' });
  const { data: list } = await traceflow.GET('/api/v1/public/scans', { params: { query: { limit: 1 } } });
  const scan_id = list!.scans[0]!.scan_id;
  const record = await traceflow.GET('/api/v1/public/scans/{scan_id}', { params: { path: { scan_id } } });
  expect(record.data!.risk_score).toBe(scan.data!.risk_score);
  const exposure = await traceflow.GET('/api/v1/exposure/{address}', {
    params: { path: { address: scan.data!.address }, query: { max_hops: 5 } },
  });
  expect(exposure.data!.indirect.map(({ category }: { category: string }) => category)).toContain('sanctioned');
});

it('gives a refusal as an answer, with its status and its reason', async () => {
  const refused = await client('tfk_unknown').GET('/api/v1/public/usage');
  expect([refused.response.status, refused.data, refused.error]).toMatchObject([
    401,
    undefined,
    { detail: 'Invalid API key' },
  ]);
  const { error } = await client(demo.keys.free).POST('/api/v1/scan/tx', {
    body: { chain: 'ethereum', tx_hash: `0x${'0'.repeat(64)}` },
  });
  expect(error).toMatchObject({ detail: 'Transaction-hash scan is an Enterprise feature.' });
});

it('throws one kind of error on request: for refusals, faults of shape, and pages that the service did not write', async () => {
  await expect(answerOf(client('tfk_unknown').GET('/api/v1/public/usage'))).rejects.toMatchObject({
    ...{ name: 'TraceflowError', status: 401, code: 'unauthenticated', message: 'Invalid API key', retryAfterS: null },
    requestId: expect.any(String),
  });
  const nowhere = { params: { path: { scan_id: 'nonsense' } } };
  const shapeless = await answerOf(client().GET('/api/v1/public/scans/{scan_id}', nowhere)).catch((error) => error);
  expect(shapeless).toBeInstanceOf(TraceflowError);
  expect([shapeless.code, shapeless.issues[0].loc]).toEqual(['invalid_shape', ['path', 'scan_id']]);
  const page = () => Promise.resolve(new Response('<html>', { status: 418, headers: { 'Content-Type': 'text/html' } }));
  const behind = createTraceflow({ baseUrl: demo.url, apiKey: 'x', fetch: page });
  await expect(answerOf(behind.GET('/api/v1/public/usage'))).rejects.toMatchObject({ status: 418, code: 'no_answer' });
});

it('sends again what may be repeated, after the time that the answer names, and nothing else', async () => {
  const replies = (...statuses: number[]) => {
    const sent: string[] = [];
    const fetch = async (request: Request) => {
      sent.push(request.method);
      const status = statuses.shift() ?? 200;
      const headers = { 'Retry-After': '0', 'Content-Type': 'application/json' };
      return new Response('{"detail":"x","code":"y"}', { status, headers });
    };
    return { sent, traceflow: createTraceflow({ baseUrl: demo.url, apiKey: 'x', fetch }) };
  };
  const body = { address: address('sanctioned'), chain: 'ethereum' } as const;
  const read = replies(503, 429);
  expect((await read.traceflow.GET('/api/v1/public/usage')).response.status).toBe(200);
  expect(read.sent).toHaveLength(3);
  const scan = replies(503);
  expect((await scan.traceflow.POST('/api/v1/public/scan', { body })).response.status).toBe(503);
  const once = replies(503);
  const header = { 'Idempotency-Key': 'one' };
  expect((await once.traceflow.POST('/api/v1/public/scan', { body, params: { header } })).response.status).toBe(200);
  const refused = replies(403);
  expect((await refused.traceflow.GET('/api/v1/public/usage')).response.status).toBe(403);
  expect([scan.sent.length, once.sent.length, refused.sent.length]).toEqual([1, 2, 1]);
});

it('goes through a list page by page', async () => {
  const traceflow = client();
  const { total, scans } = await answerOf(traceflow.GET('/api/v1/public/scans', { params: { query: { limit: 100 } } }));
  const ids: string[] = [];
  const ask = (offset: number) => traceflow.GET('/api/v1/public/scans', { params: { query: { limit: 1, offset } } });
  for await (const scan of rowsOf(ask, 'scans')) ids.push(scan.scan_id);
  expect([ids.length, ids.slice(0, scans.length)]).toEqual([
    total,
    scans.map(({ scan_id }: { scan_id: string }) => scan_id),
  ]);
});

it('downloads a report', async () => {
  const { data, response } = await client().GET('/api/v1/cases/{case_id}/report.pdf', {
    params: { path: { case_id: demo.caseId } },
    parseAs: 'arrayBuffer',
  });
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(Buffer.from(data!).subarray(0, 5).toString()).toBe('%PDF-');
});

it('the example signs what is clean, refuses what is listed, and asks where there is no verdict', async () => {
  const from = address('clean_saver', 'saver');
  const payment = { chain: 'ethereum', from, value: '1000000000' } as const;
  const traceflow = client();
  expect(await decide(traceflow, { ...payment, to: address('exchange_hot_wallet') })).toMatchObject({ action: 'sign' });
  const refused = await decide(traceflow, { ...payment, to: address('sanctioned') });
  expect(refused).toEqual({ action: 'refuse', reasons: [expect.stringContaining('under sanctions')] });
  expect(await decide(traceflow, { ...payment, to: 'nonsense' })).toMatchObject({ action: 'refuse' });
  expect(await decide(client('tfk_unknown'), { ...payment, to: from })).toMatchObject({ action: 'ask' });
  const nowhere = createTraceflow({ baseUrl: 'http://127.0.0.1:1', apiKey: demo.keys.pro });
  expect(await decide(nowhere, { ...payment, to: from })).toMatchObject({ action: 'ask' });
});

it('the example credits a harmless deposit, holds another, and shows the alert when its sender is listed later', async () => {
  // Compiled below, against the types of today's operations.
  const { alertsOf, screenDeposit } = await import(join(ROOT, DEPOSIT_LOOP));
  const traceflow = client();
  const { harmless, tainted } = deposits(demo.world);
  const held = await screenDeposit(traceflow, { chain: 'ethereum', ...tainted, reference: 'ts-1' });
  expect(held).toMatchObject({ action: 'hold', transfer: { state: 'screened', reference: 'ts-1' } });
  const credited = await screenDeposit(traceflow, { chain: 'ethereum', ...harmless, reference: 'ts-2' });
  expect(credited).toMatchObject({ action: 'credit', transfer: { state: 'screened' } });
  expect(await alertsOf(traceflow, 'ts-2')).toEqual([]);
  await listSender(demo.ctx, credited.transfer.counterparties[0]!.address);
  expect(await alertsOf(traceflow, 'ts-2')).toMatchObject([{ rule: 'transfer_counterparty', severity: 'critical' }]);
}, 120_000);

/** The first example of the library's page, its loop over a list, and a call that must not compile. */
async function consumer(): Promise<string> {
  const page = await readFile(join(ROOT, 'clients/typescript/README.md'), 'utf8');
  const example = page.match(/^```ts\n([\s\S]*?)^```$/m)![1]!;
  const [, loop] = /`(for await [^`]*)`/.exec(page)!;
  return `${example.replace('createTraceflow }', 'createTraceflow, rowsOf }')}
${loop} row.title satisfies string;
// @ts-expect-error
if (!data) await traceflow.GET('/api/v1/nowhere');
`
    .replace('http://127.0.0.1:8080', demo.url)
    .replace('tfk_…', demo.keys.business)
    .replace(/0x\w{40}/, address('sanctioned_counterparty'));
}

async function generateTypes(): Promise<void> {
  const cwd = join(ROOT, 'clients/typescript');
  await writeDocument();
  if (!existsSync(join(cwd, 'node_modules'))) await run('npm', ['ci'], { cwd });
  await run('npm', ['run', 'generate'], { cwd });
}

it('installs into a project of another folder, where the example of its page compiles and runs', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'traceflow-typescript-client-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'package.json'), '{ "type": "module", "private": true }');
  await writeFile(join(cwd, 'example.ts'), await consumer());
  await copyFile(join(ROOT, DEPOSIT_LOOP), join(cwd, 'deposit-loop.ts'));
  await run('npm', ['install', '--install-links', '--no-audit', join(ROOT, 'clients/typescript')], { cwd });
  const installed = await readdir(join(cwd, 'node_modules/@traceflow-engine/client'));
  const files = ['LICENSE', 'README.md', 'client.d.ts', 'client.js', 'package.json', 'schema.d.ts'];
  expect(installed.toSorted()).toEqual(files);
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', ...types];
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...options, 'example.ts', 'deposit-loop.ts'], { cwd });
  const { stdout } = await run(process.execPath, ['example.js'], { cwd });
  expect(stdout).toMatch(/^CRITICAL \d+ \[/);
}, 120_000);

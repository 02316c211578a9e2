import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChainServers, startChainServers } from '../../../fixtures/chain-servers/start.ts';
import type { World } from '../../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../../fixtures/demo/world.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import { JOB_LANES } from '../../../src/domain/job.ts';
import { GraphError } from '../../../src/errors.ts';
import { undispatchedEvents } from '../../../src/events/outbox.ts';
import type { PlanId } from '../../../src/plans.ts';
import { allowMails } from '../../../src/questions/account/mail-recipients.ts';
import { jobStatus } from '../../../src/questions/jobs/job-record.ts';
import { listAccounts } from '../../../src/records/accounts/accounts.ts';
import { claimJob } from '../../../src/records/jobs/claim-job.ts';
import { openTestApp } from '../../app/test-app.ts';
import { workFor } from '../../app/work-for.ts';
import { serveUpstream } from '../../contract/upstream.ts';
import { startMailServer } from '../../events/mail/mail-server.ts';
import { putLabels } from '../../labels/label-of.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

const place = (story: string, chain: Chain = 'ethereum', name?: string) => roleOf(world, chain, story, name).address;
const NO_JOB = '11111111-2222-4333-8444-555555555555';

async function openJobApp({ env = {}, working = true }: { env?: Record<string, string>; working?: boolean } = {}) {
  const test = await openTestApp({ ...chains.env, ...env });
  const { labels } = test.ctx;
  await putLabels(labels, world.labels);
  test.time.at += 1_000;
  const work = () => workFor(test.ctx);
  if (working) work();
  const client = async (plan: PlanId = 'pro') => {
    const headers = await test.headers(plan);
    const get = async (url: string) => {
      const reply = await test.app.inject({ url: `/api/v1${url}`, headers });
      return { status: reply.statusCode, body: reply.json() };
    };
    const post = async (url: string, payload?: object, extra: Record<string, string> = {}) => {
      const reply = await test.app.inject({
        method: 'POST',
        url: `/api/v1${url}`,
        headers: { ...headers, ...extra },
        payload,
      });
      return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
    };
    // Not over HTTP, where a plan allows so many questions a minute.
    const jobs = test.ctx.records.selectFrom('jobs').selectAll();
    const statusOf = async (jobId: string) =>
      jobStatus(await jobs.where('id', '=', jobId).executeTakeFirstOrThrow(), test.time.at);
    const ended = async (jobId: string) => {
      await expect.poll(() => statusOf(jobId), { interval: 20 }).toMatch(/completed|failed|stale/);
      return (await get(`/public/scan/${jobId}`)).body;
    };
    const results = async (jobId: string) => (await get(`/public/scan/${jobId}/results`)).body;
    const used = async () => (await get('/public/usage')).body.scans_used as number;
    return { get, post, ended, results, used };
  };
  return { ...test, work, client };
}

describe('POST /public/scan/async', () => {
  it('lists what has not ended, of its own account alone, until it ends', async () => {
    const { client } = await openJobApp({ working: false });
    const { get, post } = await client();
    const other = await client();
    const { body: started } = await post('/public/scan/async', { address: place('clean_saver') });
    await other.post('/public/scan/async', { address: place('clean_saver') });
    const { body } = await get('/public/jobs');
    const waiting = { job_id: started.job_id, type: 'async_scan', status: 'queued', progress: 0, case_id: null };
    expect(body).toMatchObject({ jobs: [waiting], limit: 20 });
  });

  it('queues one scan, bills it once on success, and records it as asynchronous', async () => {
    const { client } = await openJobApp();
    const api = await client('starter');
    const address = place('mixer', 'ethereum', 'mixer_user');
    const { status, body } = await api.post('/public/scan/async', {
      address: address.toUpperCase().replace('0X', '0x'),
    });
    expect(status).toBe(202);
    expect(body).toEqual({
      success: true,
      job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'queued',
      address,
      chain: 'ethereum',
      status_url: `/api/v1/public/scan/${body.job_id}`,
      results_url: `/api/v1/public/scan/${body.job_id}/results`,
      message: expect.any(String),
    });
    expect(await api.ended(body.job_id)).toEqual({
      job_id: body.job_id,
      type: 'async_scan',
      status: 'completed',
      total: 1,
      completed: 1,
      failed: 0,
      progress: 1,
      created_at: '2026-11-20T10:00:01.000Z',
      started_at: '2026-11-20T10:00:01.000Z',
      completed_at: '2026-11-20T10:00:01.000Z',
      error_message: null,
      attempts: 1,
      status_url: body.status_url,
      results_url: body.results_url,
    });
    const { results, ...rest } = await api.results(body.job_id);
    const page = { total: 1, limit: 500, offset: 0, next: null };
    expect(rest).toEqual({ job_id: body.job_id, score_semantics: 'risk_0to100', ...page });
    const scan = (await api.get(`/public/scans/${results[0].scan_id}`)).body;
    expect(results).toEqual([
      {
        address,
        chain: 'ethereum',
        status: 'completed',
        risk_level: scan.risk_level,
        risk_score: scan.risk_score,
        detection_count: scan.detections.length,
        detections: scan.detections,
        metadata: scan.metadata,
        error_message: null,
        completed_at: '2026-11-20T10:00:01.000Z',
        scan_id: scan.scan_id,
      },
    ]);
    expect((await api.get('/public/scans')).body.scans).toMatchObject([{ address, source: 'async' }]);
    expect(await api.used()).toBe(1);
    expect((await api.post(`/public/scan/${body.job_id}/retry`)).body).toMatchObject({
      detail: 'Job is not retryable: completed',
    });
  });

  it('is refused without REST access, without an address, and without quota', async () => {
    const { client } = await openJobApp({ working: false });
    const free = await (await client('free')).post('/public/scan/async', { address: 'nonsense' });
    expect([free.status, free.body]).toMatchObject([403, { detail: 'REST API access is not available on your plan' }]);
    const api = await client('enterprise_trial');
    const wrong = await api.post('/public/scan/async', { address: 'nonsense' });
    expect([wrong.status, wrong.body]).toMatchObject([400, { detail: 'Unrecognized address format' }]);
    expect((await api.post('/public/scan/async', {})).body.detail[0]).toMatchObject({ loc: ['body', 'address'] });
  });

  it('fails with the reason, bills nothing, and scans again on retry', async () => {
    const { client } = await openJobApp({ env: { SCAN_DEADLINE_MS: '200' } });
    const api = await client();
    const { body } = await api.post('/public/scan/async', { address: '0x00000000000000000000000000000000000000aa' });
    const failed = await api.ended(body.job_id);
    expect(failed).toMatchObject({ status: 'failed', failed: 1, error_message: 'Address not found on ethereum' });
    expect(await api.results(body.job_id)).toMatchObject({
      results: [{ status: 'failed', risk_level: 'UNKNOWN', error_message: 'Address not found on ethereum' }],
    });
    expect(await api.used()).toBe(0);
    const again = await api.post(`/public/scan/${body.job_id}/retry`);
    expect([again.status, again.body.status, again.body.failed]).toEqual([202, 'queued', 0]);
    expect(await api.ended(body.job_id)).toMatchObject({ status: 'failed', failed: 1, attempts: 2 });
    expect(await api.used()).toBe(0);
  });

  it('whose source cannot be reached fails at the first try, and the log holds the cause with the id of the job', async () => {
    const test = await openJobApp({ env: { SOLANA_RPC_URL: 'http://127.0.0.1:1' } });
    const api = await test.client();
    const address = place('clean_saver', 'solana', 'saver');
    const { body } = await api.post('/public/scan/async', { address, chain: 'solana' });
    expect(await api.ended(body.job_id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error_message: 'Scan failed: solana data source unavailable',
    });
    const causes = test
      .logged()
      .split('\n')
      .filter((line) => line.includes('"err"'))
      .map((line) => JSON.parse(line));
    expect(causes).toMatchObject([{ job_id: body.job_id, err: { reason: expect.stringContaining('ECONNREFUSED') } }]);
  });

  it('outlives the deadline of a request for the same scan that it joined', async () => {
    const { client, ctx } = await openJobApp({ env: { SCAN_DEADLINE_MS: '500' } });
    const { chainSource } = ctx;
    let answer = () => {};
    const answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    ctx.chainSource = async (chain) => {
      await answers;
      return chainSource(chain);
    };
    const api = await client();
    const address = place('clean_saver', 'bitcoin');
    const request = api.post('/public/scan', { address });
    const { body } = await api.post('/public/scan/async', { address });
    expect(await request).toMatchObject({ status: 500, body: { detail: expect.stringContaining('timed out') } });
    answer();
    expect(await api.ended(body.job_id)).toMatchObject({ status: 'completed', attempts: 1 });
    expect(await api.used()).toBe(1);
  });

  it('answers from the account own fresh scan for nothing', async () => {
    const { client } = await openJobApp();
    const api = await client();
    const address = place('clean_saver');
    const scan = (await api.post('/public/scan', { address })).body;
    const { body } = await api.post('/public/scan/async', { address });
    await api.ended(body.job_id);
    expect((await api.results(body.job_id)).results[0].scan_id).toBe(scan.scan_id);
    expect(await api.used()).toBe(1);
  });
});

describe('POST /public/scan/batch', () => {
  it('scans strings and objects once each, keeps bad entries as failed rows, and bills what completes', async () => {
    const { client } = await openJobApp();
    const api = await client();
    const saver = place('clean_saver');
    const sanctioned = place('sanctioned', 'bitcoin');
    const addresses = [
      saver,
      { address: sanctioned, chain: 'bitcoin' },
      'nonsense',
      { address: saver, chain: 'ethereum' },
      { address: saver, chain: 'bnb' },
      '0x00000000000000000000000000000000000000aa',
    ];
    const { status, body } = await api.post('/public/scan/batch', { addresses, lang: 'ja' });
    expect([status, body]).toEqual([
      200,
      { success: true, job_id: body.job_id, total_addresses: 5, message: 'Batch of 5 addresses queued.' },
    ]);
    expect(await api.ended(body.job_id)).toMatchObject({
      type: 'batch_scan',
      status: 'completed',
      total: 5,
      completed: 2,
      failed: 3,
      progress: 1,
      error_message: null,
    });
    const { results } = await api.results(body.job_id);
    expect(
      results.map((row: Record<string, unknown>) => [row.address, row.chain, row.status, row.error_message]),
    ).toEqual([
      [saver, 'ethereum', 'completed', null],
      [sanctioned, 'bitcoin', 'completed', null],
      ['nonsense', null, 'failed', 'Unrecognized address format'],
      [saver, 'bnb', 'failed', "Unsupported chain: bnb. BNB Smart Chain is 'bsc'"],
      [addresses[5], 'ethereum', 'failed', 'Address not found on ethereum'],
    ]);
    expect(results[1]).toMatchObject({ risk_level: 'CRITICAL', risk_score: 100, metadata: { is_sanctioned: true } });
    expect(results[1].detections[0].description).toMatch(/[ぁ-んァ-ヶ一-龠]/);
    expect(results[1]).not.toHaveProperty('ai_analysis');
    expect(await api.used()).toBe(2);
    expect((await api.get('/public/scans')).body).toMatchObject({ scans: [], total: 0 });
    const { scans } = (await api.get('/public/scans?source=batch')).body;
    expect(scans.map((scan: { address: string }) => scan.address).sort()).toEqual([saver, sanctioned].sort());
    const again = (await api.post('/public/scan', { address: saver })).body;
    expect(again).toMatchObject({ cached: true, scan_id: results[0].scan_id });
    expect(await api.used()).toBe(2);
  });

  it('says why it refuses: plan, ceiling, no address, shape, quota', async () => {
    const { client, time } = await openJobApp({ working: false });
    const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
    const many = (n: number) => Array.from({ length: n }, (_, i) => address(i + 1));
    const starter = await (await client('starter')).post('/public/scan/batch', { addresses: [] });
    expect([starter.status, starter.body]).toMatchObject([
      403,
      { detail: 'Batch scanning not available on your plan' },
    ]);

    const api = await client('enterprise_trial');
    const post = (payload: object) => api.post('/public/scan/batch', payload);
    const over = await post({ addresses: many(21) });
    expect([over.status, over.body]).toMatchObject([400, { detail: 'Batch exceeds plan limit (20 addresses)' }]);
    for (const addresses of [[], ['x', '']]) {
      expect(await post({ addresses })).toMatchObject({ status: 400, body: { detail: 'No valid addresses' } });
    }
    for (const [payload, loc] of [
      [{}, ['body', 'addresses']],
      [{ addresses: [7] }, ['body', 'addresses', 0]],
      [{ addresses: many(1), notify_email: 'me@' }, ['body', 'notify_email']],
      [{ addresses: many(1), include_ai_analysis: 'yes' }, ['body', 'include_ai_analysis']],
    ] as const) {
      const { status, body } = await post(payload);
      expect([status, body.detail[0].loc]).toEqual([422, loc]);
    }

    for (let i = 0; i < 5; i++) expect((await post({ addresses: [...many(19), address(19)] })).status).toBe(200);
    expect(await api.used()).toBe(95);
    time.at += 60_000;
    const short = await post({ addresses: many(6) });
    expect([short.status, short.body, short.headers['retry-after']]).toMatchObject([
      429,
      { detail: 'Insufficient scan quota: 5 scans remaining but 6 requested.' },
      undefined,
    ]);
    expect(await api.used()).toBe(95);
  });

  it('tries its failed rows again on request, bills what then completes, and announces its end once', async () => {
    const { client, ctx } = await openJobApp();
    const api = await client();
    const { chainSource } = ctx;
    ctx.chainSource = async (chain) => (chain === 'bitcoin' ? null : chainSource(chain));
    const addresses = [place('clean_saver'), place('clean_saver', 'bitcoin'), 'nonsense'];
    const { job_id } = (await api.post('/public/scan/batch', { addresses })).body;
    expect(await api.ended(job_id)).toMatchObject({ status: 'completed', completed: 1, failed: 2 });
    expect((await api.results(job_id)).results[1].error_message).toBe('No data source configured for bitcoin');
    ctx.chainSource = chainSource;
    const retry = () => api.post(`/public/scan/${job_id}/retry`);
    expect(await retry()).toMatchObject({ status: 202, body: { status: 'queued', completed: 1, failed: 1 } });
    expect(await api.ended(job_id)).toMatchObject({ status: 'completed', completed: 2, failed: 1, attempts: 2 });
    const { results } = await api.results(job_id);
    expect(results.map((row: { status: string }) => row.status)).toEqual(['completed', 'completed', 'failed']);
    expect(await api.used()).toBe(2);
    const ends = ctx.records.selectFrom('events').select('subject').where('type', '=', 'batch.completed');
    expect(await ends.execute()).toEqual([{ subject: job_id }]);
    // The last row is not an address.
    expect(await retry()).toMatchObject({ status: 409, body: { detail: 'Job is not retryable: completed' } });
    expect(await api.used()).toBe(2);
  });

  it('announces its end once where it failed first, and completes on retry', async () => {
    const { client, ctx } = await openJobApp();
    const api = await client();
    const { chainSource } = ctx;
    ctx.chainSource = async () => null;
    const { job_id } = (await api.post('/public/scan/batch', { addresses: [place('clean_saver')] })).body;
    expect(await api.ended(job_id)).toMatchObject({ status: 'failed', failed: 1 });
    ctx.chainSource = chainSource;
    expect((await api.post(`/public/scan/${job_id}/retry`)).status).toBe(202);
    expect(await api.ended(job_id)).toMatchObject({ status: 'completed', completed: 1, attempts: 2 });
    const ends = ctx.records.selectFrom('events').select('payload').where('type', '=', 'batch.completed');
    expect((await ends.execute()).map(({ payload }) => JSON.parse(payload).status)).toEqual(['failed']);
  });

  it('adds a summary to each row where it is asked for', async () => {
    const { client } = await openJobApp();
    const api = await client();
    const addresses = [place('sanctioned'), place('clean_saver')];
    const { body } = await api.post('/public/scan/batch', { addresses, include_ai_analysis: true });
    await api.ended(body.job_id);
    const { results } = await api.results(body.job_id);
    expect(results[0].ai_analysis).toEqual({
      summary: expect.stringContaining('Risk CRITICAL, score 100 of 100, on Ethereum.'),
      source: 'rules',
    });
    expect(results[1].ai_analysis.summary).toContain('No detection.');
  });

  it('has a model write the summaries where one is set up, which gets neither address nor counterparty', async () => {
    const content = 'A sanctioned address.';
    const model = await serveUpstream(() => ({ json: { choices: [{ message: { content } }] } }));
    onTestFinished(() => model.close());
    const { client } = await openJobApp({ env: { SUMMARY_API_URL: `${model.url}/v1` } });
    const api = await client();
    const address = place('sanctioned_counterparty');
    const { body } = await api.post('/public/scan/batch', { addresses: [address], include_ai_analysis: true });
    await api.ended(body.job_id);
    expect((await api.results(body.job_id)).results[0].ai_analysis).toEqual({ summary: content, source: 'model' });
    expect(JSON.stringify(model.requests[0]!.body)).not.toMatch(/0x[0-9a-f]{40}/);
  });

  it('mails where it was asked to, if the recipient wants it, and completes though mail fails', async () => {
    const mail = await startMailServer();
    const env = { SMTP_URL: `smtp://${mail.host}`, BASE_URL: 'https://risk.example.org/api/v1' };
    const { client, ctx } = await openJobApp({ env });
    const api = await client();
    const addresses = [place('clean_saver'), 'nonsense'];
    const request = { addresses, notify_email: 'Desk@example.org' };
    const unasked = await api.post('/public/scan/batch', request);
    expect([unasked.status, unasked.body.email]).toEqual([200, 'recipient_not_confirmed']);
    await api.ended(unasked.body.job_id);
    await expect.poll(() => mail.received.length).toBe(1);
    expect(mail.received.pop()!.text).toContain('Do you want these mails?');
    const waiting = () => undispatchedEvents(ctx.records, ctx.now(), 9);
    await expect.poll(async () => (await waiting()).length).toBe(0);
    const accounts = await listAccounts(ctx.records);
    await allowMails(ctx.records, { accountId: accounts[0]!.id, address: 'desk@example.org' }, ctx.now());
    const { body } = await api.post('/public/scan/batch', request);
    expect(body.email).toBe('sent_on_completion');
    await api.ended(body.job_id);
    await expect.poll(() => mail.received.length).toBe(1);
    const [{ to, text }] = mail.received as [(typeof mail.received)[0]];
    expect(to).toEqual(['desk@example.org']);
    expect(text).toContain('Subject: Batch scan completed: 1 of 2 addresses');
    expect(text.replace(/=\r\n/g, '')).toContain(`https://risk.example.org/api/v1/public/scan/${body.job_id}/results`);
    expect(text).not.toContain(addresses[0]);

    const refusing = await startMailServer({ refuse: true });
    const unlucky = await openJobApp({ env: { SMTP_URL: `smtp://${refusing.host}` } });
    const other = await unlucky.client();
    const [theirs] = await listAccounts(unlucky.ctx.records);
    await allowMails(unlucky.ctx.records, { accountId: theirs!.id, address: 'desk@example.org' }, unlucky.ctx.now());
    const batch = (await other.post('/public/scan/batch', { addresses, notify_email: 'desk@example.org' })).body;
    expect(await other.ended(batch.job_id)).toMatchObject({ status: 'completed', attempts: 1 });
    await expect.poll(unlucky.logged).toContain('no such mailbox');
    expect(await other.ended(batch.job_id)).toMatchObject({ status: 'completed', attempts: 1 });
    const without = await (await openJobApp({})).client();
    expect((await without.post('/public/scan/batch', request)).body.email).toBe('not_configured');
    expect((await without.post('/public/scan/batch', { addresses })).body).not.toHaveProperty('email');
  });

  it('uses the account own fresh scan for nothing, in the language asked for', async () => {
    const { client } = await openJobApp();
    const api = await client();
    const address = place('sanctioned');
    await api.post('/public/scan', { address });
    const { body } = await api.post('/public/scan/batch', { addresses: [address, place('clean_saver')], lang: 'ja' });
    await api.ended(body.job_id);
    expect((await api.results(body.job_id)).results[0].detections[0].description).toMatch(/[ぁ-んァ-ヶ一-龠]/);
    expect(await api.used()).toBe(2);
  });
});

describe('a job', () => {
  it('is nobody else to see, and an id is a UUID', async () => {
    const { client } = await openJobApp({ working: false });
    const owner = await client();
    const other = await client();
    const { body } = await owner.post('/public/scan/async', { address: place('clean_saver') });
    for (const id of [body.job_id, NO_JOB]) {
      for (const reply of [
        await other.get(`/public/scan/${id}`),
        await other.get(`/public/scan/${id}/results`),
        await other.post(`/public/scan/${id}/retry`),
      ]) {
        expect([reply.status, reply.body]).toMatchObject([404, { detail: 'Not found' }]);
      }
    }
    for (const path of ['', '/results']) {
      const { status, body: refusal } = await owner.get(`/public/scan/seven${path}`);
      expect([status, refusal.detail[0].type, refusal.detail[0].loc]).toEqual([
        422,
        'uuid_parsing',
        ['path', 'job_id'],
      ]);
    }
    expect((await owner.get(`/public/scan/${body.job_id}`)).body).toMatchObject({
      status: 'queued',
      progress: 0,
      started_at: null,
      attempts: 0,
    });
    expect((await owner.get(`/public/scan/${body.job_id}/results`)).body.results).toEqual([]);
    expect(await owner.post(`/public/scan/${body.job_id}/retry`)).toMatchObject({
      status: 409,
      body: { detail: 'Job is not retryable: queued' },
    });
  });

  it('is stale from the moment its lease ends, can be retried then, and is billed once', async () => {
    const { client, ctx, time, work } = await openJobApp({ working: false });
    const api = await client();
    const { body } = await api.post('/public/scan/async', { address: place('clean_saver') });
    const status = async () => (await api.get(`/public/scan/${body.job_id}`)).body.status;
    await claimJob(ctx.records, { type: 'async_scan', lanes: JOB_LANES }, time.at, 30_000);
    time.at += 29_999;
    expect(await status()).toBe('running');
    expect((await api.post(`/public/scan/${body.job_id}/retry`)).body.detail).toBe('Job is not retryable: running');
    time.at += 1;
    expect(await status()).toBe('stale');
    const retries = await Promise.all([1, 2, 3].map(() => api.post(`/public/scan/${body.job_id}/retry`)));
    expect(retries.map((reply) => reply.status).sort()).toEqual([202, 409, 409]);
    work();
    expect(await api.ended(body.job_id)).toMatchObject({ status: 'completed', attempts: 2, completed: 1 });
    expect(await api.used()).toBe(1);
  });

  it('shares one scan with a request for the same address, and is billed once', async () => {
    const { client, ctx, work } = await openJobApp({ working: false });
    const api = await client();
    for (const address of [place('clean_saver'), place('sanctioned'), place('mixer', 'ethereum', 'mixer_user')]) {
      const before = await api.used();
      const { body } = await api.post('/public/scan/async', { address });
      if (before === 0) work();
      await ctx.jobs.offer((await ctx.records.selectFrom('jobs').selectAll().execute())[0]!);
      const scan = (await api.post('/public/scan', { address })).body;
      expect(await api.ended(body.job_id)).toMatchObject({ status: 'completed', attempts: 1 });
      expect((await api.results(body.job_id)).results[0].scan_id).toBe(scan.scan_id);
      expect(await api.used()).toBe(before + 1);
    }
  });

  it('that waited longer than its units were held takes new ones, or fails where there are none', async () => {
    const { client, ctx, time, work } = await openJobApp({ working: false });
    const api = await client('enterprise_trial');
    const ids: string[] = [];
    for (const address of [place('clean_saver'), place('sanctioned')]) {
      ids.push((await api.post('/public/scan/async', { address })).body.job_id);
    }
    time.at += 25 * 3_600_000;
    expect(await api.used()).toBe(0);
    await ctx.records.updateTable('quota_months').set({ used: 99 }).execute();
    work();
    const ends = [await api.ended(ids[0]!), await api.ended(ids[1]!)];
    expect(ends.map((job) => job.status).sort()).toEqual(['completed', 'failed']);
    const refused = ends.find((job) => job.status === 'failed');
    expect(refused).toMatchObject({ attempts: 1, error_message: expect.stringContaining('100 / 上限: 100') });
    expect(await api.used()).toBe(100);
    const short = await api.post(`/public/scan/${refused.job_id}/retry`);
    expect([short.status, (await api.get(`/public/scan/${refused.job_id}`)).body.status]).toEqual([429, 'failed']);
  });

  it('waits out a graph that cannot be reached, and scans only what is missing then', async () => {
    const { client, ctx, time } = await openJobApp();
    const api = await client();
    const addresses = [place('clean_saver'), place('sanctioned')];
    const { graph } = ctx;
    const refuse = () => Promise.reject(new GraphError());
    ctx.graph = { ...graph, read: refuse, write: refuse, transact: refuse };
    const { body } = await api.post('/public/scan/batch', { addresses });
    const read = async () => (await api.get(`/public/scan/${body.job_id}`)).body;
    await expect.poll(async () => (await read()).attempts).toBe(1);
    await expect.poll(async () => (await read()).status).toBe('queued');
    expect(await read()).toMatchObject({ completed: 0, failed: 0, error_message: null });
    ctx.graph = graph;
    time.at += 1_000;
    expect(await api.ended(body.job_id)).toMatchObject({ status: 'completed', completed: 2, failed: 0, attempts: 2 });
    expect(await api.used()).toBe(2);
  });
});

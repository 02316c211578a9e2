import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openRenderer, packageRenderer } from '../../reports/render.ts';
import type { Role } from '../../src/domain/account/rights.ts';
import { JOB_LANES } from '../../src/domain/job.ts';
import { createTransfer } from '../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import type { Attempt } from '../../src/jobs/port.ts';
import { invitePerson, removePerson } from '../../src/questions/account/manage-people.ts';
import { openFile } from '../../src/questions/cases/report-package/package-files.ts';
import { runPackage } from '../../src/questions/cases/report-package/run-package.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { operatorFor } from '../../src/records/audit/audit-log.ts';
import { claimJob } from '../../src/records/jobs/claim-job.ts';
import { endJob } from '../../src/records/jobs/job-leases.ts';
import { raiseAlert } from '../../src/records/monitoring/alerts.ts';
import { openTestApp } from '../app/test-app.ts';
import { openBrowser } from './browser.ts';
import { openFakeProvider } from './fake-provider.ts';

const ADDRESS = `0x${'1'.repeat(40)}`;

async function openDesk() {
  const provider = await openFakeProvider();
  const test = await openTestApp({ BASE_URL: 'https://desk.example', ...provider.env });
  const { accountId, key } = await test.issue('enterprise');
  const { records } = test.ctx;
  const operator = { actor: operatorFor(accountId) };
  const enter = async (name: string, role: Role) => {
    const email = `${name.toLowerCase()}@desk.example`;
    const { id } = await invitePerson(records, operator, { email, roles: [role] }, test.time.at);
    provider.acts.token = { sub: name, name, email, email_verified: true };
    const browser = openBrowser(test);
    await browser.signIn(provider.authorize);
    return { id, call: browser.call };
  };
  const ana = await enter('Ana', 'analyst');
  const ben = await enter('Ben', 'reviewer');
  const cleo = await enter('Cleo', 'reviewer');
  const boss = await enter('Dora', 'admin');
  const all = { package: true, close: true, dismiss_critical: true };
  expect((await boss.call('PUT', '/approval-settings', all)).body).toEqual(all);
  const caseId = (await ana.call('POST', '/cases', { title: 'Theft' })).body.case.id as string;
  const remove = (id: string) => removePerson(records, operator, id, test.time.at);
  return { test, records, accountId, key, operator, remove, ana, ben, cleo, boss, caseId };
}

const approved = { decision: 'approved' };

it('closes a case when another person approves, and neither can alone', async () => {
  const { ana, ben, caseId } = await openDesk();
  const close = (who: typeof ana, status = 'closed') => who.call('PATCH', `/cases/${caseId}`, { status });
  for (const who of [ana, ben]) {
    for (const status of ['closed', 'archived']) expect((await close(who, status)).status).toBe(409);
  }
  expect((await close(ana, 'in_review')).status).toBe(200);
  const asked = await ben.call('POST', `/cases/${caseId}/approvals`, { action: 'close' });
  expect(asked).toMatchObject({ status: 201, body: { state: 'open', asked_by: 'Ben', decided_by: null } });
  const again = await ana.call('POST', `/cases/${caseId}/approvals`, { action: 'close' });
  expect(again).toMatchObject({ status: 409, body: { detail: 'Approval is already asked for' } });

  const { id } = asked.body;
  expect(await ben.call('POST', `/approvals/${id}`, approved)).toMatchObject({
    status: 403,
    body: { detail: 'Another person than the one who asked decides' },
  });
  expect((await ana.call('POST', `/approvals/${id}`, approved)).body.detail).toBe('Your roles lack the right: approve');
  expect((await ana.call('GET', `/cases/${caseId}`)).body.case.status).toBe('in_review');
});

it('lets one of two reviewers win who decide at once, and says who to the other', async () => {
  const { ana, ben, cleo, caseId, key, test } = await openDesk();
  const { id } = (await ana.call('POST', `/cases/${caseId}/approvals`, { action: 'close' })).body;
  const answers = await Promise.all([
    ben.call('POST', `/approvals/${id}`, approved),
    cleo.call('POST', `/approvals/${id}`, { decision: 'rejected', reason: 'Too early' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [won, lost] = answers[0].status === 200 ? answers : answers.toReversed();
  expect(lost!.body.detail).toBe(`Already ${won!.body.state} by ${won!.body.decided_by}`);
  const isClosed = (await ana.call('GET', `/cases/${caseId}`)).body.case.status === 'closed';
  expect(isClosed).toBe(won!.body.state === 'approved');
  const headers = { 'x-api-key': key };
  const log = (await test.app.inject({ url: `/api/v1/audit?object=${id}`, headers })).json().entries;
  expect(log.map(({ actor }: { actor: string }) => actor)).toEqual([won!.body.decided_by, 'Ana']);
  expect((await ana.call('GET', `/approvals?case_id=${caseId}`)).body.approvals).toMatchObject([{ id }]);
  const stranger = { 'x-api-key': (await test.issue('enterprise')).key };
  expect((await test.app.inject({ url: '/api/v1/approvals', headers: stranger })).json().approvals).toEqual([]);
  const seen = await test.app.inject({
    method: 'POST',
    url: `/api/v1/cases/${caseId}/approvals`,
    headers: stranger,
    payload: { action: 'close' },
  });
  expect(seen.statusCode).toBe(404);
});

it('counts a key as the person who made it, and lets no key approve', async () => {
  const { test, records, accountId, key, boss, ana, ben, caseId, remove } = await openDesk();
  const as = (key: string) => async (url: string, payload: object) =>
    test.app.inject({ method: 'POST', url: `/api/v1${url}`, headers: { 'x-api-key': key }, payload });
  const byOperator = await as(key)(`/cases/${caseId}/approvals`, { action: 'close' });
  expect(byOperator.statusCode).toBe(403);
  const made = await boss.call('POST', '/api-keys', { name: 'robot' });
  const asked = (await as(made.body.key)(`/cases/${caseId}/approvals`, { action: 'close' })).json();
  expect(asked.asked_by).toBe('Dora');
  expect((await boss.call('POST', `/approvals/${asked.id}`, approved)).status).toBe(403);
  const byKey = await as(made.body.key)(`/approvals/${asked.id}`, approved);
  expect(byKey.json().detail).toBe('This key lacks the right: approve');
  // The store itself refuses that one person does both.
  const alone = { state: 'approved' as const, decided_by: boss.id, decided_at: 1 };
  await expect(records.updateTable('approvals').set(alone).where('id', '=', asked.id).execute()).rejects.toThrow(
    /check/i,
  );
  expect((await ben.call('POST', `/approvals/${asked.id}`, { decision: 'rejected' })).body.state).toBe('rejected');

  const late = (await ana.call('POST', `/cases/${caseId}/approvals`, { action: 'close' })).body;
  const approval = () => ben.call('POST', `/approvals/${late.id}`, approved);
  await boss.call('PATCH', `/people/${ana.id}`, { roles: ['viewer'] });
  const lacks = 'The person who asked lacks the right: cases';
  expect(await approval()).toMatchObject({ status: 409, body: { detail: lacks } });
  await remove(ana.id);
  const gone = 'The person who asked is not a member any more';
  expect(await approval()).toMatchObject({ status: 409, body: { detail: gone } });
  expect((await ben.call('GET', '/approvals?state=open')).body.approvals).toMatchObject([{ id: late.id }]);
  await insertKey(records, { accountId, name: 'other' }, test.time.at);
});

it('generates a package that says who prepared and who approved it', async () => {
  const { test, ana, ben, caseId } = await openDesk();
  const { ctx } = test;
  const url = `/cases/${caseId}/str-package`;
  await ingestTransfers(ctx.graph, [
    createTransfer({
      ...{
        chain: 'ethereum',
        txHash: `0x${'2'.repeat(64)}`,
        index: 'native',
        at: test.time.at - 60_000,
        from: ADDRESS,
      },
      ...{ to: `0x${'3'.repeat(40)}`, asset: 'ETH', amount: '1', kind: 'native', usd: 10 },
    }),
  ]);
  await ana.call('POST', `/cases/${caseId}/addresses`, { address: ADDRESS, chain: 'ethereum' });
  for (const who of [ana, ben]) expect((await who.call('POST', url, { language: 'en' })).status).toBe(409);
  const asked = await ana.call('POST', `/cases/${caseId}/approvals`, { action: 'package', language: 'en' });
  const { generation_id: generation } = (await ben.call('POST', `/approvals/${asked.body.id}`, approved)).body;
  const job = (await claimJob(ctx.records, { type: 'str_package', lanes: JOB_LANES }, ctx.now(), 60_000))!;
  expect(job.id).toBe(generation);
  const renderer = packageRenderer(openRenderer(), { accountId: job.account_id });
  const close: Attempt['close'] = (end) => endJob(ctx.records, job, { ...end, at: ctx.now() });
  const wait = async () => {};
  const attempt = { job, signal: new AbortController().signal, stopping: () => false, wait, close };
  await runPackage(ctx, attempt, renderer);
  const [listed] = (await ana.call('GET', `${url}/status`)).body.generations;
  expect(listed).toMatchObject({ generation_id: generation, status: 'completed', approved_by: 'Ben' });
  const manifest = JSON.parse((await buffer((await openFile(ctx, generation, 'manifest.json'))!)).toString());
  expect(manifest).toMatchObject({ prepared_by: 'Ana', approved_by: 'Ben' });
});

it('lets the one who asked, and no other, withdraw what is not decided', async () => {
  const { ana, ben, caseId } = await openDesk();
  const { id } = (await ana.call('POST', `/cases/${caseId}/approvals`, { action: 'close' })).body;
  expect((await ben.call('DELETE', `/approvals/${id}`)).status).toBe(403);
  expect((await ana.call('DELETE', `/approvals/${id}`)).body).toEqual({ deleted: true, id });
  expect((await ben.call('POST', `/approvals/${id}`, approved)).status).toBe(404);
  const again = (await ana.call('POST', `/cases/${caseId}/approvals`, { action: 'close' })).body;
  await ben.call('POST', `/approvals/${again.id}`, approved);
  expect(await ana.call('DELETE', `/approvals/${again.id}`)).toMatchObject({
    status: 409,
    body: { detail: 'Already approved by Ben' },
  });
});

it('gives open alerts and cases of a removed person back to the queue, and closed ones not', async () => {
  const { ana, boss, remove, accountId, records, test, caseId } = await openDesk();
  const raise = async (address: string) =>
    (
      await raiseAlert(records, {
        ...{ accountId, rule: 'high_risk', severity: 'high', title: 't', chain: 'ethereum', address, party: null },
        ...{ reference: null, eventId: null, data: {}, at: test.time.at },
      })
    ).id;
  const [open, closed] = [await raise('0x1'), await raise('0x2')];
  for (const id of [open, closed]) await ana.call('POST', `/alerts/${id}/events`, { kind: 'assigned' });
  const end = { kind: 'closed', disposition: 'false_positive', comment: 'Known' };
  expect((await ana.call('POST', `/alerts/${closed}/events`, end)).status).toBe(200);
  await boss.call('PUT', '/alert-turns', { assignees: ['Ana', 'Ben'], in_turns: true });
  await boss.call('PATCH', `/cases/${caseId}`, { assignee: 'Ana' });
  await remove(ana.id);
  const alert = async (id: string) => (await boss.call('GET', `/alerts/${id}`)).body.alert;
  expect(await alert(open)).toMatchObject({ state: 'open', assignee: null });
  expect(await alert(closed)).toMatchObject({ state: 'closed', assignee: 'Ana' });
  expect((await boss.call('GET', `/cases/${caseId}`)).body.case.assignee).toBeNull();
  expect((await boss.call('GET', '/alert-turns')).body.assignees).toEqual(['Ben']);
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertKey } from '../../../src/records/accounts/keys.ts';
import { insertScan } from '../../../src/records/scans/scans.ts';
import { NOW, openTestApp, type TestApp } from '../../app/test-app.ts';

type Headers = Record<string, string>;
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

const SUBJECT = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER = '0x00000000000000000000000000000000000000a1';

function client(test: TestApp, headers: Headers) {
  return async (method: Method, url: string, payload?: object) => {
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) });
    return { status: reply.statusCode, body: reply.json() };
  };
}

async function openDesk(planId: 'free' | 'pro' = 'pro') {
  const test = await openTestApp();
  const { key, accountId } = await test.issue(planId);
  const call = client(test, { 'x-api-key': key });
  const { body } = await call('POST', '/cases', { title: 'Stolen withdrawal' });
  return { test, call, accountId, caseId: body.case.id as string };
}

async function recordScan(test: TestApp, accountId: string, evidence: string[]): Promise<string> {
  const id = randomUUID();
  const detection = { detector_id: 'mixer_exposure', details: { evidence, labels: [] } };
  await insertScan(test.ctx.records, {
    id,
    account_id: accountId,
    chain: 'ethereum',
    address: SUBJECT.toLowerCase(),
    source: 'sync',
    lang: 'en',
    risk_level: 'HIGH',
    risk_score: 70,
    detection_count: 1,
    rule_set_version: 'test',
    result: JSON.stringify({ detections: [detection] }),
    units: 1,
    created_at: test.ctx.now(),
  });
  return id;
}

/** Labels of addresses and contents of notes are their numbers, unless `text` is given. */
async function fillCase(
  test: TestApp,
  caseId: string,
  { addresses, notes, text = '' }: { addresses: number; notes: number; text?: string },
): Promise<void> {
  const { records } = test.ctx;
  for (let i = 0; i < addresses; i++) {
    const address = `0x${i.toString(16).padStart(40, '0')}`;
    const row = {
      id: randomUUID(),
      case_id: caseId,
      chain: 'ethereum',
      address,
      role: 'other',
      hop_distance: 1,
    } as const;
    const texts = { label: String(i), investigator_notes: text, created_at: NOW + i };
    await records
      .insertInto('case_addresses')
      .values({ ...row, ...texts })
      .execute();
  }
  for (let i = 0; i < notes; i++) {
    const row = { id: randomUUID(), case_id: caseId, content: text || String(i), created_at: NOW + i, event: null };
    await records
      .insertInto('case_notes')
      .values({ ...row, note_type: 'comment', author: 'test' })
      .execute();
  }
}

describe('cases', () => {
  it('begin open and of medium priority, and are listed newest first by status', async () => {
    const { test, call, caseId } = await openDesk('free');
    test.time.at += 1_000;
    const made = await call('POST', '/cases', {
      title: ' Mule ',
      description: 'a\nb',
      priority: 'high',
      assignee: 'Aiko',
    });
    expect(made).toEqual({
      status: 200,
      body: {
        case: {
          id: expect.any(String),
          title: 'Mule',
          description: 'a\nb',
          status: 'open',
          priority: 'high',
          assignee: 'Aiko',
          legal_hold: false,
          created_at: new Date(NOW + 1_000).toISOString(),
          updated_at: new Date(NOW + 1_000).toISOString(),
          address_count: 0,
        },
      },
    });
    const list = await call('GET', '/cases');
    expect(list.body.count).toBe(2);
    expect(list.body.cases.map((one: { id: string }) => one.id)).toEqual([made.body.case.id, caseId]);
    expect((await call('GET', '/cases?limit=1')).body.cases).toHaveLength(1);
    expect((await call('GET', '/cases?status=closed')).body).toEqual({
      cases: [],
      count: 0,
      total: 0,
      limit: 50,
      offset: 0,
      next: null,
    });
    const second = await call('GET', '/cases?limit=1&offset=1');
    expect(second.body).toMatchObject({ cases: [{ id: caseId }], count: 1, total: 2, limit: 1, offset: 1 });
    expect((await call('GET', '/cases?status=nothing')).status).toBe(422);
    expect((await call('GET', '/cases?limit=501')).status).toBe(422);
  });

  it('refuse what does not exist with the text of the contract, after what is unknown', async () => {
    const { call, caseId } = await openDesk();
    const unknown = `/cases/${randomUUID()}`;
    expect(await call('POST', '/cases', { title: 'x', priority: 'urgent' })).toMatchObject({
      status: 400,
      body: { detail: 'Invalid priority: urgent' },
    });
    expect((await call('POST', '/cases', {})).status).toBe(422);
    for (const [payload, detail] of [
      [{}, 'No fields to update'],
      [{ nothing: 1 }, 'No fields to update'],
      [{ status: 'done' }, 'Invalid status: done'],
      [{ priority: '' }, 'Invalid priority: '],
    ] as const) {
      expect(await call('PATCH', `/cases/${caseId}`, payload)).toMatchObject({ status: 400, body: { detail } });
      expect((await call('PATCH', unknown, payload)).status).toBe(404);
    }
    expect((await call('PATCH', '/cases/7', {})).status).toBe(422);
    expect(await call('DELETE', unknown)).toMatchObject({ status: 404, body: { detail: 'Not found' } });
  });

  it('write each change of status, and nothing else, into the timeline', async () => {
    const { test, call, caseId } = await openDesk();
    test.time.at += 1_000;
    await call('PATCH', `/cases/${caseId}`, { status: 'open', title: 'Theft' });
    const changed = await call('PATCH', `/cases/${caseId}`, { status: 'escalated', assignee: null });
    expect(changed.body.case).toMatchObject({ title: 'Theft', status: 'escalated', assignee: null });
    expect(changed.body.case.updated_at).toBe(new Date(NOW + 1_000).toISOString());
    const { body } = await call('GET', `/cases/${caseId}`);
    expect(body.notes).toMatchObject([
      {
        author: 'test',
        note_type: 'comment',
        content: 'Status changed from open to escalated',
        event: { kind: 'status_changed', from: 'open', to: 'escalated' },
      },
    ]);
  });

  it('are deleted with their contents, and the audit log keeps what was there', async () => {
    const { test, call, caseId } = await openDesk();
    const added = await call('POST', `/cases/${caseId}/addresses`, { address: SUBJECT });
    await call('POST', `/cases/${caseId}/notes`, { content: 'x' });
    expect(await call('DELETE', `/cases/${caseId}`)).toEqual({ status: 200, body: { deleted: true, id: caseId } });
    expect((await call('GET', `/cases/${caseId}`)).status).toBe(404);
    for (const table of ['case_addresses', 'case_notes'] as const) {
      expect(await test.ctx.records.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    const audit = await test.ctx.records
      .selectFrom('audit_log')
      .select(['action', 'subject'])
      .where('case_id', '=', caseId)
      .where('action', '<>', 'note_added')
      .orderBy('seq')
      .execute();
    expect(audit).toEqual([
      { action: 'case_created', subject: 'Stolen withdrawal' },
      { action: 'address_added', subject: `ethereum:${added.body.address.address}` },
      { action: 'case_deleted', subject: 'Stolen withdrawal' },
    ]);
  });

  it('under legal hold lose nothing until one with the right admin ends the hold', async () => {
    const { test, call, caseId, accountId } = await openDesk();
    const added = await call('POST', `/cases/${caseId}/addresses`, { address: SUBJECT });
    const written = await call('POST', `/cases/${caseId}/notes`, { content: 'x' });
    const label = { chain: 'ethereum', address: SUBJECT, label: 'X', category: 'scam', reason: 'x', case_id: caseId };
    const labelled = await call('POST', '/labels', label);
    const { key } = await insertKey(test.ctx.records, { accountId, name: 'analyst', scopes: ['read', 'cases'] }, NOW);
    const analyst = client(test, { 'x-api-key': key });
    const held = await analyst('PATCH', `/cases/${caseId}`, { legal_hold: true });
    expect(held.body.case.legal_hold).toBe(true);
    const address = `/cases/${caseId}/addresses/${added.body.address.id}`;
    const parts = [address, `/cases/${caseId}/notes/${written.body.note.id}`, `/labels/${labelled.body.label.id}`];
    for (const path of [`/cases/${caseId}`, ...parts]) {
      expect(await call('DELETE', path)).toMatchObject({ status: 409, body: { code: 'legal_hold' } });
    }
    const ends = { legal_hold: false };
    expect(await analyst('PATCH', `/cases/${caseId}`, ends)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await call('PATCH', `/cases/${caseId}`, ends)).body.case.legal_hold).toBe(false);
    const { body } = await call('GET', `/cases/${caseId}/notes`);
    const holds = body.notes.filter(({ event }: { event?: { kind: string } }) => event?.kind.startsWith('hold'));
    // Each in the name of who did it.
    expect(new Set(holds.map((note: { author: string }) => note.author))).toEqual(new Set(['analyst', 'test']));
    expect(holds).toHaveLength(2);
    expect((await call('DELETE', address)).status).toBe(200);
  });

  it('of another tenant are unknown in every call, and stay as they are', async () => {
    const { test, call, caseId } = await openDesk();
    const address = (await call('POST', `/cases/${caseId}/addresses`, { address: SUBJECT })).body.address;
    const note = (await call('POST', `/cases/${caseId}/notes`, { content: 'x' })).body.note;
    const before = (await call('GET', `/cases/${caseId}`)).body;
    const stranger = client(test, await test.headers());
    const own = (await stranger('POST', '/cases', { title: 'Own' })).body.case.id;
    const judgement = { address_id: address.id, detector_id: 'd', disposition: 'dismissed', reason: 'x' };
    for (const [method, url, payload] of [
      ['GET', `/cases/${caseId}`],
      ['PATCH', `/cases/${caseId}`, { title: 'Mine' }],
      ['DELETE', `/cases/${caseId}`],
      ['POST', `/cases/${caseId}/addresses`, { address: OTHER }],
      ['PATCH', `/cases/${caseId}/addresses/${address.id}`, { role: 'victim' }],
      ['PATCH', `/cases/${own}/addresses/${address.id}`, { role: 'victim' }],
      ['DELETE', `/cases/${own}/addresses/${address.id}`],
      ['POST', `/cases/${caseId}/notes`, { content: 'x' }],
      ['DELETE', `/cases/${caseId}/notes/${note.id}`],
      ['DELETE', `/cases/${own}/notes/${note.id}`],
      ['PUT', `/cases/${own}/dispositions`, judgement],
    ] as [Method, string, object?][]) {
      expect(await stranger(method, url, payload), `${method} ${url}`).toMatchObject({
        status: 404,
        body: { detail: 'Not found' },
      });
    }
    expect((await call('GET', `/cases/${caseId}`)).body).toEqual(before);
  });
});

describe('addresses of a case', () => {
  it('are canonical, once per chain, and keep the order in which they came', async () => {
    const { test, call, caseId } = await openDesk();
    const url = `/cases/${caseId}/addresses`;
    const added = await call('POST', url, { address: SUBJECT });
    expect(added.body.address).toEqual({
      id: expect.any(String),
      case_id: caseId,
      chain: 'ethereum',
      address: SUBJECT.toLowerCase(),
      role: 'subject',
      label: null,
      investigator_notes: '',
      hop_distance: 0,
      last_scan_id: null,
      last_risk_level: null,
      last_scanned_at: null,
    });
    expect(await call('POST', url, { address: SUBJECT.toLowerCase(), chain: 'ethereum' })).toMatchObject({
      status: 409,
      body: { detail: 'Address already in case' },
    });
    test.time.at += 1;
    const bsc = await call('POST', url, { address: SUBJECT, chain: 'bsc', role: 'victim', label: 'Payer' });
    expect(bsc.body.address).toMatchObject({ chain: 'bsc', role: 'victim', hop_distance: null, label: 'Payer' });
    const { body } = await call('GET', `/cases/${caseId}`);
    expect(body.case.address_count).toBe(2);
    expect(body.addresses.map((one: { chain: string }) => one.chain)).toEqual(['ethereum', 'bsc']);
  });

  it('refuse a wrong chain, address or role by name', async () => {
    const { call, caseId } = await openDesk();
    const url = `/cases/${caseId}/addresses`;
    for (const [payload, detail] of [
      [{ address: SUBJECT, chain: 'bnb' }, "Unsupported chain: bnb. BNB Smart Chain is 'bsc'"],
      [{ address: SUBJECT, chain: 'bitcoin' }, 'Address does not match chain bitcoin'],
      [{ address: ' ' }, 'Address is required'],
      [{ address: SUBJECT, role: 'thief' }, 'Invalid role: thief'],
    ] as const) {
      expect(await call('POST', url, payload)).toMatchObject({ status: 400, body: { detail } });
    }
    expect((await call('POST', url, { role: 'subject' })).status).toBe(422);
  });

  it('change what is given, and show the newest scan', async () => {
    const { test, call, accountId, caseId } = await openDesk();
    const { id } = (await call('POST', `/cases/${caseId}/addresses`, { address: SUBJECT })).body.address;
    await recordScan(test, accountId, ['a#0']);
    test.time.at += 1_000;
    const scanId = await recordScan(test, accountId, ['b#0']);
    await recordScan(test, (await test.issue()).accountId, ['c#0']);
    const url = `/cases/${caseId}/addresses/${id}`;
    const changed = await call('PATCH', url, { role: 'victim', label: null, investigator_notes: 'line\nline' });
    expect(changed.body.address).toMatchObject({
      role: 'victim',
      investigator_notes: 'line\nline',
      last_scan_id: scanId,
      last_risk_level: 'HIGH',
      last_scanned_at: new Date(NOW + 1_000).toISOString(),
    });
    expect((await call('PATCH', url, {})).body).toMatchObject({ detail: 'No fields to update' });
    expect((await call('PATCH', url, { role: 'thief' })).body).toMatchObject({ detail: 'Invalid role: thief' });
    expect((await call('PATCH', `/cases/${caseId}/addresses/${randomUUID()}`, {})).status).toBe(404);
    expect(await call('DELETE', url)).toEqual({ status: 200, body: { deleted: true, id } });
    expect((await call('DELETE', url)).status).toBe(404);
  });
});

describe('notes of a case', () => {
  it('stand in the timeline under the name of the key until they are deleted', async () => {
    const { test, call, caseId } = await openDesk();
    const url = `/cases/${caseId}/notes`;
    const first = await call('POST', url, { content: '取引所に照会した', note_type: 'finding' });
    expect(first).toEqual({
      status: 200,
      body: {
        note: {
          id: expect.any(String),
          case_id: caseId,
          content: '取引所に照会した',
          note_type: 'finding',
          author: 'test',
          created_at: new Date(NOW).toISOString(),
        },
      },
    });
    test.time.at += 1;
    await call('POST', url, { content: 'second' });
    const { body } = await call('GET', `/cases/${caseId}`);
    expect(body.notes.map((note: { note_type: string }) => note.note_type)).toEqual(['finding', 'comment']);
    expect((await call('POST', url, { content: 'x', note_type: 'rumour' })).body).toMatchObject({
      detail: 'Invalid note type: rumour',
    });
    for (const content of ['', 'nul\0', 'x'.repeat(10_001)]) {
      expect((await call('POST', url, { content })).status).toBe(422);
    }
    const { id } = first.body.note;
    expect(await call('DELETE', `${url}/${id}`)).toEqual({ status: 200, body: { deleted: true, id } });
    expect((await call('DELETE', `${url}/${id}`)).status).toBe(404);
    const [mark] = (await call('GET', `/cases/${caseId}`)).body.notes;
    expect(mark).toMatchObject({ id, content: 'Note deleted by test', event: { kind: 'note_deleted', by: 'test' } });
  });

  it('stay where the service wrote them', async () => {
    const { call, caseId } = await openDesk();
    await call('PATCH', `/cases/${caseId}`, { status: 'closed' });
    const [note] = (await call('GET', `/cases/${caseId}/notes`)).body.notes;
    expect(await call('DELETE', `/cases/${caseId}/notes/${note.id}`)).toMatchObject({
      status: 403,
      body: { detail: 'System entries cannot be deleted' },
    });
    expect((await call('GET', `/cases/${caseId}/notes`)).body.total).toBe(1);
  });
});

describe('a full case', () => {
  it('answers with its newest contents and their totals, and with all of them by page', async () => {
    const { test, call, caseId } = await openDesk();
    await fillCase(test, caseId, { addresses: 510, notes: 210 });
    const { body } = await call('GET', `/cases/${caseId}`);
    expect(body).toMatchObject({ addresses_total: 510, notes_total: 210, case: { address_count: 510 } });
    const labels = (list: { label: string }[]) => list.map(({ label }) => label);
    const contents = (list: { content: string }[]) => list.map(({ content }) => content);
    expect([body.addresses.length, body.addresses[0].label, body.addresses.at(-1).label]).toEqual([500, '10', '509']);
    expect([body.notes.length, body.notes[0].content, body.notes.at(-1).content]).toEqual([200, '10', '209']);
    const url = `/cases/${caseId}/addresses`;
    const pages = [await call('GET', `${url}?limit=200`), await call('GET', `${url}?limit=200&offset=200`)];
    pages.push(await call('GET', `${url}?limit=200&offset=400`));
    const all = pages.flatMap((page) => labels(page.body.addresses));
    expect(all).toEqual(Array.from({ length: 510 }, (_, i) => String(509 - i)));
    expect(pages[2]!.body).toMatchObject({ total: 510, limit: 200, offset: 400, dispositions: [] });
    const notes = await call('GET', `/cases/${caseId}/notes?limit=3&offset=208`);
    expect(contents(notes.body.notes)).toEqual(['1', '0']);
    expect(notes.body).toMatchObject({ total: 210, limit: 3, offset: 208 });
    expect((await call('GET', `/cases/${caseId}/notes?limit=201`)).status).toBe(422);
    expect((await call('GET', `/cases/${randomUUID()}/notes`)).status).toBe(404);
  });

  it('refuses a note more, and still takes a change of status', async () => {
    const { test, call, caseId } = await openDesk();
    await fillCase(test, caseId, { addresses: 2_000, notes: 2_000 });
    const refusal = (what: string) => ({ status: 403, body: { detail: `Limit reached: ${what} in a case` } });
    expect(await call('POST', `/cases/${caseId}/notes`, { content: 'x' })).toMatchObject(refusal('2000 notes'));
    const added = await call('POST', `/cases/${caseId}/addresses`, { address: SUBJECT });
    expect(added).toMatchObject(refusal('2000 addresses'));
    expect((await call('PATCH', `/cases/${caseId}`, { status: 'closed' })).status).toBe(200);
    expect((await call('GET', `/cases/${caseId}`)).body.notes_total).toBe(2_001);
    const [note] = (await call('GET', `/cases/${caseId}/notes?offset=1`)).body.notes;
    await call('DELETE', `/cases/${caseId}/notes/${note.id}`);
    expect((await call('POST', `/cases/${caseId}/notes`, { content: 'x' })).status).toBe(200);
  });

  it('answers with 1 MiB at most, and says where its lists go on', async () => {
    const { test, call, accountId, caseId } = await openDesk();
    // Six bytes of JSON for three of text, and three for three.
    for (const text of ['"\n\\'.repeat(3_333), '日'.repeat(10_000)]) {
      await fillCase(test, caseId, { addresses: 200, notes: 200, text });
      for (const url of ['', '/addresses?limit=200', '/notes?limit=200']) {
        const { status, body } = await call('GET', `/cases/${caseId}${url}`);
        expect(status).toBe(200);
        const mib = Buffer.byteLength(JSON.stringify(body)) / 2 ** 20;
        expect(mib).toBeLessThan(url === '' ? 1 : 1.1);
        if (url === '') {
          expect(body.addresses_next).toBe(body.addresses.length);
          expect(body.notes_next).toBe(body.notes.length);
          const more = await call('GET', `/cases/${caseId}/notes?limit=1&offset=${body.notes_next}`);
          expect(body.notes.map((note: { id: string }) => note.id)).not.toContain(more.body.notes[0].id);
        }
        if (url !== '') expect(body.next).toBe(body[url.includes('notes') ? 'notes' : 'addresses'].length);
      }
      await test.ctx.records.deleteFrom('case_addresses').execute();
      await test.ctx.records.deleteFrom('case_notes').execute();
    }
    const opened = { account_id: accountId, title: 'x', status: 'open', priority: 'low', assignee: null } as const;
    const rows = Array.from({ length: 400 }, () => ({
      ...opened,
      id: randomUUID(),
      description: '日'.repeat(10_000),
      created_at: NOW,
      updated_at: NOW,
      legal_hold: 0,
    }));
    for (const row of rows) await test.ctx.records.insertInto('cases').values(row).execute();
    const { body } = await call('GET', '/cases?limit=500');
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(1.1 * 2 ** 20);
    expect([body.count, body.next]).toEqual([401, null]);
    expect(body.cases[0]).not.toHaveProperty('description');
    expect(body.cases[0].summary).toBe('日'.repeat(200));
  });
});

describe('a judgement of a detection', () => {
  it('holds until a newer scan shows evidence that was not judged', async () => {
    const { test, call, accountId, caseId } = await openDesk();
    const { id } = (await call('POST', `/cases/${caseId}/addresses`, { address: SUBJECT })).body.address;
    const judgement = { address_id: id, detector_id: 'mixer_exposure', disposition: 'dismissed', reason: 'receipts' };
    const put = (payload: object) => call('PUT', `/cases/${caseId}/dispositions`, payload);
    const held = async () => (await call('GET', `/cases/${caseId}`)).body.dispositions[0].in_force;

    expect((await put(judgement)).body).toMatchObject({ detail: 'Address has not been scanned' });
    await recordScan(test, accountId, ['a#0', 'b#0']);
    expect((await put({ ...judgement, detector_id: 'cycle' })).body).toMatchObject({
      detail: 'No such detection in the newest scan: cycle',
    });
    expect((await put(judgement)).body.disposition).toEqual({
      ...judgement,
      author: 'test',
      created_at: new Date(NOW).toISOString(),
      in_force: true,
      imported: false,
    });
    const logged = test.ctx.records.selectFrom('audit_log').select(['subject', 'detail']);
    expect(await logged.where('action', '=', 'disposition_set').execute()).toEqual([
      { subject: `${id} mixer_exposure dismissed`, detail: `ethereum:${SUBJECT.toLowerCase()}` },
    ]);
    test.time.at += 1_000;
    await recordScan(test, accountId, ['b#0']);
    expect(await held()).toBe(true);
    test.time.at += 1_000;
    await recordScan(test, accountId, ['b#0', 'c#0']);
    expect(await held()).toBe(false);
    await put({ ...judgement, disposition: 'reported' });
    expect(await held()).toBe(true);
    expect((await put({ ...judgement, disposition: 'ignored' })).status).toBe(422);
    expect((await put({ ...judgement, address_id: randomUUID() })).status).toBe(404);
  });
});

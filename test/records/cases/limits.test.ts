import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import type { Graph } from '../../../src/graph/port.ts';
import { openLabelStore } from '../../../src/labels/label-store.ts';
import { CASE_LIMITS, CASES_PER_ACCOUNT, PLANS } from '../../../src/plans.ts';
import { addCaseAddress, removeCaseAddress, updateCaseAddress } from '../../../src/questions/cases/case-addresses.ts';
import { addNote, deleteNote } from '../../../src/questions/cases/case-notes.ts';
import { createCase, updateCase } from '../../../src/questions/cases/manage-cases.ts';
import { createAccount } from '../../../src/records/accounts/accounts.ts';
import { insertKey } from '../../../src/records/accounts/keys.ts';
import { saveDisposition } from '../../../src/records/cases/dispositions.ts';
import { insertEventNote } from '../../../src/records/cases/notes.ts';
import type { Records } from '../../../src/records/database/database.ts';
import { onBothStores } from '../on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const WRITERS = 20;
const MIB = 2 ** 20;
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;

async function openCase(records: Records) {
  // The distance of a subject asks no graph.
  const labels = openLabelStore(records, () => NOW);
  const ctx = { records, now: () => NOW, graph: {} as Graph, labels, config: readConfig({}) };
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  const { id: keyId } = await insertKey(records, { accountId, name: 'desk' }, NOW);
  const tenant = { accountId, keyId, planId: 'free', plan: PLANS.free } as const;
  const { id: caseId } = await createCase(ctx, tenant, { title: 'Theft' });
  return { ctx, tenant, caseId };
}

async function fill<Row>(rows: Row[], insert: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += 100) await insert(rows.slice(start, start + 100));
}

const numbered = <Row>(count: number, row: (i: number) => Row) => Array.from({ length: count }, (_, i) => row(i));

const noteRow = (caseId: string, content: string) => ({
  id: randomUUID(),
  case_id: caseId,
  content,
  note_type: 'comment' as const,
  author: 'desk',
  created_at: NOW,
  event: null,
});

const addressRow = (caseId: string, i: number) => ({
  id: randomUUID(),
  case_id: caseId,
  chain: 'ethereum' as const,
  address: address(i),
  role: 'subject' as const,
  label: null,
  investigator_notes: '',
  hop_distance: 0,
  created_at: NOW,
});

/** How many of the writers, all at once, were let in; every other refusal must say `limit`. */
async function writeAtOnce(limit: string, write: (i: number) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(numbered(WRITERS, write));
  const refused = outcomes.filter((one) => one.status === 'rejected');
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 403, message: `Limit reached: ${limit}` });
  return WRITERS - refused.length;
}

onBothStores('a case', (open) => {
  it('holds the most entries of the service, beyond which what would write one does not happen, and takes notes', async () => {
    const records = await open();
    const { ctx, tenant, caseId } = await openCase(records);
    const { id: noteId } = await addNote(ctx, tenant, caseId, { content: 'x' });
    await insertEventNote(records, { caseId, event: { kind: 'report_downloaded' }, keyId: 'desk', now: NOW });
    const written = await records.selectFrom('case_notes').selectAll().where('event', 'is not', null).execute();
    await fill(
      numbered(CASE_LIMITS.entries - 4, () => ({ ...written[0]!, id: randomUUID() })),
      (rows) => records.insertInto('case_notes').values(rows).execute(),
    );
    await deleteNote(ctx, tenant, { caseId, noteId });
    const full = '20000 entries of the service in a case';
    expect(await writeAtOnce(full, (i) => addCaseAddress(ctx, tenant, caseId, { address: address(i) }))).toBe(3);
    const { id: addressId } = await records.selectFrom('case_addresses').select('id').executeTakeFirstOrThrow();
    await expect(removeCaseAddress(ctx, tenant, { caseId, addressId })).rejects.toThrow(full);
    await expect(updateCase(ctx, tenant, caseId, { status: 'closed' })).rejects.toThrow(full);
    expect(await records.selectFrom('case_addresses').select('id').execute()).toHaveLength(3);
    await addNote(ctx, tenant, caseId, { content: 'The case is full' });
  });

  it('holds the most notes, whoever writes at once, and entries of the service beyond', async () => {
    const records = await open();
    const { ctx, tenant, caseId } = await openCase(records);
    const insert = (rows: ReturnType<typeof noteRow>[]) => records.insertInto('case_notes').values(rows).execute();
    await fill(
      numbered(CASE_LIMITS.notes - 3, () => noteRow(caseId, 'x')),
      insert,
    );
    const event = { kind: 'report_downloaded' } as const;
    for (let i = 0; i < 5; i++) await insertEventNote(records, { caseId, event, keyId: 'desk', now: NOW });
    expect(await writeAtOnce('2000 notes in a case', () => addNote(ctx, tenant, caseId, { content: 'y' }))).toBe(3);
    await insertEventNote(records, { caseId, event, keyId: 'desk', now: NOW });
    const decided = { kind: 'match_decided', decision: 'confirmed', reason: 'x' } as const;
    const source = { chain: 'ethereum', tx_hash: '0x1' } as const;
    const decision = { ...decided, source, destination: source };
    await expect(
      insertEventNote(records, { caseId, event: decision, keyId: 'desk', noteType: 'decision', now: NOW }),
    ).rejects.toThrow('Limit reached: 2000 notes in a case');
  });

  it('holds the most marks of deleted notes beside those that are there', async () => {
    const records = await open();
    const { ctx, tenant, caseId } = await openCase(records);
    const { id: noteId } = await addNote(ctx, tenant, caseId, { content: 'x' });
    await deleteNote(ctx, tenant, { caseId, noteId });
    const mark = await records.selectFrom('case_notes').select(['content', 'event']).executeTakeFirstOrThrow();
    await fill(
      numbered(CASE_LIMITS.notesWithDeleted - 3, () => ({ ...noteRow(caseId, ''), ...mark })),
      (rows) => records.insertInto('case_notes').values(rows).execute(),
    );
    const full = '4000 notes in a case, deleted ones too';
    expect(await writeAtOnce(full, () => addNote(ctx, tenant, caseId, { content: 'y' }))).toBe(2);
  });

  it('holds the most text of notes, addresses and judgements together', async () => {
    const records = await open();
    const { ctx, tenant, caseId } = await openCase(records);
    const insert = (rows: ReturnType<typeof noteRow>[]) => records.insertInto('case_notes').values(rows).execute();
    // Three bytes each in UTF-8.
    const long = '\u65e5'.repeat(10_000);
    const room = CASE_LIMITS.textMib * MIB;
    const whole = Math.floor(room / 30_000) - 2;
    await fill(
      numbered(whole, () => noteRow(caseId, long)),
      insert,
    );
    const left = room - whole * 30_000;
    const full = '5 MiB of notes in a case';
    const size = Math.floor(left / 4);
    const content = 'x'.repeat(size);
    expect(await writeAtOnce(full, () => addNote(ctx, tenant, caseId, { content }))).toBe(4);
    expect(
      await writeAtOnce(full, (i) => addCaseAddress(ctx, tenant, caseId, { address: address(i), label: 'long' })),
    ).toBe(0);
    const added = await addCaseAddress(ctx, tenant, caseId, { address: address(1) });
    const at = { caseId, addressId: added.id };
    await expect(updateCaseAddress(ctx, tenant, at, { investigator_notes: 'long' })).rejects.toThrow(full);
    const judgement = { case_id: caseId, address_id: added.id, detector_id: 'd', disposition: 'dismissed' } as const;
    const judged = { ...judgement, author: 'desk', evidence: '[]', created_at: NOW, imported: 0 };
    await expect(saveDisposition(records, { ...judged, reason: 'long' })).rejects.toThrow(full);
    await records.deleteFrom('case_notes').where('content', '=', content).execute();
    await updateCaseAddress(ctx, tenant, at, { investigator_notes: 'a long note' });
    await fill(
      numbered(1, () => noteRow(caseId, 'x'.repeat(left))),
      insert,
    );
    await updateCaseAddress(ctx, tenant, at, { investigator_notes: 'short' });
  });

  it('holds the most addresses, and the most judgements', async () => {
    const records = await open();
    const { ctx, tenant, caseId } = await openCase(records);
    const rows = numbered(CASE_LIMITS.addresses - 3, (i) => addressRow(caseId, i));
    await fill(rows, (part) => records.insertInto('case_addresses').values(part).execute());
    const add = (i: number) => addCaseAddress(ctx, tenant, caseId, { address: address(50_000 + i) });
    expect(await writeAtOnce('2000 addresses in a case', add)).toBe(3);
    const judgement = (address_id: string, detector_id: string) => ({
      case_id: caseId,
      address_id,
      detector_id,
      disposition: 'dismissed' as const,
      reason: 'x',
      author: 'desk',
      evidence: '[]',
      created_at: NOW,
      imported: 0,
    });
    const judgements = numbered(CASE_LIMITS.judgements, (i) =>
      judgement(rows[i % rows.length]!.id, `d${Math.floor(i / rows.length)}`),
    );
    await fill(judgements, (part) => records.insertInto('case_dispositions').values(part).execute());
    await expect(saveDisposition(records, judgement(rows[0]!.id, 'other'))).rejects.toThrow(
      '2000 judgements in a case',
    );
    await saveDisposition(records, { ...judgements[0]!, reason: 'again' });
  });
});

onBothStores('an account', (open) => {
  it('holds the most cases', async () => {
    const records = await open();
    const { ctx, tenant } = await openCase(records);
    const row = () => ({
      id: randomUUID(),
      account_id: tenant.accountId,
      title: 'x',
      description: '',
      status: 'open' as const,
      priority: 'low' as const,
      assignee: null,
      created_at: NOW,
      updated_at: NOW,
      legal_hold: 0,
    });
    await fill(numbered(CASES_PER_ACCOUNT - 4, row), (part) => records.insertInto('cases').values(part).execute());
    expect(await writeAtOnce('10000 cases', () => createCase(ctx, tenant, { title: 'y' }))).toBe(3);
  });
});

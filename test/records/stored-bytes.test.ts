import { readConfig } from '../../src/config.ts';
import * as boards from '../../src/questions/manage-boards.ts';
import '../setup/seed.ts';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import type { Graph } from '../../src/graph/port.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { PLANS } from '../../src/plans.ts';
import { addCaseAddress, removeCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { addNote, deleteNote } from '../../src/questions/cases/case-notes.ts';
import { createCase, updateCase } from '../../src/questions/cases/manage-cases.ts';
import { deleteScans } from '../../src/questions/scans/delete-scans.ts';
import { createAccount, findAccount, lockAccount, setPlan } from '../../src/records/accounts/accounts.ts';
import { deleteExpiredKeys, keepAnswer, takeIdempotencyKey } from '../../src/records/accounts/idempotency-keys.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { reserveScans } from '../../src/records/accounts/quota.ts';
import { saveRiskSettings } from '../../src/records/accounts/risk-settings.ts';
import { deleteCaseRow } from '../../src/records/cases/cases.ts';
import { insertPackageFile, insertPackageRows, insertReportPackage } from '../../src/records/cases/report-packages.ts';
import { inTransaction, type Records } from '../../src/records/database/database.ts';
import { insertJobRows, reopenRows } from '../../src/records/jobs/job-rows.ts';
import { insertJob } from '../../src/records/jobs/jobs.ts';
import { keepMovement } from '../../src/records/monitoring/movements.ts';
import { insertTransfer } from '../../src/records/monitoring/screened-transfers.ts';
import { watchParties } from '../../src/records/monitoring/transfer-parties.ts';
import { deleteItem, findItemOf, updateItem } from '../../src/records/monitoring/watchlist.ts';
import { insertCounterparties, insertScan } from '../../src/records/scans/scans.ts';
import { findRead, saveTraced } from '../../src/records/scans/traced-addresses.ts';
import { COUNTED, countStoredBytes } from '../../src/records/stored-bytes.ts';
import { onBothStores } from './on-both-stores.ts';
import { expectStoredBytesCounted } from './sound-records.ts';
import { watchItem } from './watched-item.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const MIB = 2 ** 20;
/** Columns that lead to an account. */
const OWNERS = new Set([
  'account_id',
  'case_id',
  'board_id',
  'item_id',
  'job_id',
  'scan_id',
  'package_id',
  'delivery_id',
  'transfer_id',
  'alert_id',
  'rule_id',
]);
/** Bounded by their form: ids, names from a closed list, addresses, hashes, names of keys. */
const SHORT = new Set(
  (
    'action actor address allowed_ips asked_by author category chain chain_in chain_out created_by decided_by decision detector_id direction disposition events ' +
    'hash holder ip key_hash kind label_state lang lane last_risk_level last_rule_set level_before_rule_set live_said made_by_person ' +
    'manual_day monitor_type name note_type period prefix previous_secrets priority request_hash risk_level role ' +
    'rule_set_version scopes secret source stage stamp state status transfer_id tx_hash tx_in tx_out type unconfirmed_level'
  ).split(' '),
);
/** Tables that are bounded otherwise, with the bound. */
const NOT_COUNTED: Record<string, string> = {
  alert_mails: '20 of an account',
  audit_log: 'kept for 400 days, by the service',
  events: 'go with their deliveries',
  deliveries: '100,000 of an account',
  delivery_attempts: 'go with their deliveries',
  delivery_queues: 'one a recipient',
  mail_recipients: 'by hand, one a recipient',
  people: '500 at once, and those who once signed in',
  quota_months: 'one a month',
  quota_reservations: 'go once they are settled',
  scam_reports: '50 waiting of an account',
  sign_in_failures: 'one a minute and reason',
  sign_ins: 'go after ten minutes',
};
const FULL = { status: 403, message: expect.stringMatching(/^Limit reached: 50 MiB stored\. Delete cases, /) };

async function openDesk(records: Records) {
  // The distance of a subject asks no graph.
  const labels = openLabelStore(records, () => NOW);
  const ctx = { records, now: () => NOW, graph: {} as Graph, labels, config: readConfig({}) };
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  const { id: keyId } = await insertKey(records, { accountId, name: 'desk' }, NOW);
  const tenant = { accountId, keyId, planId: 'free', plan: PLANS.free } as const;
  const { id: caseId } = await createCase(ctx, tenant, { title: 'Theft' });
  const stored = async () => (await findAccount(records, accountId)).stored_bytes;
  /** Lets the account have so many bytes left, by records of scans. */
  const leave = async (bytes: number) => {
    const before = await stored();
    await insertScan(records, scanRow(accountId, 0));
    const row = (await stored()) - before;
    await insertScan(records, scanRow(accountId, 50 * MIB - before - 2 * row - bytes));
    expect(await stored()).toBe(50 * MIB - bytes);
  };
  return { ctx, tenant, caseId, stored, leave };
}

const scanRow = (accountId: string, length: number) => ({
  ...{ id: randomUUID(), account_id: accountId, chain: 'ethereum' as const, address: '0x01', source: 'sync' as const },
  ...{ lang: 'en', risk_level: 'LOW' as const, risk_score: 1, detection_count: 0, rule_set_version: '1' },
  ...{ result: 'x'.repeat(length), created_at: NOW, units: 1 },
});

const holderOf = (accountId: string, keyHash = randomUUID()) => ({ accountId, keyHash, holder: randomUUID() });
const REQUEST = { requestHash: 'same', expiresAt: NOW + 1 };

type Desk = Awaited<ReturnType<typeof openDesk>>;
type Step = (desk: Desk, text: string, pick: number) => Promise<unknown>;

const one = <T>(rows: readonly T[], pick: number): T | undefined => rows[pick % Math.max(1, rows.length)];
/** Whatever writes or deletes records of an account; each picks one of those that are there. */
const STEPS: Record<string, Step> = {
  case: async ({ ctx, tenant }, title) =>
    createCase(ctx, tenant, { title: title || 'x', description: title.repeat(9) }),
  describe: ({ ctx, tenant, caseId }, description) => updateCase(ctx, tenant, caseId, { description }),
  note: ({ ctx, tenant, caseId }, content) => addNote(ctx, tenant, caseId, { content }),
  'delete a note': async ({ ctx, tenant, caseId }, _text, pick) => {
    const notes = await ctx.records.selectFrom('case_notes').select('id').where('event', 'is', null).execute();
    const found = one(notes, pick);
    if (found) await deleteNote(ctx, tenant, { caseId, noteId: found.id });
  },
  address: ({ ctx, tenant, caseId }, label, pick) =>
    addCaseAddress(ctx, tenant, caseId, {
      address: `0x${pick.toString(16).padStart(40, '0')}`,
      chain: 'ethereum',
      label,
    }),
  'remove an address': async ({ ctx, tenant, caseId }, _text, pick) => {
    const found = one(await ctx.records.selectFrom('case_addresses').select('id').execute(), pick);
    if (found) await removeCaseAddress(ctx, tenant, { caseId, addressId: found.id });
  },
  board: ({ ctx, tenant }, title) => boards.createBoard(ctx, tenant, { title, caseId: null, scene: EMPTY_SCENE }),
  'save a board': async ({ ctx, tenant }, title, pick) => {
    const found = one((await boards.listBoards(ctx, tenant, { limit: 9, offset: 0 })).boards, pick);
    if (found) await boards.saveBoard(ctx, tenant, found, pick % 2 ? { title } : { scene: EMPTY_SCENE });
  },
  'delete a board': async ({ ctx, tenant }, _text, pick) => {
    const found = one((await boards.listBoards(ctx, tenant, { limit: 9, offset: 0 })).boards, pick);
    if (found) await boards.deleteBoard(ctx, tenant, found);
  },
  answer: async ({ ctx: { records }, tenant }, answer, pick) => {
    const mine = holderOf(tenant.accountId);
    await takeIdempotencyKey(records, mine, REQUEST);
    await keepAnswer(records, mine, { statusCode: 200, answer, expiresAt: NOW + (pick % 9) });
  },
  'forget answers': ({ ctx: { records } }, _text, pick) => deleteExpiredKeys(records, NOW + (pick % 9)),
  scan: async ({ ctx: { records }, tenant }, text) => {
    const scan = scanRow(tenant.accountId, 9);
    await insertScan(records, { ...scan, result: text });
    await insertCounterparties(records, scan.id, { packed: text, moved: { usd: 0, labelledUsd: 0 } });
  },
  'delete scans': ({ ctx, tenant }) =>
    deleteScans({ ...ctx, now: () => NOW + 2 * DAY_MS }, tenant, { before: NOW + DAY_MS }),
  settings: ({ ctx: { records }, tenant }, text) =>
    saveRiskSettings(
      records,
      tenant.accountId,
      { whitelist: [{ chain: 'ethereum', address: '0x01', note: text }] },
      NOW,
    ),
  watch: async ({ ctx: { records }, tenant }, label, pick) => {
    const address = `0x${pick.toString(16).padStart(40, '0')}`;
    if (await findItemOf(records, tenant.accountId, { chain: 'ethereum', address })) return;
    const id = await watchItem(records, tenant.accountId, { address, label });
    const movement = { item_id: id, transfer_id: label, tx_hash: '0x01', at: NOW, stage: 'unconfirmed' } as const;
    await keepMovement(records, { ...movement, alert: label, counts: 1 });
    await keepMovement(records, { ...movement, stage: 'confirmed', alert: null, counts: 1 });
    await updateItem(records, id, { sanctioned: JSON.stringify([label]) });
  },
  unwatch: async ({ ctx: { records }, tenant }, _text, pick) => {
    const mine = records.selectFrom('watchlist_items').select('id').where('account_id', '=', tenant.accountId);
    const found = one(await mine.execute(), pick);
    if (found) await deleteItem(records, tenant.accountId, found.id);
  },
  transfer: async ({ ctx: { records }, tenant }, text, pick) => {
    const unset = {
      reason: null,
      result: null,
      risk_level: null,
      risk_score: null,
      category: null,
      usd: null,
    } as const;
    const asked = { asset: text, amount: null, address: null, customer_ref: text, reference: randomUUID() };
    const sent = { id: randomUUID(), account_id: tenant.accountId, chain: 'ethereum', direction: 'deposit' } as const;
    const state = { lang: 'en', state: 'waiting', seen: 0, wait_until: NOW, created_at: NOW, ended_at: null } as const;
    await insertTransfer(records, { ...unset, ...asked, ...sent, ...state, tx_hash: '0x01' });
    const watched = { transfer_id: sent.id, chain: 'ethereum', adverse: text, watched_until: NOW } as const;
    await watchParties(
      records,
      Array.from({ length: pick % 3 }, (_, n) => ({ ...watched, address: `0x0${n}` })),
    );
    if (pick % 2) await records.deleteFrom('screened_transfers').where('id', '=', sent.id).execute();
  },
  job: async ({ ctx: { records }, tenant, caseId }, text, pick) => {
    const of = { accountId: tenant.accountId, ...(pick % 2 && { caseId }), type: 'str_package', total: 2 } as const;
    const { id } = await insertJob(records, { ...of, input: { text } }, NOW);
    const row = { chain: 'ethereum', address: text, valid: 1, status: 'failed', error_message: text } as const;
    await insertJobRows(
      records,
      id,
      [row, row].map((one) => ({ ...one, completed_at: NOW })),
    );
    await reopenRows(records, id);
    await records.updateTable('jobs').set({ output: text }).where('id', '=', id).execute();
    const frozen = { inputs: text, files: null, degraded: 0, stamp: null, created_at: NOW };
    await insertReportPackage(records, { ...frozen, id, case_id: caseId, format: 1 });
    await insertPackageRows(records, id, 0, [[text]]);
    await insertPackageFile(records, id, { name: 'csv', gzipped: Buffer.from(text) });
  },
  'delete a case': async ({ ctx: { records }, tenant, caseId }, _text, pick) => {
    const mine = records.selectFrom('cases').select('id').where('account_id', '=', tenant.accountId);
    const found = one(await mine.where('id', '!=', caseId).execute(), pick);
    if (found) await deleteCaseRow(records, tenant.accountId, found.id);
  },
};

onBothStores('stored bytes', (open) => {
  it('are what the records of an account are together, whatever is written and deleted', async () => {
    const records = await open();
    const step = fc.record({
      name: fc.constantFrom(...Object.keys(STEPS)),
      text: fc.string({ unit: 'grapheme', maxLength: 40 }),
      pick: fc.nat(99),
    });
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const desk = await openDesk(records);
      for (const { name, text, pick } of steps) {
        await STEPS[name]!(desk, text.replaceAll('\0', ''), pick).catch((error) => {
          // An address that is there already.
          if (error.status !== 409) throw error;
        });
      }
      await expectStoredBytesCounted(records);
      await deleteCaseRow(records, desk.tenant.accountId, desk.caseId);
      await expectStoredBytesCounted(records);
    });
    await fc.assert(property, { numRuns: 6 });
  });

  it('end where the plan ends for writers that come at once, and deleting makes room', async () => {
    const { ctx, tenant, caseId, stored, leave } = await openDesk(await open());
    const content = 'あ'.repeat(3_000);
    const write = () => addNote(ctx, tenant, caseId, { content });
    const before = await stored();
    const note = await write();
    const bytes = (await stored()) - before;
    await leave(3 * bytes);
    const tries = await Promise.allSettled(Array.from({ length: 12 }, write));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(FULL);
    expect(await stored()).toBe(50 * MIB);
    await deleteNote(ctx, tenant, { caseId, noteId: note.id });
    expect(await stored()).toBeLessThan(50 * MIB - bytes + 500);
    await addNote(ctx, tenant, caseId, { content: 'short' });
  });

  it('refuse scans, keys of idempotency and boards of a full account, and nothing that makes it smaller', async () => {
    const records = await open();
    const { ctx, tenant, caseId, leave } = await openDesk(records);
    const { accountId } = tenant;
    await updateCase(ctx, tenant, caseId, { description: 'long '.repeat(99) });
    const held = holderOf(accountId);
    await takeIdempotencyKey(records, held, REQUEST);
    await leave(0);
    const scan = { accountId, plan: tenant.plan, units: 1, now: NOW, leaseMs: 1 };
    await expect(reserveScans(records, scan)).rejects.toMatchObject(FULL);
    await expect(takeIdempotencyKey(records, holderOf(accountId), REQUEST)).rejects.toMatchObject(FULL);
    const scene = { title: '', caseId: null, scene: EMPTY_SCENE };
    await expect(boards.createBoard(ctx, tenant, scene)).rejects.toMatchObject(FULL);
    // A repetition takes nothing new, and what has begun is kept.
    expect(await takeIdempotencyKey(records, holderOf(accountId, held.keyHash), REQUEST)).toBe(false);
    expect(await keepAnswer(records, held, { statusCode: 200, answer: 'x'.repeat(99), expiresAt: NOW })).toBe(true);
    await setPlan(records, accountId, 'starter');
    await reserveScans(records, scan);
    await setPlan(records, accountId, 'free');
    await expect(reserveScans(records, scan)).rejects.toMatchObject(FULL);
    await updateCase(ctx, tenant, caseId, { description: 'short' });
    await reserveScans(records, scan);
  });

  it('are counted once more by a version that counts more, and go on from there', async () => {
    const records = await open();
    const { ctx, tenant, caseId } = await openDesk(records);
    await records.updateTable('accounts').set({ stored_bytes: 7 }).execute();
    await inTransaction(records, countStoredBytes);
    await expectStoredBytesCounted(records);
    await addNote(ctx, tenant, caseId, { content: 'after it' });
    await expectStoredBytesCounted(records);
  });

  it('count every text of the records of an account that has no bound of its own', async () => {
    const records = await open();
    const uncounted = (await records.introspection.getTables()).flatMap(({ name, columns }) => {
      const isOwned = columns.some((column) => OWNERS.has(column.name));
      if (!isOwned || NOT_COUNTED[name]) return [];
      const counted = new Set(COUNTED[name]?.texts);
      const texts = columns.filter(({ dataType }) => /text|blob|bytea|json/i.test(dataType));
      return texts
        .filter((column) => !counted.has(column.name) && !SHORT.has(column.name) && !/(^|_)id$/.test(column.name))
        .map((column) => `${name}.${column.name}`);
    });
    expect(uncounted).toEqual([]);
  });

  it('lock the account first, whoever writes: a case is deleted while its parts change', async () => {
    const records = await open();
    const { ctx, tenant } = await openDesk(records);
    const { accountId } = tenant;
    for (let round = 0; round < 3; round++) {
      const { id } = await createCase(ctx, tenant, { title: 'Theft' });
      const writers = Array.from({ length: 6 }, () => addNote(ctx, tenant, id, { content: 'x' }));
      const deleted = inTransaction(records, async (transaction) => {
        await lockAccount(transaction, accountId);
        await deleteCaseRow(transaction, accountId, id);
      });
      for (const one of await Promise.allSettled([...writers, deleted]))
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 404 });
    }
  });

  it('lock the account first: scans and jobs remember the same opened addresses at once', async () => {
    const records = await open();
    const { tenant } = await openDesk(records);
    const opened = Array.from({ length: 50 }, (_, n) => ({ chain: 'bitcoin' as const, address: `address ${n}` }));
    const scans = [1, 2, 3].map((at) => saveTraced(records, tenant.accountId, opened, at));
    const jobs = [4, 5, 6].map((at) =>
      inTransaction(records, async (transaction) => {
        await lockAccount(transaction, tenant.accountId);
        await saveTraced(transaction, tenant.accountId, opened.toReversed(), at);
      }),
    );
    await Promise.all([...scans, ...jobs]);
    const read = await findRead(records, tenant.accountId, 'bitcoin', ['address 7', 'other']);
    expect([...read]).toEqual(['address 7']);
  });
});

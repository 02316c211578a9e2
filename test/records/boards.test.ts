import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import { BOARD_LIMITS, PLANS } from '../../src/plans.ts';
import { createCase, updateCase } from '../../src/questions/cases/manage-cases.ts';
import * as boards from '../../src/questions/manage-boards.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { insertVersion } from '../../src/records/board-versions.ts';
import { insertBoard, raiseVersion } from '../../src/records/boards.ts';
import { inTransaction, type Records } from '../../src/records/database/database.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const MIB = 2 ** 20;

async function openDesk(records: Records) {
  let now = NOW;
  const ctx = { records, now: () => now++ };
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  const { id: keyId } = await insertKey(records, { accountId, name: 'desk' }, NOW);
  const tenant = { accountId, keyId, planId: 'pro', plan: PLANS.pro } as const;
  const make = async () =>
    (await boards.createBoard(ctx, tenant, { title: 'Theft', caseId: null, scene: EMPTY_SCENE })).board;
  const save = (id: string, version: number) => boards.saveBoard(ctx, tenant, { id, version }, { scene: EMPTY_SCENE });
  const kept = async (id: string) =>
    (await boards.listBoardVersions(ctx, tenant, id)).versions.map(({ version }) => version);
  return { ctx, tenant, make, save, kept };
}

onBothStores('boards', (open) => {
  it('let one of those through who save the same version at once', async () => {
    const { make, save } = await openDesk(await open());
    const { id } = await make();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => save(id, 1)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 412, fields: { version: 2 } });
    }
  });

  it('keep their last 50 versions', async () => {
    const { make, save, kept } = await openDesk(await open());
    const { id } = await make();
    for (let version = 1; version < 53; version++) await save(id, version);
    expect(await kept(id)).toEqual(Array.from({ length: 50 }, (_, i) => 53 - i));
  });

  it('of a case on hold keep all their versions', async () => {
    const { ctx, tenant, make, save, kept } = await openDesk(await open());
    const [{ id }, { id: caseId }] = [await make(), await createCase(ctx, tenant, { title: 'Theft' })];
    await updateCase(ctx, tenant, caseId, { legal_hold: true });
    await boards.saveBoard(ctx, tenant, { id, version: 1 }, { caseId });
    for (let version = 2; version < 53; version++) await save(id, version);
    expect(await kept(id)).toHaveLength(52);
    await updateCase(ctx, tenant, caseId, { legal_hold: false }, { mayEndHold: true });
    await save(id, 53);
    expect(await kept(id)).toHaveLength(50);
  });

  it("keep an analyst's versions beside the many of another, and lose none to titles", async () => {
    const records = await open();
    const { ctx, tenant, make, save, kept } = await openDesk(records);
    const { accountId } = tenant;
    const { id: keyId } = await insertKey(records, { accountId, name: 'other' }, NOW);
    const { id } = await make();
    for (let version = 1; version < 10; version++) await save(id, version);
    for (let version = 10; version < 90; version++)
      await boards.saveBoard(ctx, { ...tenant, keyId }, { id, version }, { scene: EMPTY_SCENE });
    const versions = await kept(id);
    expect(versions).toHaveLength(50);
    expect(versions.slice(-11)).toEqual([51, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    for (let version = 90; version < 150; version++)
      await boards.saveBoard(ctx, { ...tenant, keyId }, { id, version }, { title: `Theft ${version}` });
    expect(await kept(id)).toEqual([150, ...versions.slice(1)]);
    const [newest] = (await boards.listBoardVersions(ctx, tenant, id)).versions;
    expect(newest).toMatchObject({ title: 'Theft 149', saved_by: 'other' });
  });

  it('take 50 MiB of an account: the oldest versions go first, the newest of a board never', async () => {
    const records = await open();
    const { ctx, tenant, make, kept } = await openDesk(records);
    const { accountId } = tenant;
    const idle = await make();
    const [first, second] = [await make(), await make()];
    // As a packed scene is kept: to pack noise takes longer than all else here.
    const scene = randomBytes(700 * 1_024);
    const keep = (transaction: Records, board_id: string, version: number) => {
      const saved = { title: 'Theft', nodes: 0, author: 'desk', saved_at: ctx.now() };
      return insertVersion(transaction, { ...saved, board_id, version, account_id: accountId, scene });
    };
    const saveLarge = (id: string, version: number) =>
      inTransaction(records, async (transaction) => {
        await raiseVersion(transaction, { id, accountId, version }, {});
        await keep(transaction, id, version + 1);
      });
    const makeLarge = () =>
      inTransaction(records, async (transaction) => {
        const board = { id: randomUUID(), account_id: accountId, case_id: null, title: 'Theft', version: 1 };
        await insertBoard(transaction, { ...board, created_at: ctx.now() }, tenant.plan.boards);
        await keep(transaction, board.id, 1);
        return board;
      });
    const held = async () => {
      const { bytes } = await records
        .selectFrom('board_versions')
        .select((eb) => eb.fn.sum<number>('bytes').as('bytes'))
        .executeTakeFirstOrThrow();
      return Number(bytes);
    };
    for (let version = 1; version <= 40; version++) {
      await saveLarge(first.id, version);
      await saveLarge(second.id, version);
    }
    expect(await held()).toBeLessThanOrEqual(BOARD_LIMITS.accountMib * MIB);
    expect(await held()).toBeGreaterThan((BOARD_LIMITS.accountMib - 1) * MIB);
    expect(await kept(idle.id)).toEqual([1]);
    const versions = await kept(first.id);
    expect([versions[0], versions.includes(1), versions.includes(40)]).toEqual([41, false, true]);
    expect(Math.abs(versions.length - (await kept(second.id)).length)).toBeLessThanOrEqual(1);
    const others = [];
    await expect(
      (async () => {
        for (;;) others.push(await makeLarge());
      })(),
    ).rejects.toThrow('Limit reached: 50 MiB of boards');
    expect(await kept(first.id)).toEqual([41]);
    expect(others.length).toBeGreaterThan(50);
  });
});

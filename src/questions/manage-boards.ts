import { randomUUID } from 'node:crypto';
import type { RecordsContext } from '../context.ts';
import { SCENE_BYTES_MAX } from '../domain/scene/bounds.ts';
import type { Scene } from '../domain/scene/scene.ts';
import { iso } from '../domain/time.ts';
import { BodyTooLargeError, InvalidInputError, PreconditionError } from '../errors.ts';
import { lockAccount, withinStorage } from '../records/accounts/accounts.ts';
import { answerWithin } from '../records/accounts/idempotency-keys.ts';
import { authorName } from '../records/accounts/people.ts';
import type { Tenant } from '../records/accounts/tenant.ts';
import { type Actor, changesOf, insertAudit } from '../records/audit/audit-log.ts';
import * as versions from '../records/board-versions.ts';
import * as boards from '../records/boards.ts';
import { findCase, refuseOnHold } from '../records/cases/cases.ts';
import { inTransaction, type Records, readerOf } from '../records/database/database.ts';
import type { ListedBoard, ListedVersion } from '../records/database/tables/boards.ts';

/** A board, and the version of it that the caller knows. */
interface KnownBoard {
  id: string;
  version: number;
}

/** One page of the account's boards, the last saved first. */
export async function listBoards(
  { records }: RecordsContext,
  { accountId }: Actor,
  { caseId, limit, offset }: { caseId?: string; limit: number; offset: number },
) {
  const found = await boards.listBoardRows(records, accountId, { caseId, limit, offset });
  return { boards: found.boards.map(boardRecord), total: found.total, limit, offset };
}

/** The board as it was saved last, its scene as JSON. Throws NotFoundError. */
export async function getBoard({ records }: RecordsContext, { accountId }: Actor, id: string) {
  const reader = readerOf(records);
  const board = await boards.findBoard(reader, accountId, id);
  const { scene } = await versions.findVersion(reader, id, board.version);
  return { board: boardRecord(board), scene: await versions.unpackScene(scene) };
}

/** The versions of a board that are kept, newest first. Throws NotFoundError. */
export async function listBoardVersions({ records }: RecordsContext, { accountId }: Tenant, id: string) {
  await boards.findBoard(readerOf(records), accountId, id);
  return { versions: (await versions.listVersionRows(records, id)).map(versionRecord) };
}

/** A board as it was. Throws NotFoundError, also for a version that is not kept any more. */
export async function getBoardVersion({ records }: RecordsContext, { accountId }: Tenant, { id, version }: KnownBoard) {
  const reader = readerOf(records);
  await boards.findBoard(reader, accountId, id);
  const row = await versions.findVersion(reader, id, version);
  return { version: versionRecord(row), scene: await versions.unpackScene(row.scene) };
}

/** Throws BodyTooLargeError, PlanError, LimitError, or NotFoundError for an unknown case. */
export async function createBoard(
  { records, now }: RecordsContext,
  tenant: Tenant,
  { title, caseId, scene }: { title: string; caseId: string | null; scene: Scene },
) {
  const { accountId, plan } = tenant;
  const packed = await pack(scene);
  const board = { id: randomUUID(), account_id: accountId, case_id: caseId, title, version: 1, created_at: now() };
  return answerWithin(records, tenant, async (transaction) => {
    await boards.insertBoard(transaction, board, plan.boards);
    await keepVersion(transaction, tenant, board, packed, board.created_at);
    const entry = { action: 'board_created', subject: board.id, detail: title } as const;
    await insertAudit(transaction, { ...tenant, ...entry, caseId }, board.created_at);
    return { board: boardRecord(await boards.findBoard(transaction, accountId, board.id)) };
  });
}

/**
 * Saves the board under the next number; what is left out stays. Without a scene its newest version gets that number, so
 * that none is lost to a title. Throws NotFoundError for an unknown board or case,
 * PreconditionError where it is not at the caller's version, InvalidInputError, BodyTooLargeError or LimitError.
 */
export async function saveBoard(
  { records, now }: RecordsContext,
  tenant: Tenant,
  { id, version }: KnownBoard,
  { title, caseId, scene }: { title?: string; caseId?: string | null; scene?: Scene },
) {
  const { accountId } = tenant;
  const at = now();
  const packed = scene && (await pack(scene));
  return withinStorage(records, accountId, async (transaction) => {
    const change = { ...(title !== undefined && { title }), ...(caseId !== undefined && { case_id: caseId }) };
    const before = await boards.findBoard(transaction, accountId, id);
    if (!scene && Object.keys(change).length === 0) throw new InvalidInputError('No fields to update');
    if (caseId !== undefined && caseId !== before.case_id) {
      await refuseBoardOnHold(transaction, accountId, before.case_id);
    }
    const isRaised = await boards.raiseVersion(transaction, { id, accountId, version }, change);
    if (!isRaised) throw await newerVersion(transaction, accountId, id);
    const next = { id, title: title ?? before.title, version: version + 1 };
    if (packed) await keepVersion(transaction, tenant, next, packed, at);
    else await versions.renumberVersion(transaction, { boardId: id, from: version, title: next.title });
    const saved = await boards.findBoard(transaction, accountId, id);
    if (Object.keys(change).length > 0) {
      const entry = { action: 'board_changed', subject: id, detail: changesOf(change, ['case_id']) } as const;
      await insertAudit(transaction, { ...tenant, ...entry, caseId: saved.case_id }, at);
    }
    return boardRecord(saved);
  });
}

/** Throws NotFoundError, or PreconditionError where it is not at the caller's version. */
export async function deleteBoard({ records, now }: RecordsContext, tenant: Tenant, known: KnownBoard): Promise<void> {
  const { accountId } = tenant;
  await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, accountId);
    const { title, case_id } = await boards.findBoard(transaction, accountId, known.id);
    await refuseBoardOnHold(transaction, accountId, case_id);
    const isDeleted = await boards.deleteBoardRow(transaction, { ...known, accountId });
    if (!isDeleted) throw await newerVersion(transaction, accountId, known.id);
    const entry = { action: 'board_deleted', subject: known.id, detail: title } as const;
    await insertAudit(transaction, { ...tenant, ...entry, caseId: case_id }, now());
  });
}

/** Throws HeldError where the case of a board is on hold. */
async function refuseBoardOnHold(records: Records, accountId: string, caseId: string | null): Promise<void> {
  if (caseId !== null) refuseOnHold(await findCase(records, accountId, caseId));
}

async function newerVersion(records: Records, accountId: string, id: string): Promise<PreconditionError> {
  const { version, author, saved_at } = await boards.findBoard(records, accountId, id);
  return new PreconditionError(`The board is at version ${version} now: load it, or keep yours as another board`, {
    version,
    saved_at: iso(saved_at),
    saved_by: author,
  });
}

async function pack(scene: Scene): Promise<{ scene: Buffer; nodes: number }> {
  const json = Buffer.from(JSON.stringify(scene));
  if (json.length > SCENE_BYTES_MAX)
    throw new BodyTooLargeError(`Scene is larger than ${SCENE_BYTES_MAX / 2 ** 20} MiB`);
  return { scene: await versions.packScene(json), nodes: scene.nodes.length };
}

async function keepVersion(
  records: Records,
  { accountId, keyId }: Tenant,
  { id, title, version }: KnownBoard & { title: string },
  { scene, nodes }: { scene: Buffer; nodes: number },
  at: number,
): Promise<void> {
  const author = await authorName(records, keyId);
  const row = { board_id: id, version, account_id: accountId, title, scene, nodes, author, saved_at: at };
  await versions.insertVersion(records, row);
}

function boardRecord({ author, saved_at, created_at, ...board }: ListedBoard) {
  return { ...board, created_at: iso(created_at), saved_at: iso(saved_at), saved_by: author };
}

function versionRecord({ version, title, nodes, author, saved_at }: ListedVersion) {
  return { version, title, nodes, saved_at: iso(saved_at), saved_by: author };
}

export interface PrintedBoards {
  shown: (Awaited<ReturnType<typeof getBoard>>['board'] & { scene: Scene })[];
  total: number;
}

/** Boards of one report: each may hold 2,000 addresses. */
const BOARDS_MAX = 10;

/** The boards of a case with their scenes, the last saved first. */
export async function listBoardsOfCase(
  ctx: RecordsContext,
  actor: Actor,
  caseId: string,
  most = BOARDS_MAX,
): Promise<PrintedBoards> {
  const { boards, total } = await listBoards(ctx, actor, { caseId, limit: most, offset: 0 });
  const shown: PrintedBoards['shown'] = [];
  for (const { id } of boards) {
    const { board, scene } = await getBoard(ctx, actor, id);
    shown.push({ ...board, scene: JSON.parse(scene.toString()) as Scene });
  }
  return { shown, total };
}

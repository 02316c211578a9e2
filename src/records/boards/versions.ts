import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Scene } from '../../domain/scene/scene.ts';
import { LimitError, NotFoundError } from '../../errors.ts';
import { BOARD_LIMITS } from '../../plans.ts';
import type { BoardVersionsTable } from '../database/board-tables.ts';
import { type Records, readerOf } from '../database/database.ts';

/** A version without its scene. */
export type BoardVersionRow = Pick<BoardVersionsTable, 'version' | 'title' | 'nodes' | 'author' | 'saved_at'>;

const MIB = 2 ** 20;
const DETAILS = ['version', 'title', 'nodes', 'author', 'saved_at'] as const;

/** A scene's JSON as it is kept. */
export function packScene(json: Buffer): Promise<Buffer> {
  return promisify(gzip)(json);
}

/** The scene that was kept so. */
export async function unpackScene(packed: Buffer): Promise<Scene> {
  return JSON.parse((await promisify(gunzip)(packed)).toString());
}

/** A version as it is kept. Throws NotFoundError for one that was never there or has gone. */
export async function findVersion(records: Records, boardId: string, version: number): Promise<BoardVersionsTable> {
  const row = await records
    .selectFrom('board_versions')
    .selectAll()
    .where('board_id', '=', boardId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return row;
}

/** The versions of a board that are kept, newest first. */
export function listVersionRows(records: Records, boardId: string): Promise<BoardVersionRow[]> {
  return readerOf(records)
    .selectFrom('board_versions')
    .select(DETAILS)
    .where('board_id', '=', boardId)
    .orderBy('version', 'desc')
    .execute();
}

/**
 * Keeps a version and removes the oldest beyond the bounds, never the newest of a board. The transaction holds the lock
 * of the account. Throws LimitError where the newest ones alone are too large.
 */
export async function insertVersion(records: Records, row: Omit<BoardVersionsTable, 'bytes'>): Promise<void> {
  await records
    .insertInto('board_versions')
    .values({ ...row, bytes: row.scene.length })
    .execute();
  await records
    .deleteFrom('board_versions')
    .where('board_id', '=', row.board_id)
    .where('version', '<=', row.version - BOARD_LIMITS.versions)
    .execute();
  await makeRoom(records, row.account_id);
}

async function makeRoom(records: Records, accountId: string): Promise<void> {
  const { bytes } = await records
    .selectFrom('board_versions')
    .select((eb) => eb.fn.sum<number>('bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  let excess = Number(bytes) - BOARD_LIMITS.accountMib * MIB;
  if (excess <= 0) return;
  const older = await records
    .selectFrom('board_versions')
    .innerJoin('boards', 'boards.id', 'board_versions.board_id')
    .select(['board_versions.board_id', 'board_versions.version', 'board_versions.bytes'])
    .where('board_versions.account_id', '=', accountId)
    .whereRef('board_versions.version', '<', 'boards.version')
    .orderBy('board_versions.saved_at')
    .orderBy('board_versions.version')
    .execute();
  for (const { board_id, version, bytes } of older) {
    if (excess <= 0) return;
    await records
      .deleteFrom('board_versions')
      .where('board_id', '=', board_id)
      .where('version', '=', version)
      .execute();
    excess -= bytes;
  }
  if (excess > 0) throw new LimitError(`${BOARD_LIMITS.accountMib} MiB of boards`);
}

import { NotFoundError, PlanLimitError } from '../errors.ts';
import { findVersion, unpackScene } from './board-versions.ts';
import { type Records, readerOf } from './database/database.ts';
import type { BoardRow, ListedBoard } from './database/tables/boards.ts';

/** Opens a board; the transaction holds the lock of the account. Throws PlanLimitError beyond those of the plan. */
export async function insertBoard(records: Records, row: BoardRow, most: number): Promise<void> {
  const held = await countBoards(records, row.account_id);
  if (held >= most) throw new PlanLimitError(`Board limit reached (${most} boards)`);
  if (row.case_id !== null) await requireCase(records, row.account_id, row.case_id);
  await records.insertInto('boards').values(row).execute();
}

/** One page of the account's boards, the last saved first, and how many there are. */
export async function listBoardRows(
  records: Records,
  accountId: string,
  { caseId, limit, offset }: { caseId?: string; limit: number; offset: number },
): Promise<{ boards: ListedBoard[]; total: number }> {
  let page = rowsOf(readerOf(records), accountId);
  if (caseId) page = page.where('boards.case_id', '=', caseId);
  const boards = await page
    .orderBy('board_versions.saved_at', 'desc')
    .orderBy('boards.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { boards, total: await countBoards(readerOf(records), accountId, caseId) };
}

/** Boards that are looked through for addresses: the last saved. */
const LOOKED_THROUGH_MAX = 50;

/** The last saved boards of the account whose picture holds one of the addresses (keys). */
export async function boardsThatShow(
  records: Records,
  accountId: string,
  keys: readonly string[],
): Promise<{ id: string; title: string }[]> {
  const { boards } = await listBoardRows(records, accountId, { limit: LOOKED_THROUGH_MAX, offset: 0 });
  const found: { id: string; title: string }[] = [];
  for (const { id, title, version } of boards) {
    // A board that was deleted meanwhile shows nothing.
    const kept = await findVersion(readerOf(records), id, version).catch(() => null);
    const json = kept && (await unpackScene(kept.scene));
    if (json && keys.some((key) => json.includes(`"${key}"`))) found.push({ id, title });
  }
  return found;
}

/** Throws NotFoundError. */
export async function findBoard(records: Records, accountId: string, id: string): Promise<ListedBoard> {
  return rowsOf(records, accountId)
    .where('boards.id', '=', id)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/**
 * Gives the board the next version; false where it is not at `version`. The transaction holds the lock of the account.
 * Throws NotFoundError.
 */
export async function raiseVersion(
  records: Records,
  { id, accountId, version }: { id: string; accountId: string; version: number },
  change: { title?: string; case_id?: string | null },
): Promise<boolean> {
  if (change.case_id) await requireCase(records, accountId, change.case_id);
  const { numUpdatedRows } = await records
    .updateTable('boards')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the board with its versions; false where it is not at `version`. */
export async function deleteBoardRow(
  records: Records,
  { id, accountId, version }: { id: string; accountId: string; version: number },
): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('boards')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Throws NotFoundError for a case that the account does not have. */
async function requireCase(records: Records, accountId: string, id: string): Promise<void> {
  const found = await records
    .selectFrom('cases')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!found) throw new NotFoundError();
}

async function countBoards(records: Records, accountId: string, caseId?: string): Promise<number> {
  let query = records
    .selectFrom('boards')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId);
  if (caseId) query = query.where('case_id', '=', caseId);
  const { count } = await query.executeTakeFirstOrThrow();
  return Number(count);
}

function rowsOf(records: Records, accountId: string) {
  return records
    .selectFrom('boards')
    .innerJoin('board_versions', (join) =>
      join.onRef('board_versions.board_id', '=', 'boards.id').onRef('board_versions.version', '=', 'boards.version'),
    )
    .select([
      'boards.id',
      'boards.case_id',
      'boards.title',
      'boards.version',
      'boards.created_at',
      'board_versions.nodes',
      'board_versions.author',
      'board_versions.saved_at',
    ])
    .where('boards.account_id', '=', accountId);
}

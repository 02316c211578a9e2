import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LimitError, NotFoundError } from '../errors.ts';
import { BOARD_LIMITS } from '../plans.ts';
import { type Records, readerOf } from './database/database.ts';
import type { BoardVersionRow, ListedVersion, NewVersion } from './database/tables/boards.ts';

const MIB = 2 ** 20;
const DETAILS = ['version', 'title', 'nodes', 'author', 'saved_at'] as const;

/** A scene's JSON as it is kept. */
export function packScene(json: Buffer): Promise<Buffer> {
  return promisify(gzip)(json);
}

/** The JSON of the scene that was kept so. */
export function unpackScene(packed: Buffer): Promise<Buffer> {
  return promisify(gunzip)(packed);
}

/** A version as it is kept. Throws NotFoundError for one that was never there or has gone. */
export async function findVersion(records: Records, boardId: string, version: number): Promise<BoardVersionRow> {
  return records
    .selectFrom('board_versions')
    .selectAll()
    .where('board_id', '=', boardId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** The versions of a board that are kept, newest first. */
export function listVersionRows(records: Records, boardId: string): Promise<ListedVersion[]> {
  return readerOf(records)
    .selectFrom('board_versions')
    .select(DETAILS)
    .where('board_id', '=', boardId)
    .orderBy('version', 'desc')
    .execute();
}

/** Lets the newest version of a board, `from`, have the next number and maybe another title: its scene is as it was. */
export async function renumberVersion(
  records: Records,
  { boardId, from, title }: { boardId: string; from: number; title: string },
): Promise<void> {
  await records
    .updateTable('board_versions')
    .set({ version: from + 1, title })
    .where('board_id', '=', boardId)
    .where('version', '=', from)
    .execute();
}

/**
 * Keeps a version and removes others beyond the bounds, as `toRemove` chooses. The transaction holds the lock of the
 * account. Throws LimitError where those that must stay are too large alone.
 */
export async function insertVersion(records: Records, row: NewVersion): Promise<void> {
  await records
    .insertInto('board_versions')
    .values({ ...row, bytes: row.scene.length })
    .execute();
  const ofBoard = await freeVersions(records).where('board_versions.board_id', '=', row.board_id).execute();
  await deleteVersions(records, toRemove(ofBoard, () => 1, ofBoard.length - BOARD_LIMITS.versions).removed);
  await makeRoom(records, row.account_id);
}

async function makeRoom(records: Records, accountId: string): Promise<void> {
  const most = BOARD_LIMITS.accountMib * MIB;
  const { bytes } = await records
    .selectFrom('board_versions')
    .select((eb) => eb.fn.sum<number>('bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(bytes) <= most) return;
  const free = await freeVersions(records).where('board_versions.account_id', '=', accountId).execute();
  const { removed, isWithin } = toRemove(free, (version) => version.bytes, Number(bytes) - most);
  if (!isWithin) throw new LimitError(`${BOARD_LIMITS.accountMib} MiB of boards`);
  await deleteVersions(records, removed);
}

interface StoredVersion extends Pick<BoardVersionRow, 'board_id' | 'version' | 'bytes' | 'author'> {
  /** Number of the board's newest version. */
  newest: number;
}

/** Oldest first; a board of a case on hold loses none. */
function freeVersions(records: Records) {
  return records
    .selectFrom('board_versions')
    .innerJoin('boards', 'boards.id', 'board_versions.board_id')
    .leftJoin('cases', 'cases.id', 'boards.case_id')
    .where((e) => e(e.fn.coalesce('cases.legal_hold', e.lit(0)), '=', 0))
    .select(['board_id', 'board_versions.version', 'bytes', 'author', 'boards.version as newest'])
    .orderBy('saved_at')
    .orderBy('board_versions.version');
}

/**
 * Chooses what has to go: the oldest version of the author who holds most, again and again, never the newest of a board.
 * The savings of one author then never push out those of another who has fewer.
 */
function toRemove(
  oldestFirst: readonly StoredVersion[],
  weigh: (version: StoredVersion) => number,
  excess: number,
): { removed: StoredVersion[]; isWithin: boolean } {
  const authors = new Map<string, { weight: number; older: StoredVersion[] }>();
  for (const version of oldestFirst) {
    const own = authors.get(version.author) ?? { weight: 0, older: [] };
    authors.set(version.author, own);
    own.weight += weigh(version);
    if (version.version < version.newest) own.older.push(version);
  }
  const removed: StoredVersion[] = [];
  const line = [...authors.values()].map((own) => ({ ...own, older: own.older.reverse() }));
  let left = excess;
  while (left > 0) {
    const holders = line.filter(({ older }) => older.length > 0).sort((a, b) => b.weight - a.weight);
    const oldest = holders[0]?.older.pop();
    if (!oldest) break;
    holders[0]!.weight -= weigh(oldest);
    left -= weigh(oldest);
    removed.push(oldest);
  }
  return { removed, isWithin: left <= 0 };
}

async function deleteVersions(records: Records, versions: readonly StoredVersion[]): Promise<void> {
  for (const { board_id, version } of versions) {
    await records
      .deleteFrom('board_versions')
      .where('board_id', '=', board_id)
      .where('version', '=', version)
      .execute();
  }
}

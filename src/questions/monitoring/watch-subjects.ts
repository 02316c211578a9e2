import { canonicalAddress } from '../../domain/address/address.ts';
import { addressKey, parseAddressKey } from '../../domain/address/address-key.ts';
import type { ChainAddress } from '../../domain/chain.ts';
import type { Scene } from '../../domain/scene/scene.ts';
import { InvalidInputError } from '../../errors.ts';
import { withinStorage } from '../../records/accounts/accounts.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import { findVersion, unpackScene } from '../../records/board-versions.ts';
import { findBoard } from '../../records/boards.ts';
import { listCaseAddresses } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { findItemOf } from '../../records/monitoring/watchlist.ts';
import type { ScanStores } from './daily-scans.ts';
import { addItem, firstScanAt } from './manage-watchlist.ts';

interface SubjectsWatched {
  /** Addresses that are watched from now on, and those that were before. */
  added: number;
  already_watched: number;
  /** Number of both that are listened to, as far as the plan has room. */
  live: number;
}

const LABEL_MAX = 200;

/**
 * Watches what moves at the subjects of a case: all of them, or, where the plan has no room, none. Throws NotFoundError,
 * InvalidInputError where it has none, PlanError.
 */
export async function watchCase(stores: ScanStores, tenant: Actor & Payer, caseId: string): Promise<SubjectsWatched> {
  const { records } = stores;
  const { title } = await findCase(records, tenant.accountId, caseId);
  const listed = await listCaseAddresses(records, tenant.accountId, caseId);
  const subjects = listed.filter(({ role }) => role === 'subject');
  return watchAll(stores, tenant, subjects, `Case: ${title}`);
}

/**
 * Watches what moves at the subjects of a board: the address where it began, that whose money it follows, and those with a note or a
 * colour of the analyst. Throws as `watchCase` does.
 */
export async function watchBoard(stores: ScanStores, tenant: Actor & Payer, boardId: string): Promise<SubjectsWatched> {
  const board = await findBoard(stores.records, tenant.accountId, boardId);
  const { scene: packed } = await findVersion(stores.records, boardId, board.version);
  const { subject, followed, nodes } = JSON.parse(String(await unpackScene(packed))) as Scene;
  const isSubject = (key: string) => key === subject || key === followed?.key;
  const marked = nodes.filter(
    ({ key, note, colour, transaction }) => !transaction && (isSubject(key) || note !== null || colour !== null),
  );
  // A scene comes from outside, and may hold anything.
  const subjects = marked.map(({ chain, address: given }) => {
    const address = canonicalAddress(chain, given)?.address;
    if (address === undefined) throw new InvalidInputError(`No address of ${chain}: ${given}`);
    return { chain, address };
  });
  return watchAll(stores, tenant, subjects, `Board: ${board.title}`);
}

async function watchAll(
  stores: ScanStores,
  tenant: Actor & Payer,
  subjects: readonly ChainAddress[],
  label: string,
): Promise<SubjectsWatched> {
  const keys = new Set(subjects.map(({ chain, address }) => addressKey(chain, address)));
  if (keys.size === 0) throw new InvalidInputError('There is no subject to watch');
  const times = { now: stores.now(), nextScanAt: await firstScanAt(stores, tenant) };
  return withinStorage(stores.records, tenant.accountId, async (records) => {
    const watched = { added: 0, already_watched: 0, live: 0 };
    for (const key of keys) {
      const subject = parseAddressKey(key);
      const known = await findItemOf(records, tenant.accountId, subject);
      watched[known ? 'already_watched' : 'added'] += 1;
      const named = { label: label.slice(0, LABEL_MAX), follow_mode_enabled: false, follow_depth: 1 };
      watched.live += (known ?? (await addItem(records, tenant, { ...subject, ...named }, times))).live;
    }
    return watched;
  });
}

import { sql } from 'kysely';
import type { Heard, Touch } from '../../chains/live/port.ts';
import type { Chain, ChainAddress } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import type { ListenerState } from '../../domain/watch.ts';
import { PLANS } from '../../plans.ts';
import { type ChangeOf, chunksOf, inTransaction, type Records } from '../database/database.ts';
import type { LiveAddressRow, LiveListenerRow, TouchRow, WatchlistRow } from '../database/tables/monitoring.ts';

/**
 * Milliseconds between two scans of an address that touches cause.
 *
 * @internal Read by a test.
 */
export const LIVE_SCAN_MS = MINUTE_MS;
/** The same where an address was touched that Follow Mode came by. */
const FOLLOW_SCAN_MS = 5 * MINUTE_MS;
/** Movements an hour, and hours in a row, beyond which an address goes back to its interval. */
const BUSY = { movements: 60, hours: 3 };
/** Transactions that are kept of one address; the address is looked at for more of them all the same. */
const HASHES_MAX = 200;
/** A touch is kept for so long. */
export const TOUCH_KEPT_MS = HOUR_MS;

/**
 * Items that are listened to, or would be were they not too busy: the oldest live ones of each account, as many as its plan has.
 * More are live where the plan was larger before.
 */
function itemsOfPlan(records: Records, accountId?: string) {
  const ranked = records
    .selectFrom('watchlist_items as item')
    .innerJoin('accounts', 'accounts.id', 'item.account_id')
    .select(['item.id', 'item.account_id', 'item.chain', 'item.address', 'item.too_busy_since', 'accounts.plan_id'])
    .select(sql<number>`row_number() over (partition by item.account_id order by item.created_at, item.id)`.as('place'))
    .where('item.live', '=', 1)
    .where('accounts.suspended_at', 'is', null);
  const chosen = accountId === undefined ? ranked : ranked.where('item.account_id', '=', accountId);
  return records.selectFrom(chosen.as('ranked')).where(isWithinPlan());
}

function isWithinPlan() {
  const most = sql.join(
    Object.entries(PLANS).map(([id, { liveItems, watchlistItems }]) => {
      const count = watchlistItems === -1 ? liveItems : Math.min(liveItems, watchlistItems);
      return sql`when ${sql.lit(id)} then ${sql.lit(count)}`;
    }),
    sql` `,
  );
  return sql<boolean>`place <= (case plan_id ${most} else 0 end)`;
}

/**
 * Addresses behind items that are listened to, where their Follow Mode goes on when something moves: as many of an account as its
 * plan has items, the nearest ones.
 */
function followedOfPlan(records: Records) {
  const ranked = records
    .selectFrom('discoveries as found')
    .innerJoin('watchlist_items as item', 'item.id', 'found.item_id')
    .innerJoin('accounts', 'accounts.id', 'found.account_id')
    .select(['found.item_id', 'found.chain', 'found.address', 'accounts.plan_id'])
    .select(
      sql<number>`row_number() over (partition by found.account_id order by found.hop, found.usd desc, found.id)`.as(
        'place',
      ),
    )
    .where('found.listened', '=', 1)
    .where('found.status', '=', 'active')
    .where('item.follow_mode_enabled', '=', 1)
    .where('item.id', 'in', itemsOfPlan(records).select('id').where('too_busy_since', 'is', null));
  return records.selectFrom(ranked.as('followed')).where(isWithinPlan());
}

/** The items of an account that its plan listens to. */
export async function listenedItems(records: Records, accountId: string): Promise<Set<string>> {
  const rows = await itemsOfPlan(records, accountId).select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/** Chains with an address to listen to. */
export async function chainsListened(records: Records): Promise<Chain[]> {
  const rows = await itemsOfPlan(records).select('chain').distinct().where('too_busy_since', 'is', null).execute();
  const followed = await followedOfPlan(records).select('chain').distinct().execute();
  return [...new Set([...rows, ...followed].map(({ chain }) => chain))];
}

/** The addresses of a chain to listen to, each with the mark of its listener; null where there is none yet. */
export async function liveAddresses(records: Records, chain: Chain): Promise<Map<string, string | null>> {
  const items = await itemsOfPlan(records)
    .leftJoin('live_addresses as known', (join) =>
      join.onRef('known.chain', '=', 'ranked.chain').onRef('known.address', '=', 'ranked.address'),
    )
    .select(['ranked.address', 'known.mark'])
    .distinct()
    .where('ranked.chain', '=', chain)
    .where('too_busy_since', 'is', null)
    .execute();
  const followed = await followedOfPlan(records)
    .leftJoin('live_addresses as known', (join) =>
      join.onRef('known.chain', '=', 'followed.chain').onRef('known.address', '=', 'followed.address'),
    )
    .select(['followed.address', 'known.mark'])
    .distinct()
    .where('followed.chain', '=', chain)
    .execute();
  return new Map([...items, ...followed].map(({ address, mark }) => [address, mark]));
}

/**
 * Keeps what a step heard, together with where the next one goes on: what is not kept is heard again. Each address that was
 * touched is due for a scan, a minute after its last one at the earliest. A transaction counts once, and once more when a block
 * has it.
 */
export async function keepHeard(records: Records, chain: Chain, heard: Heard, now: number): Promise<number> {
  return inTransaction(records, async (transaction) => {
    const news = await keepTouches(transaction, chain, heard.touches, now);
    const doubted = await doubtTouches(transaction, chain, heard.reorganisedFrom);
    const addresses = [...new Set([...news.keys(), ...doubted])];
    for (const address of addresses) await upsertAddress(transaction, { chain, address }, { touched_at: now });
    for (const chunk of chunksOf(addresses)) await hasten(transaction, chain, chunk, now);
    await keepMarks(transaction, chain, heard.marks);
    const state = heard.lastBlock < heard.head || heard.hasMore ? 'catching_up' : 'listening';
    const { lastBlock: last_block, head, place } = heard;
    const touches = [...news.values()].reduce((sum, count) => sum + count, 0);
    await setListener(transaction, chain, { state, reason: null, last_block, head, place }, { now, touches });
    return touches;
  });
}

/** How many touches of each address were not known. */
async function keepTouches(
  records: Records,
  chain: Chain,
  touches: readonly Touch[],
  now: number,
): Promise<Map<string, number>> {
  const news = new Map<string, number>();
  for (const [address, ofAddress] of groupBy(touches, (touch) => touch.address)) {
    const byHash = new Map(ofAddress.map((touch) => [touch.txHash ?? '', touch]));
    const known = await blocksOf(records, chain, address);
    // What was heard before it was in a block is news again with its block.
    const isNews = (hash: string, { block }: Touch) => !known.has(hash) || (block !== null && known.get(hash) === null);
    const hashes = [...byHash].filter(([hash, touch]) => hash === '' || isNews(hash, touch));
    if (hashes.length === 0) continue;
    news.set(address, hashes.length);
    const kept = hashes.slice(0, Math.max(1, HASHES_MAX - known.size));
    const rows = kept.map(([tx_hash, { block }]) => ({ chain, address, tx_hash, block, heard_at: now, doubted: 0 }));
    await records
      .insertInto('touches')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['chain', 'address', 'tx_hash'])
          .doUpdateSet((e) => ({ heard_at: e.ref('excluded.heard_at'), block: e.ref('excluded.block') })),
      )
      .execute();
  }
  return news;
}

/** The blocks of what was heard, by transaction; null where none was stated. */
async function blocksOf(records: Records, chain: Chain, address: string): Promise<Map<string, number | null>> {
  const rows = await records
    .selectFrom('touches')
    .select(['tx_hash', 'block'])
    .where('chain', '=', chain)
    .where('address', '=', address)
    .execute();
  return new Map(rows.map(({ tx_hash, block }) => [tx_hash, block]));
}

/** Marks what was heard of blocks that the chain no longer has. Returns their addresses. */
async function doubtTouches(records: Records, chain: Chain, from: number | null): Promise<string[]> {
  if (from === null) return [];
  const doubted = await records
    .updateTable('touches')
    .set({ doubted: 1 })
    .where('chain', '=', chain)
    .where('block', '>=', from)
    .returning('address')
    .execute();
  return doubted.map(({ address }) => address);
}

async function upsertAddress(
  records: Records,
  { chain, address }: ChainAddress,
  values: ChangeOf<LiveAddressRow, 'chain' | 'address'>,
): Promise<void> {
  const blank = { mark: null, touched_at: null };
  await records
    .insertInto('live_addresses')
    .values({ chain, address, ...blank, ...values })
    .onConflict((conflict) => conflict.columns(['chain', 'address']).doUpdateSet(values))
    .execute();
}

async function keepMarks(records: Records, chain: Chain, marks: ReadonlyMap<string, string>): Promise<void> {
  for (const [address, mark] of marks) await upsertAddress(records, { chain, address }, { mark });
}

/**
 * Ends listening for an item at which more moved, in each of the last hours, than a scan a minute is of use for. Only what counts
 * does: dust and worthless tokens come from anyone.
 */
export async function endWhereBusy(
  records: Records,
  { id, listened_since }: { id: string; listened_since: number | null },
  now: number,
): Promise<void> {
  for (let hour = 0; hour < BUSY.hours; hour++) {
    const { count } = await records
      .selectFrom('movements')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('item_id', '=', id)
      .where('counts', '=', 1)
      .where('stage', '!=', 'reorganised')
      .where('at', '<=', now - hour * HOUR_MS)
      .where('at', '>', Math.max(now - (hour + 1) * HOUR_MS, (listened_since ?? now) - 1))
      .executeTakeFirstOrThrow();
    if (Number(count) <= BUSY.movements) return;
  }
  await records
    .updateTable('watchlist_items')
    .set({ too_busy_since: now })
    .where('id', '=', id)
    .where('live', '=', 1)
    .where('too_busy_since', 'is', null)
    .execute();
}

/** When an address that was touched is scanned next. */
const dueAfterLast = (now: number, everyMs: number) => {
  const last = sql`(case when coalesce(taken_at, 0) > coalesce(last_scanned_at, 0) then coalesce(taken_at, 0)
    else coalesce(last_scanned_at, 0) end)`;
  return sql<number>`(case when ${last} + ${everyMs} > ${now} then ${last} + ${everyMs} else ${now} end)`;
};

/** Makes items due whose address was touched, and items whose Follow Mode came by one that was. */
async function hasten(records: Records, chain: Chain, addresses: readonly string[], now: number): Promise<void> {
  const due = { own: dueAfterLast(now, LIVE_SCAN_MS), followed: dueAfterLast(now, FOLLOW_SCAN_MS) };
  await records
    .updateTable('watchlist_items')
    .set({ next_scan_at: due.own })
    .where('chain', '=', chain)
    .where('address', 'in', addresses)
    .where('next_scan_at', '>', due.own)
    .where('id', 'in', itemsOfPlan(records).select('id').where('too_busy_since', 'is', null))
    .execute();
  const followed = followedOfPlan(records).where('chain', '=', chain).where('address', 'in', addresses);
  await records
    .updateTable('watchlist_items')
    .set({ next_scan_at: due.followed })
    .where('id', 'in', followed.select('item_id'))
    .where('next_scan_at', '>', due.followed)
    .execute();
}

/** When something was last heard of an address that Follow Mode listens to for an item; null where nothing was within the hour. */
export async function followTouchedAt(records: Records, itemId: string): Promise<number | null> {
  const row = await records
    .selectFrom('touches')
    .innerJoin('discoveries as found', (join) =>
      join.onRef('found.chain', '=', 'touches.chain').onRef('found.address', '=', 'touches.address'),
    )
    .select((e) => e.fn.max('touches.heard_at').as('at'))
    .where('found.item_id', '=', itemId)
    .where('found.listened', '=', 1)
    .executeTakeFirst();
  return row?.at == null ? null : Number(row.at);
}

/**
 * Puts an item off after a scan that began at `startedAt`, in a minute where its source lacked what was heard. What touches
 * said meanwhile stays.
 */
export function putOffScan(
  records: Records,
  id: string,
  { startedAt, nextScanAt, isLate }: { startedAt: number; nextScanAt: number; isLate: boolean },
): Promise<WatchlistRow> {
  const next = isLate ? Math.min(nextScanAt, startedAt + LIVE_SCAN_MS) : nextScanAt;
  return records
    .updateTable('watchlist_items')
    .set({
      next_scan_at: sql<number>`(case when live = 1 and next_scan_at > ${startedAt} and next_scan_at < ${next}
        then next_scan_at else ${next} end)`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Reads what was heard of an address since a moment, newest first. */
export function touchesOf(
  records: Records,
  { chain, address, since, limit }: { chain: Chain; address: string; since: number; limit: number },
): Promise<TouchRow[]> {
  return records
    .selectFrom('touches')
    .selectAll()
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('heard_at', '>=', since)
    .orderBy('heard_at', 'desc')
    .orderBy('tx_hash')
    .limit(limit)
    .execute();
}

/** Takes the doubt from touches whose transactions were asked for again. */
export async function confirmTouches(
  records: Records,
  { chain, address }: ChainAddress,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  await records
    .updateTable('touches')
    .set({ doubted: 0 })
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('tx_hash', 'in', hashes)
    .execute();
}

/** Says how the listener of a chain is, and what it heard since it last did. */
export async function setListener(
  records: Records,
  chain: Chain,
  listener: { state: ListenerState; reason: string | null } & ChangeOf<LiveListenerRow, 'chain'>,
  { now, touches = 0 }: { now: number; touches?: number },
): Promise<void> {
  await records
    .insertInto('live_listeners')
    .values({
      chain,
      place: null,
      last_block: null,
      head: null,
      scans: 0,
      since: now,
      touches,
      checked_at: now,
      ...listener,
    })
    .onConflict((conflict) =>
      conflict.column('chain').doUpdateSet((e) => ({
        ...listener,
        checked_at: now,
        since: sql<number>`case when live_listeners.state = ${listener.state} then live_listeners.since else ${now} end`,
        touches: e('live_listeners.touches', '+', touches),
      })),
    )
    .execute();
}

/** Counts a scan that touches caused; a recorded one counts for no limit of the day. */
export async function countLiveScan(records: Records, chain: Chain, scanId: string | null): Promise<void> {
  if (scanId !== null) await records.updateTable('scans').set({ touched: 1 }).where('id', '=', scanId).execute();
  await records
    .updateTable('live_listeners')
    .set((e) => ({ scans: e('scans', '+', 1) }))
    .where('chain', '=', chain)
    .execute();
}

export function listListeners(records: Records): Promise<LiveListenerRow[]> {
  return records.selectFrom('live_listeners').selectAll().orderBy('chain').execute();
}

/** Reads what listeners know of these addresses, by chain and address. */
export async function findLiveAddresses(
  records: Records,
  items: readonly ChainAddress[],
): Promise<Map<string, LiveAddressRow>> {
  const found = new Map<string, LiveAddressRow>();
  for (const chunk of chunksOf([...new Set(items.map(({ address }) => address))])) {
    const rows = await records.selectFrom('live_addresses').selectAll().where('address', 'in', chunk).execute();
    for (const row of rows) found.set(`${row.chain} ${row.address}`, row);
  }
  return found;
}

/**
 * Live items of which their owner was last heard something else: those of listened chains that are listened to, and those that
 * are not, because of their plan, of all that moves there, or of their chain.
 */
export function itemsToSay(
  records: Records,
  { heard, silent }: { heard: readonly Chain[]; silent: readonly Chain[] },
  limit: number,
): Promise<WatchlistRow[]> {
  const inPlan = itemsOfPlan(records).select('id').where('too_busy_since', 'is', null);
  return records
    .selectFrom('watchlist_items')
    .selectAll()
    .where('live', '=', 1)
    .where(({ or, and, not, eb }) => {
      const isBegun = and([
        eb('chain', 'in', heard),
        eb('id', 'in', inPlan),
        eb('live_said', 'is distinct from', 'on'),
      ]);
      const isEnded = and([or([eb('chain', 'in', silent), not(eb('id', 'in', inPlan))]), eb('live_said', '=', 'on')]);
      return or([isBegun, isEnded]);
    })
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Remembers what the owner of an item was heard of its live watch; false where another process said it meanwhile. */
export async function keepSaid(
  records: Records,
  { id, live_said: before }: { id: string; live_said: 'on' | 'off' | null },
  said: 'on' | 'off',
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('watchlist_items')
    .set({ live_said: said, live_said_at: now })
    .where('id', '=', id)
    .where('live', '=', 1)
    .where('live_said', 'is not distinct from', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes what is older than its use, and marks of addresses that are not live. */
export async function deleteOldTouches(records: Records, now: number): Promise<void> {
  const before = now - TOUCH_KEPT_MS;
  await records.deleteFrom('touches').where('heard_at', '<', before).execute();
  await records
    .deleteFrom('live_addresses')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('watchlist_items as item')
            .select('item.id')
            .whereRef('item.chain', '=', 'live_addresses.chain')
            .whereRef('item.address', '=', 'live_addresses.address')
            .where('item.live', '=', 1),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('discoveries as found')
            .select('found.id')
            .whereRef('found.chain', '=', 'live_addresses.chain')
            .whereRef('found.address', '=', 'live_addresses.address')
            .where('found.listened', '=', 1),
        ),
      ),
    )
    .execute();
}

import { sql } from 'kysely';
import { type Chain, EVM_CHAINS } from '../../domain/chain.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { PLANS, type PlanId } from '../../plans.ts';
import { isServed } from '../accounts/accounts.ts';
import { chunksOf, inTransaction, type Records } from '../database/database.ts';
import type { WatchlistRow } from '../database/tables/monitoring.ts';
import { holdName } from '../dialect.ts';

/** Takes an item until `busyUntil`; undefined while somebody else holds it. */
export function takeItem(
  records: Records,
  id: string,
  now: number,
  busyUntil: number,
): Promise<WatchlistRow | undefined> {
  return records
    .updateTable('watchlist_items')
    .set({ busy_until: busyUntil })
    .where('id', '=', id)
    .where('busy_until', '<=', now)
    .returningAll()
    .executeTakeFirst();
}

/** Holds a taken item until another moment, 0 to give it back with its work done; false when it was lost or deleted. */
export async function holdItem(records: Records, id: string, heldUntil: number, busyUntil: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('watchlist_items')
    .set({ busy_until: busyUntil, ...(busyUntil === 0 ? { lost: 0 } : {}) })
    .where('id', '=', id)
    .where('busy_until', '=', heldUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Its holder is gone and gave nothing back: the process ended while it worked on the item. */
const isLost = (now: number) => sql<boolean>`(busy_until > 0 and busy_until <= ${now})`;

/** Free for a worker; an item that was lost before and is lost again may be what ends the process, and waits for a rescan by hand. */
const isFree = (now: number) => sql<boolean>`busy_until <= ${now} and (busy_until = 0 or lost = 0)`;

/** When an item is due; at once where its money is to be followed. In the words of the indexes. */
const dueAt = sql<number>`(case when walk_due = 1 then 0 else next_scan_at end)`;

/**
 * Takes a due item of these chains until `busyUntil`; undefined if there is none. The account with the fewest items
 * under way comes first, then the one that was served longest ago; of an account, the item that is longest due. Claims
 * go one after another, so nobody else gets the same item.
 */
export function claimItem(
  records: Records,
  chains: readonly Chain[],
  now: number,
  busyUntil: number,
): Promise<WatchlistRow | undefined> {
  return inTransaction(records, async (transaction) => {
    if (!(await isAnyDue(transaction, chains, now))) return undefined;
    await holdName(transaction, 'claim item');
    return (
      transaction
        .updateTable('watchlist_items')
        .set({
          busy_until: busyUntil,
          taken_at: now,
          lost: sql<number>`lost + case when ${isLost(now)} then 1 else 0 end`,
        })
        .where('id', '=', nextItem(chains, now))
        // PostgreSQL checks this once more where a rescan by hand took the item meanwhile.
        .where(isFree(now))
        .returningAll()
        .executeTakeFirst()
    );
  });
}

/** Marks items as failing that ended the process twice in a row; those that were not yet. */
export function setItemsAside(records: Records, now: number) {
  return records
    .updateTable('watchlist_items')
    .set({ failing_since: now })
    .where(isLost(now))
    .where('lost', '>', 0)
    .where('failing_since', 'is', null)
    .returning('id')
    .execute();
}

/** One step through an index for each chain, however many accounts watch. */
async function isAnyDue(records: Records, chains: readonly Chain[], now: number): Promise<boolean> {
  const items = records.selectFrom('watchlist_items').select('id').where('chain', 'in', chains);
  const due = items.where(dueAt, '<=', now).where(isFree(now)).where(isServed('account_id')).limit(1);
  return (await due.executeTakeFirst()) !== undefined;
}

/** Steps through an index from account to account: the cost grows with the accounts that watch, not with their items. */
function nextItem(chains: readonly Chain[], now: number) {
  const listed = sql.join(chains.map((chain) => sql.lit(chain)));
  const rows = sql.join(chains.map((chain) => sql`(${sql.lit(chain)})`));
  const firstAccount = (turn: 'chains' | 'watching', beyond = sql``) =>
    sql`select account_id from watchlist_items where chain = ${sql.ref(`${turn}.chain`)} ${beyond}
      order by account_id, ${dueAt} limit 1`;
  const freeOf = (turn: 'watching' | 'next') =>
    sql`from watchlist_items where chain = ${sql.ref(`${turn}.chain`)} and account_id = ${sql.ref(`${turn}.account_id`)}
      and ${isFree(now)}`;
  return sql<string>`(
    with recursive chains (chain) as (values ${rows}),
    watching (chain, account_id) as (
      select chain, (${firstAccount('chains')}) from chains
      union all
      select chain, (${firstAccount('watching', sql`and account_id > watching.account_id`)}) from watching
      where account_id is not null
    ),
    running as (
      select account_id, count(*) as items from watchlist_items
      where busy_until > 0 and busy_until > ${now} and chain in (${listed})
      group by account_id
    ),
    due as materialized (
      select chain, account_id, (select ${dueAt} ${freeOf('watching')} order by ${dueAt} limit 1) as due_at
      from watching where account_id is not null and ${isServed('account_id')}
    ),
    next as (
      select due.chain, due.account_id, due.due_at from due left join running on running.account_id = due.account_id
      where due.due_at <= ${now}
      order by coalesce(running.items, 0), coalesce((
        select max(taken_at) from watchlist_items
        where taken_at is not null and taken_at <= ${now} and account_id = due.account_id
      ), 0), due.due_at limit 1
    )
    select (select id ${freeOf('next')} and ${dueAt} = next.due_at limit 1) from next)`;
}

/** Milliseconds by which a holder's clock may be ahead. */
const CLOCKS_DIFFER_MS = 1_000;
/** The longest that an item is held at once, until its holder prolongs it. */
export const HOLD_MS = MINUTE_MS;

/**
 * Makes items due after their plan's interval at most, whatever a clock that was ahead wrote; a first scan may wait for
 * the next day. How many it changed.
 */
export async function bringItemsForward(records: Records, now: number): Promise<number> {
  let changed = 0n;
  for (const [planId, { rescanMinutes }] of Object.entries(PLANS)) {
    const dueMax = now + rescanMinutes * MINUTE_MS;
    const items = records
      .updateTable('watchlist_items')
      .set({ next_scan_at: dueMax })
      .where('next_scan_at', '>', dueMax)
      .where((e) => e.or([e('last_scanned_at', 'is not', null), e('next_scan_at', '>', now + DAY_MS)]))
      .where('account_id', 'in', (e) =>
        e
          .selectFrom('accounts')
          .select('id')
          .where('plan_id', '=', planId as PlanId),
      );
    changed += (await items.executeTakeFirst()).numUpdatedRows;
  }
  const held = records.updateTable('watchlist_items').set({ busy_until: now + HOLD_MS });
  changed += (await held.where('busy_until', '>', now + HOLD_MS + CLOCKS_DIFFER_MS).executeTakeFirst()).numUpdatedRows;
  return Number(changed);
}

/** Items that wait for their next scan and have a label that changed since shortly before the last one, or their beginning. */
export function itemsWithChangedLabels(records: Records, now: number, marginMs: number): Promise<WatchlistRow[]> {
  return records
    .selectFrom('watchlist_items')
    .selectAll()
    .where('next_scan_at', '>', now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('labels')
          .select('labels.address')
          .whereRef('labels.address', '=', 'watchlist_items.address')
          .where((e) => {
            const seenAt = e.fn.coalesce('watchlist_items.last_scanned_at', 'watchlist_items.created_at');
            return e(e('labels.changed_at', '+', marginMs), '>', seenAt);
          })
          .where((e) =>
            e.or([
              e('labels.chain', '=', e.ref('watchlist_items.chain')),
              e.and([e('labels.chain', '=', 'evm'), e('watchlist_items.chain', 'in', EVM_CHAINS)]),
            ]),
          ),
      ),
    )
    .execute();
}

export type WaitingItem = Pick<WatchlistRow, 'id' | 'chain' | 'address' | 'label_state'>;

/** Items that wait for their next scan at one of these addresses, on whichever chain. */
export async function waitingItemsAt(
  records: Records,
  now: number,
  addresses: ReadonlySet<string>,
): Promise<WaitingItem[]> {
  if (addresses.size === 0) return [];
  const columns = ['id', 'chain', 'address', 'label_state'] as const;
  const waiting = records.selectFrom('watchlist_items').select(columns).where('next_scan_at', '>', now);
  // One pass: the index begins with the account.
  return (await waiting.execute()).filter(({ address }) => addresses.has(address));
}

/** Makes items due now; how many were not yet. */
export async function hastenItems(records: Records, ids: readonly string[], now: number): Promise<number> {
  let hastened = 0n;
  for (const chunk of chunksOf(ids)) {
    const items = records.updateTable('watchlist_items').set({ next_scan_at: now }).where('id', 'in', chunk);
    hastened += (await items.where('next_scan_at', '>', now).executeTakeFirst()).numUpdatedRows;
  }
  return Number(hastened);
}

/** All watched items, those that are due and wait, and those whose scans fail. */
export async function countWatchedItems(
  records: Records,
  now: number,
): Promise<{ all: number; due: number; failing: number }> {
  const count = async (which: 'all' | 'due' | 'failing') => {
    const items = records.selectFrom('watchlist_items').select((e) => e.fn.countAll<number>().as('count'));
    const chosen = {
      all: items,
      due: items.where('next_scan_at', '<=', now).where(isFree(now)),
      failing: items.where('failing_since', 'is not', null),
    }[which];
    return Number((await chosen.executeTakeFirstOrThrow()).count);
  };
  return { all: await count('all'), due: await count('due'), failing: await count('failing') };
}

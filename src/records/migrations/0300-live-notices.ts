import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** What the owner of an item last heard of its live watch, `on` or `off`, and when. */
const SAID = [
  'alter table watchlist_items add column live_said text',
  'alter table watchlist_items add column live_said_at bigint',
];

/** Movements of before count for no busy hour: whether they were dust was not kept. */
const COUNTS = ['alter table movements add column counts integer default 0 not null'];

/** Hours of touches, which anyone could fill. */
const HOURS = [
  'alter table live_addresses drop column hour',
  'alter table live_addresses drop column touches',
  'alter table live_addresses drop column busy_hours',
];

/** Discoveries that are listened to: where the walk goes on when the money does. */
const FOLLOWED = [
  'alter table discoveries add column listened integer default 0 not null',
  'create index discoveries_listened on discoveries (chain, address) where listened = 1',
];

/** Counts what moved, not what was heard, for how busy an address is, and lets owners hear when live watch ends and begins. */
export async function addLiveNotices(db: AnyStore): Promise<void> {
  for (const statement of [...SAID, ...COUNTS, ...HOURS, ...FOLLOWED]) await sql.raw(statement).execute(db);
}

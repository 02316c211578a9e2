import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Which addresses a scan met: a changed label of others says nothing of its level. */
export async function addMetAddresses(db: AnyStore): Promise<void> {
  await sql.raw('alter table scans add column met text').execute(db);
}

import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  'alter table cases add column legal_hold integer not null default 0',
  'create index case_addresses_address on case_addresses (address, chain)',
  `create table case_citations (
    scan_id text not null, case_id text not null references cases (id) on delete cascade,
    constraint case_citations_key primary key (scan_id, case_id))`,
  'create index case_citations_case on case_citations (case_id)',
  `insert into case_citations (scan_id, case_id)
    select distinct cited.id, moments.case_id
    from (select case_id, created_at from report_packages
      union select case_id, created_at from case_notes where event like '{"kind":"report_downloaded"%') as moments
    join cases on cases.id = moments.case_id
    join case_addresses held on held.case_id = cases.id
    join scans cited on cited.id = (
      select newest.id from scans newest
      where newest.account_id = cases.account_id and newest.chain = held.chain and newest.address = held.address
        and newest.created_at <= moments.created_at
      order by newest.created_at desc, newest.id desc limit 1)`,
  'alter table scans add column repeats integer not null default 0',
  'create index scans_repeats on scans (created_at, id) where repeats = 1',
];

/**
 * Cases on hold, the scans that reports and packages cite, and rescans that say what the one before said. What earlier
 * reports cited follows from their times.
 */
export async function addKeeping(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

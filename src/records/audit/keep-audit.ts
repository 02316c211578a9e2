import type { Selectable } from 'kysely';
import { inTransaction, type Records } from '../database/database.ts';
import type { AuditChainsTable } from '../database/tables/events.ts';
import type { AuditRow } from './audit-log.ts';
import { hashEntry } from './chain.ts';

type AuditChain = Selectable<AuditChainsTable>;

const PAGE = 1_000;
/** Deleted from one chain in one transaction: its account waits meanwhile. */
const DELETED_AT_ONCE = 5_000;

/** All chains, in order of their names. */
export function listChains(records: Records): Promise<AuditChain[]> {
  return records.selectFrom('audit_chains').selectAll().orderBy('chain').execute();
}

/** The entries of a chain in their order, read a page at a time. */
export async function* readChain(records: Records, chain: string, afterSeq = 0): AsyncGenerator<AuditRow> {
  for (let last = afterSeq; ; ) {
    const rows = await records
      .selectFrom('audit_log')
      .selectAll()
      .where('chain', '=', chain)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.seq;
  }
}

export interface VerifiedChain {
  chain: string;
  /** Entries that were read. */
  entries: number;
  /** Hash of the newest entry; keep it elsewhere to prove later that nothing before it changed. */
  hash: string;
  /** Null where the chain holds. */
  problem: string | null;
}

/** Follows a chain from its anchor to its end and says where it breaks first. */
export async function verifyChain(records: Records, chain: string): Promise<VerifiedChain> {
  // Entries that are added meanwhile are left for the next time.
  const { seq, hash, anchor_seq, anchor_hash } = await records
    .selectFrom('audit_chains')
    .selectAll()
    .where('chain', '=', chain)
    .executeTakeFirstOrThrow();
  let last = { seq: anchor_seq, hash: anchor_hash };
  let entries = 0;
  const broken = (problem: string) => ({ chain, entries, hash: last.hash, problem });
  for await (const row of readChain(records, chain, anchor_seq)) {
    if (row.seq > seq) break;
    if (row.seq !== last.seq + 1) return broken(`entry ${last.seq + 1} is missing`);
    if (row.hash !== hashEntry(last.hash, row)) return broken(`entry ${row.seq} was changed`);
    last = row;
    entries++;
  }
  if (last.seq !== seq) return broken(`entry ${last.seq + 1} is missing`);
  if (last.hash !== hash) return broken('the end of the chain was changed');
  return { chain, entries, hash, problem: null };
}

/** Deletes entries from before, and keeps the hash of the last one as the anchor; the number of deleted entries. */
export async function deleteOldAudit(records: Records, before: number): Promise<number> {
  await records.deleteFrom('sign_in_failures').where('minute', '<', before).execute();
  let deleted = 0;
  for (const { chain } of await listChains(records)) {
    for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE; deleted += count) {
      count = await deleteOldEntries(records, chain, before);
    }
  }
  return deleted;
}

/** Only what comes before the first entry that is young enough, whatever the clocks said: a chain has no gaps. */
function deleteOldEntries(records: Records, chain: string, before: number): Promise<number> {
  return inTransaction(records, async (transaction) => {
    const oldest = await transaction
      .selectFrom('audit_log')
      .select(['seq', 'at', 'hash'])
      .where('chain', '=', chain)
      .orderBy('seq')
      .limit(DELETED_AT_ONCE)
      .execute();
    const young = oldest.findIndex(({ at }) => at >= before);
    const old = young === -1 ? oldest : oldest.slice(0, young);
    const last = old.at(-1);
    if (!last) return 0;
    await transaction
      .updateTable('audit_chains')
      .set({ anchor_seq: last.seq, anchor_hash: last.hash })
      .where('chain', '=', chain)
      .execute();
    await transaction.deleteFrom('audit_log').where('chain', '=', chain).where('seq', '<=', last.seq).execute();
    return old.length;
  });
}

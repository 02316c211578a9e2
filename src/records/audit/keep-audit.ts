import { HOUSE_AUTHORS } from '../../domain/account/house-authors.ts';
import { inTransaction, type Records, readerOf } from '../database/database.ts';
import type { AuditRow } from '../database/tables/events.ts';
import { insertAudit } from './audit-log.ts';
import { FIRST_HASH, hashEntry, OPERATOR_CHAIN } from './chain.ts';

const PAGE = 1_000;
/** Deleted from one chain in one transaction: its account waits meanwhile. */
const DELETED_AT_ONCE = 5_000;

/** Names of all chains, in their order: of those that have an end or an entry. */
export async function listChains(records: Records): Promise<string[]> {
  const rows = await records
    .selectFrom('audit_chains')
    .select('chain')
    .union(records.selectFrom('audit_log').select('chain'))
    .orderBy('chain')
    .execute();
  return rows.map(({ chain }) => chain);
}

/** All entries that the store has under the chain's name, in their order, read a page at a time. */
export async function* readChain(records: Records, chain: string): AsyncGenerator<AuditRow> {
  for (let last: number | null = null; ; ) {
    let page = records.selectFrom('audit_log').selectAll().where('chain', '=', chain);
    if (last !== null) page = page.where('seq', '>', last);
    const rows: AuditRow[] = await page.orderBy('seq').limit(PAGE).execute();
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
export function verifyChain(records: Records, chain: string): Promise<VerifiedChain> {
  // One state of the store: what is added or deleted meanwhile is left for the next time.
  const snapshot = readerOf(records).transaction().setIsolationLevel('repeatable read');
  return snapshot.execute((state) => followChain(state, chain));
}

async function followChain(records: Records, chain: string): Promise<VerifiedChain> {
  const end = await records.selectFrom('audit_chains').selectAll().where('chain', '=', chain).executeTakeFirst();
  if (!end) return { chain, entries: 0, hash: FIRST_HASH, problem: 'the chain is missing' };
  const { seq, hash, anchor_seq, anchor_hash } = end;
  let last = { seq: anchor_seq, hash: anchor_hash };
  let entries = 0;
  let isAnchorLogged = anchor_seq === 0;
  const broken = (problem: string) => ({ chain, entries, hash: last.hash, problem });
  for await (const row of readChain(records, chain)) {
    if (row.seq <= anchor_seq || row.seq > seq) return broken(`entry ${row.seq} was added from outside`);
    if (row.seq !== last.seq + 1) return broken(`entry ${last.seq + 1} is missing`);
    if (row.hash !== hashEntry(last.hash, row)) return broken(`entry ${row.seq} was changed`);
    isAnchorLogged ||= row.action === 'log_shortened' && row.detail === anchor_hash;
    last = row;
    entries++;
  }
  if (last.seq !== seq) return broken(`entry ${last.seq + 1} is missing`);
  if (last.hash !== hash) return broken('the end of the chain was changed');
  return isAnchorLogged ? { chain, entries, hash, problem: null } : broken(`entries up to ${anchor_seq} are missing`);
}

/** Deletes chains that requests which were under way began again after their account was erased. */
async function deleteErased(records: Records): Promise<void> {
  const left = await records
    .selectFrom('audit_chains')
    .leftJoin('accounts', 'accounts.id', 'audit_chains.chain')
    .select('chain')
    .where('accounts.id', 'is', null)
    .where('chain', '<>', OPERATOR_CHAIN)
    .execute();
  for (const { chain } of left) {
    await inTransaction(records, async (transaction) => {
      for (const table of ['audit_views', 'audit_log', 'audit_chains'] as const)
        await transaction.deleteFrom(table).where('chain', '=', chain).execute();
    });
  }
}

/**
 * Deletes entries from before, and those of accounts that are no more. The hash of the last one stays as the anchor, and an entry says so: without it, who
 * deletes entries could move the anchor. Returns the number of deleted entries.
 */
export async function deleteOldAudit(records: Records, before: number, now: number): Promise<number> {
  await records.deleteFrom('sign_in_failures').where('minute', '<', before).execute();
  await deleteErased(records);
  let deleted = 0;
  for (const chain of await listChains(records)) {
    for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE; deleted += count) {
      count = await deleteOldEntries(records, chain, before, now);
    }
  }
  return deleted;
}

/** Only what comes before the first entry that is young enough, whatever the clocks said: a chain has no gaps. */
function deleteOldEntries(records: Records, chain: string, before: number, now: number): Promise<number> {
  return inTransaction(records, async (transaction) => {
    // Locks the end of the chain before it is read: of two processes that delete, the later one must not move the anchor back.
    await transaction
      .updateTable('audit_chains')
      .set((e) => ({ seq: e.ref('seq') }))
      .where('chain', '=', chain)
      .execute();
    const oldest = await transaction
      .selectFrom('audit_log')
      .select(['seq', 'at', 'hash', 'action'])
      .where('chain', '=', chain)
      .orderBy('seq')
      .limit(DELETED_AT_ONCE)
      .execute();
    const young = oldest.findIndex(({ at }) => at >= before);
    const old = young === -1 ? oldest : oldest.slice(0, young);
    const last = old.at(-1);
    // A log at rest must not be shortened for what shortening wrote.
    if (!last || old.every(({ action }) => action === 'log_shortened')) return 0;
    await transaction
      .updateTable('audit_chains')
      .set({ anchor_seq: last.seq, anchor_hash: last.hash })
      .where('chain', '=', chain)
      .execute();
    await transaction.deleteFrom('audit_log').where('chain', '=', chain).where('seq', '<=', last.seq).execute();
    const service = { accountId: chain, keyId: null, name: HOUSE_AUTHORS.service };
    const entry = { action: 'log_shortened', subject: `entries up to ${last.seq}`, detail: last.hash } as const;
    await insertAudit(transaction, { ...service, ...entry }, now);
    return old.length;
  });
}

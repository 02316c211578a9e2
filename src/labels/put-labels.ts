import { sql } from 'kysely';
import type { LabelChain } from '../domain/chain.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Category, Label, LabelStatement } from '../domain/label.ts';
import { chunksOf, inTransaction, type Records } from '../records/database/database.ts';
import type { LabelRow } from '../records/database/tables/lists.ts';
import { laterOf } from '../records/lists/later-load.ts';
import { findLabelRows } from './find-label-rows.ts';
import { noteLabelChange } from './label-changes.ts';
import { addLabelNames } from './label-names.ts';

export interface LabelledAddress {
  chain: LabelChain;
  address: string;
}

export interface PutOptions {
  /** Stamp from `beginLoad`. */
  stamp: number;
  /**
   * True for a whole list of a source: rows are matched without their first day, which may be corrected or start again.
   * False for single rows, whose first day is part of their identity and whose file gives the last day.
   */
  list: boolean;
  /** The day of the list of a source; a list without one is of the moment of its load. */
  listDay?: (source: string) => ListDay | undefined;
}

export interface ListDay {
  /** Epoch ms. */
  asOf: number;
  /** Day of the list that was loaded before; null where this is the first. */
  previous: number | null;
}

/** The treatment of labels that a newer list lacks: `wait` ends them unless they are more than a tenth of the list. */
export type Endings = 'wait' | 'end' | 'keep';

export interface EndAbsentOptions {
  stamp: number;
  /** `countLive` before the load. */
  before: number;
  endings: Endings;
  /** The day of the newer list, epoch ms: what it lacks ends on this day. */
  asOf: number;
}

export interface Ended {
  /** Addresses with an ended row. */
  ended: LabelledAddress[];
  /** Statements that the load no longer holds. */
  lost: number;
  /** True when the lost ones were left as they are. */
  kept: boolean;
}

export async function putLabels(
  records: Records,
  labels: readonly Label[],
  { stamp, list, listDay }: PutOptions,
  now: number,
): Promise<LabelledAddress[]> {
  return inTransaction(records, async (transaction) => {
    const wanted = new Map(
      labels.map((label) => [list ? statementKey(label) : `${statementKey(label)}\0${label.validFrom ?? 0}`, label]),
    );
    const found = await findRows(transaction, [...wanted.values()]);
    const known = groupBy(found, statementKey);
    const listed = groupBy(found, listingKey);
    const rows: LabelRow[] = [];
    const changed: LabelledAddress[] = [];
    const named: Label[] = [];
    for (const label of wanted.values()) {
      const same = known.size > 0 ? (known.get(statementKey(label)) ?? []) : [];
      const day = listDay?.(label.source) ?? { asOf: stamp, previous: null };
      const next = list ? inList(label, { same, listed: listed.get(listingKey(label)) ?? [] }, day) : newRow(label);
      const before = same.find((row) => row.valid_from === next.valid_from);
      const isSame = before !== undefined && sameContent(before, next);
      rows.push({ ...next, loaded_at: stamp, changed_at: isSame ? before.changed_at : now });
      if (isSame) continue;
      changed.push({ chain: label.chain, address: label.address });
      named.push(label);
      const corrected = list && !before ? same.find((row) => row.valid_to === null) : undefined;
      if (corrected) await deleteRow(transaction, corrected);
    }
    await upsert(transaction, rows);
    await addLabelNames(transaction, named);
    if (changed.length > 0) await noteLabelChange(transaction);
    return changed;
  });
}

/** Returns what a whole list's row becomes: the first day of one without a day follows from the rows before and the list's day. */
function inList(
  label: Label,
  { same, listed }: { same: LabelRow[]; listed: LabelRow[] },
  { asOf, previous }: ListDay,
): LabelRow {
  const next = newRow(label);
  if (label.validFrom !== null) return next;
  const live = [...same, ...listed].find((row) => row.valid_to === null);
  // It repeats a live row, if only under another name.
  if (live) return { ...next, valid_from: live.valid_from };
  // It was listed before and ended.
  if (listed.length > 0) return { ...next, valid_from: asOf };
  // A new sanction begins on the day of the last list that lacked it. In a source's first list it has no first day.
  return label.category === 'sanctioned' && previous !== null ? { ...next, valid_from: previous } : next;
}

/** Live statements of a source: an address counts once per category. */
export async function countLive(records: Records, source: string): Promise<number> {
  const row = await records
    .selectFrom(
      records
        .selectFrom('labels')
        .select(['chain', 'address', 'category'])
        .distinct()
        .where('source', '=', source)
        .where('valid_to', 'is', null)
        .as('live'),
    )
    .select((e) => e.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function endAbsent(
  records: Records,
  source: string,
  { stamp, before, endings, asOf }: EndAbsentOptions,
  now: number,
): Promise<Ended> {
  return records.transaction().execute(async (transaction) => {
    const live = await transaction
      .selectFrom('labels')
      .selectAll()
      .where('source', '=', source)
      .where('valid_to', 'is', null)
      .execute();
    const held = new Set(live.filter((row) => row.loaded_at >= stamp).map(statementOf));
    const absent = live.filter((row) => row.loaded_at < stamp);
    const lost = new Set(absent.map(statementOf).filter((statement) => !held.has(statement))).size;
    const kept = lost > 0 && (endings === 'keep' || (endings === 'wait' && lost * 10 > before));
    // PostgreSQL checks this once more where another load states the row meanwhile.
    const ended = await transaction
      .updateTable('labels')
      .set({
        valid_to: sql<number>`case when valid_from > ${asOf} then valid_from else cast(${asOf} as bigint) end`,
        changed_at: now,
      })
      .where('source', '=', source)
      .where('valid_to', 'is', null)
      .where('loaded_at', '<', stamp)
      // A row that the list now states in other words ends in any case.
      .$if(kept, (labels) =>
        labels.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('labels as other')
              .select('other.address')
              .whereRef('other.chain', '=', 'labels.chain')
              .whereRef('other.address', '=', 'labels.address')
              .whereRef('other.source', '=', 'labels.source')
              .whereRef('other.category', '=', 'labels.category')
              .where('other.valid_to', 'is', null)
              .where('other.loaded_at', '>=', stamp),
          ),
        ),
      )
      .returning(['chain', 'address'])
      .execute();
    if (ended.length > 0) await noteLabelChange(transaction);
    return { ended, lost, kept };
  });
}

/** Returns addresses of a source whose labels were ended since a moment, epoch ms. */
export async function endedSince(records: Records, source: string, since: number): Promise<LabelledAddress[]> {
  return records
    .selectFrom('labels')
    .select(['chain', 'address'])
    .distinct()
    .where('source', '=', source)
    .where('valid_to', 'is not', null)
    .where('changed_at', '>=', since)
    .execute();
}

/** Ends what a source says, also what ends by itself later. Says how many labels, and which addresses it ever named. */
export async function endSource(
  transaction: Records,
  source: string,
  now: number,
): Promise<{ ended: number; named: LabelledAddress[] }> {
  const rows = await transaction.selectFrom('labels').selectAll().where('source', '=', source).execute();
  const live = rows.filter((row) => row.valid_to === null || row.valid_to > Math.max(now, row.valid_from));
  await upsert(
    transaction,
    live.map((row) => ({ ...row, valid_to: Math.max(now, row.valid_from), changed_at: now })),
  );
  if (live.length > 0) await noteLabelChange(transaction);
  return { ended: live.length, named: rows.map(({ chain, address }) => ({ chain, address })) };
}

async function upsert(transaction: Records, rows: LabelRow[]): Promise<void> {
  for (const chunk of chunksOf(rows)) {
    await transaction
      .insertInto('labels')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['chain', 'address', 'source', 'category', 'label', 'valid_from']).doUpdateSet((e) => ({
          confidence: e.ref('excluded.confidence'),
          entity: e.ref('excluded.entity'),
          valid_to: e.ref('excluded.valid_to'),
          malicious_contract: e.ref('excluded.malicious_contract'),
          programme: e.ref('excluded.programme'),
          loaded_at: laterOf('labels'),
          changed_at: e.ref('excluded.changed_at'),
        })),
      )
      .execute();
  }
}

async function deleteRow(transaction: Records, row: LabelRow): Promise<void> {
  await transaction
    .deleteFrom('labels')
    .where('chain', '=', row.chain)
    .where('address', '=', row.address)
    .where('source', '=', row.source)
    .where('category', '=', row.category)
    .where('label', '=', row.label)
    .where('valid_from', '=', row.valid_from)
    .execute();
}

/**
 * Rows of the labels' addresses, of other sources too: SQLite, asked for one source, would read all of its rows instead
 * of those of a few hundred addresses.
 */
async function findRows(transaction: Records, labels: readonly Label[]): Promise<LabelRow[]> {
  return findLabelRows(
    transaction,
    null,
    labels.map((label) => label.address),
  );
}

function newRow(label: Label): LabelRow {
  return {
    chain: label.chain,
    address: label.address,
    category: label.category,
    label: label.label,
    source: label.source,
    confidence: label.confidence,
    entity: label.entity,
    valid_from: label.validFrom ?? 0,
    valid_to: label.validTo,
    malicious_contract: label.maliciousContract ? 1 : 0,
    programme: label.programme ?? null,
    loaded_at: 0,
    changed_at: 0,
  };
}

function sameContent(row: LabelRow, next: LabelRow): boolean {
  return (
    row.confidence === next.confidence &&
    row.entity === next.entity &&
    row.valid_to === next.valid_to &&
    row.malicious_contract === next.malicious_contract &&
    row.programme === next.programme
  );
}

/** A list's entry on an address, whatever name it gives. */
function listingKey({ chain, address, source, category }: LabelStatement): string {
  return [chain, address, source, category].join('\0');
}

function statementKey({ chain, address, source, category, label }: LabelStatement): string {
  return [chain, address, source, category, label].join('\0');
}

function statementOf(row: { chain: string; address: string; category: Category }): string {
  return `${row.chain} ${row.address} ${row.category}`;
}

import type { Chain } from '../domain/chain.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Category, Label } from '../domain/label.ts';
import { inTransaction, type Records } from '../records/database/database.ts';
import { chunksOf } from '../records/database/in-chunks.ts';
import { findLabelRows, type LabelRow } from './find-label-rows.ts';
import { noteLabelChange } from './label-changes.ts';

export interface AddressKey {
  chain: Chain | 'evm';
  address: string;
}

export interface PutOptions {
  /** From `beginLoad`. */
  stamp: number;
  /**
   * True for a whole list of a source: rows are matched without their first day, which may be corrected or start again.
   * False for single rows, whose first day is part of their identity and whose file gives the last day.
   */
  list: boolean;
}

export interface EndAbsentOptions {
  stamp: number;
  /** `countLive` before the load. */
  before: number;
  /** End what is gone, however much it is. */
  replace: boolean;
}

export interface Ended {
  /** Addresses with an ended row. */
  ended: AddressKey[];
  /** Statements that the load no longer holds. */
  lost: number;
  /** True when the lost ones were left as they are. */
  kept: boolean;
}

export async function putLabels(
  records: Records,
  labels: readonly Label[],
  { stamp, list }: PutOptions,
  now: number,
): Promise<AddressKey[]> {
  return inTransaction(records, async (transaction) => {
    const wanted = new Map(
      labels.map((label) => [list ? statementKey(label) : `${statementKey(label)}\0${label.validFrom ?? 0}`, label]),
    );
    const known = await findRows(transaction, [...wanted.values()]);
    const rows: LabelRow[] = [];
    const changed: AddressKey[] = [];
    for (const label of wanted.values()) {
      const same = known.size > 0 ? (known.get(statementKey(label)) ?? []) : [];
      const next = list ? inList(label, same, stamp) : newRow(label);
      const before = same.find((row) => row.valid_from === next.valid_from);
      const isSame = before !== undefined && sameContent(before, next);
      rows.push({ ...next, loaded_at: stamp, changed_at: isSame ? before.changed_at : now });
      if (isSame) continue;
      changed.push({ chain: label.chain, address: label.address });
      const corrected = list && !before ? same.find((row) => row.valid_to === null) : undefined;
      if (corrected) await deleteRow(transaction, corrected);
    }
    await upsert(transaction, rows);
    if (changed.length > 0) await noteLabelChange(transaction);
    return changed;
  });
}

/** What a whole list's row becomes: the first day of the live row it repeats, or of its own, or of this load. */
function inList(label: Label, same: LabelRow[], stamp: number): LabelRow {
  const next = newRow(label);
  if (label.validFrom !== null || same.length === 0) return next;
  const live = same.find((row) => row.valid_to === null);
  return { ...next, valid_from: live ? live.valid_from : stamp };
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
  { stamp, before, replace }: EndAbsentOptions,
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
    const kept = !replace && lost * 10 > before;
    // A row that the list now states in other words ends in any case.
    const ending = kept ? absent.filter((row) => held.has(statementOf(row))) : absent;
    await upsert(
      transaction,
      ending.map((row) => ({ ...row, valid_to: now, changed_at: now })),
    );
    if (ending.length > 0) await noteLabelChange(transaction);
    return { ended: ending.map(({ chain, address }) => ({ chain, address })), lost, kept };
  });
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
          loaded_at: e.ref('excluded.loaded_at'),
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
 * Rows of the labels' addresses, by statement; of other sources too, since SQLite, asked for one source, would rather
 * read all of its rows than those of a few hundred addresses.
 */
async function findRows(transaction: Records, labels: readonly Label[]): Promise<Map<string, LabelRow[]>> {
  const addresses = labels.map((label) => label.address);
  return groupBy(await findLabelRows(transaction, null, addresses), statementKey);
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
    loaded_at: 0,
    changed_at: 0,
  };
}

function sameContent(row: LabelRow, next: LabelRow): boolean {
  return (
    row.confidence === next.confidence &&
    row.entity === next.entity &&
    row.valid_to === next.valid_to &&
    row.malicious_contract === next.malicious_contract
  );
}

type Statement = Pick<Label, 'chain' | 'address' | 'source' | 'category' | 'label'>;

function statementKey({ chain, address, source, category, label }: Statement): string {
  return [chain, address, source, category, label].join('\0');
}

function statementOf(row: { chain: string; address: string; category: Category }): string {
  return `${row.chain} ${row.address} ${row.category}`;
}

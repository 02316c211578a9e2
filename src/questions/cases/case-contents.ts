import type { Context } from '../../context.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { countCaseAddresses, pageCaseAddresses, type ScannedCaseAddress } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { countNotes, listNotes } from '../../records/cases/notes.ts';
import { bytesOf, firstWithin, PAGE_BYTES, pageWithin } from '../first-within.ts';
import { addressRecords, type CaseAddressRecord, caseRecord, noteRecord } from './case-records.ts';
import { type AttributedShares, byTimeMade, type DispositionRecord, readJudgements } from './dispositions.ts';

/** `last_attributed`: how much of the money the newest scan explains, which its level rests on. */
type AttributedCaseAddress = CaseAddressRecord & { last_attributed: AttributedShares | null };

interface Page {
  limit: number;
  offset: number;
}

const NEWEST_ADDRESSES = { limit: 500, offset: 0 };
const NEWEST_NOTES = { limit: 200, offset: 0 };
/** Names of fields and numbers of an answer. */
const BYTES_AROUND = 300;

/**
 * The case with the newest of what it holds: addresses in the order in which they were added, notes oldest first. Throws
 * NotFoundError.
 */
export async function getCase(ctx: Context, { accountId }: Tenant, id: string) {
  const row = await findCase(ctx.records, accountId, id);
  const opened = caseRecord(row);
  const room = PAGE_BYTES - bytesOf(opened) - BYTES_AROUND;
  const notes = firstWithin((await listNotes(ctx.records, id, NEWEST_NOTES)).map(noteRecord), room / 2);
  const notesTotal = await countNotes(ctx.records, id);
  const rows = await pageCaseAddresses(ctx.records, accountId, id, NEWEST_ADDRESSES);
  const held = await addressesInCase(ctx, accountId, rows);
  const shown = firstWithin(held, room - bytesOf(notes));
  return {
    case: opened,
    addresses: shown.map(({ address }) => address).reverse(),
    addresses_total: row.address_count,
    addresses_next: shown.length < row.address_count ? shown.length : null,
    notes: notes.toReversed(),
    notes_total: notesTotal,
    notes_next: notes.length < notesTotal ? notes.length : null,
    dispositions: inOrderMade(shown),
  };
}

/** One page of the addresses of a case, newest first, with their judgements. Throws NotFoundError. */
export async function listAddressesOfCase(ctx: Context, { accountId }: Tenant, id: string, page: Page) {
  await findCase(ctx.records, accountId, id);
  const rows = await pageCaseAddresses(ctx.records, accountId, id, page);
  const held = await addressesInCase(ctx, accountId, rows);
  const total = await countCaseAddresses(ctx.records, id);
  const { page: shown, next } = pageWithin(held, { ...page, total });
  const addresses = shown.map(({ address }) => address);
  return { addresses, dispositions: inOrderMade(shown), total, ...page, next };
}

/** One page of the timeline, newest first. Throws NotFoundError. */
export async function listNotesOfCase(ctx: Context, { accountId }: Tenant, id: string, page: Page) {
  await findCase(ctx.records, accountId, id);
  const rows = await listNotes(ctx.records, id, page);
  const total = await countNotes(ctx.records, id);
  const { page: notes, next } = pageWithin(rows.map(noteRecord), { ...page, total });
  return { notes, total, ...page, next };
}

/** Reads each address with its judgements: a page that ends before it leaves both to the next one. */
async function addressesInCase(ctx: Context, accountId: string, rows: readonly ScannedCaseAddress[]) {
  const { dispositions, attributed } = await readJudgements(ctx, accountId, rows);
  const judged = groupBy(dispositions, ({ address_id }) => address_id);
  const records = await addressRecords(ctx, accountId, rows);
  return records.map((record) => {
    const address: AttributedCaseAddress = { ...record, last_attributed: attributed.get(record.id) ?? null };
    return { address, dispositions: judged.get(record.id) ?? [] };
  });
}

/** Returns their judgements in the order in which they were made. */
function inOrderMade(held: readonly { dispositions: DispositionRecord[] }[]): DispositionRecord[] {
  return held.flatMap(({ dispositions }) => dispositions).sort(byTimeMade);
}

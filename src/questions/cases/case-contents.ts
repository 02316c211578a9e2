import type { Context } from '../../context.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { countCaseAddresses, pageCaseAddresses, type ScannedCaseAddress } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { countNotes, listNotes } from '../../records/cases/notes.ts';
import { firstWithin, pageWithin } from '../first-within.ts';
import {
  addressRecords,
  type CaseAddressRecord,
  type CaseNoteRecord,
  type CaseRecord,
  caseRecord,
  noteRecord,
} from './case-records.ts';
import { type AttributedShares, type DispositionRecord, readJudgements } from './dispositions.ts';

/** `last_attributed`: how much of the money the newest scan explains, which its level rests on. */
type AttributedCaseAddress = CaseAddressRecord & { last_attributed: AttributedShares | null };

export interface CaseContents {
  case: CaseRecord;
  /** The newest ones, in the order in which they were added. */
  addresses: AttributedCaseAddress[];
  addresses_total: number;
  /** The newest ones, oldest first. */
  notes: CaseNoteRecord[];
  notes_total: number;
  /** Of these addresses. */
  dispositions: DispositionRecord[];
}

interface Page {
  limit: number;
  offset: number;
}

const MIB = 2 ** 20;
const NEWEST_ADDRESSES = { limit: 500, offset: 0 };
const NEWEST_NOTES = { limit: 200, offset: 0 };
/** No answer exceeds 8 MiB, however long the texts are. */
const JSON_BYTES = { addresses: 2.5 * MIB, notes: 4 * MIB, dispositions: 1 * MIB };

/** The case with the newest of what it holds. Throws NotFoundError. */
export async function getCase(ctx: Context, { accountId }: Tenant, id: string): Promise<CaseContents> {
  const row = await findCase(ctx.records, accountId, id);
  const rows = await pageCaseAddresses(ctx.records, accountId, id, NEWEST_ADDRESSES);
  const held = await addressesInCase(ctx, accountId, rows);
  const addresses = firstWithin(held.addresses, JSON_BYTES.addresses);
  const shown = new Set(addresses.map((address) => address.id));
  const notes = (await listNotes(ctx.records, id, NEWEST_NOTES)).map(noteRecord);
  return {
    case: caseRecord(row),
    addresses: addresses.reverse(),
    addresses_total: row.address_count,
    notes: firstWithin(notes, JSON_BYTES.notes).reverse(),
    notes_total: await countNotes(ctx.records, id),
    dispositions: held.dispositions.filter(({ address_id }) => shown.has(address_id)),
  };
}

/** One page of the addresses of a case, newest first, with their judgements. Throws NotFoundError. */
export async function listAddressesOfCase(ctx: Context, { accountId }: Tenant, id: string, page: Page) {
  await findCase(ctx.records, accountId, id);
  const rows = await pageCaseAddresses(ctx.records, accountId, id, page);
  const held = await addressesInCase(ctx, accountId, rows);
  const total = await countCaseAddresses(ctx.records, id);
  const { page: addresses, next } = pageWithin(held.addresses, { ...page, total });
  const shown = new Set(addresses.map((address) => address.id));
  const dispositions = held.dispositions.filter(({ address_id }) => shown.has(address_id));
  return { addresses, dispositions, total, ...page, next };
}

/** One page of the timeline, newest first. Throws NotFoundError. */
export async function listNotesOfCase(ctx: Context, { accountId }: Tenant, id: string, page: Page) {
  await findCase(ctx.records, accountId, id);
  const rows = await listNotes(ctx.records, id, page);
  const total = await countNotes(ctx.records, id);
  const { page: notes, next } = pageWithin(rows.map(noteRecord), { ...page, total });
  return { notes, total, ...page, next };
}

/** As many of the judgements, newest first, as an answer has room for. */
async function addressesInCase(ctx: Context, accountId: string, rows: readonly ScannedCaseAddress[]) {
  const { dispositions, attributed } = await readJudgements(ctx, accountId, rows);
  const records = await addressRecords(ctx, accountId, rows);
  const addresses: AttributedCaseAddress[] = records.map((record) => ({
    ...record,
    last_attributed: attributed.get(record.id) ?? null,
  }));
  return { addresses, dispositions: firstWithin(dispositions.reverse(), JSON_BYTES.dispositions).reverse() };
}

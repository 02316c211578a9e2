import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { bytesOf, firstWithin, PAGE_BYTES, pageWithin } from '../../domain/first-within.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, isValidAt } from '../../domain/label.ts';
import { orderLabels } from '../../labels/label-order.ts';
import { labelsByKey } from '../../labels/node-labels.ts';
import { openOwnLabels } from '../../labels/own-labels.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { countCaseAddresses, pageCaseAddresses, type ScannedCaseAddress } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { countNotes, listNotes } from '../../records/cases/notes.ts';
import { addressRecords, type CaseAddressRecord, caseRecord, noteRecord } from './case-records.ts';
import { type AttributedShares, byTimeMade, type DispositionRecord, readJudgements } from './dispositions.ts';

/** `last_attributed`: how much of the money the newest scan explains, which its level rests on. */
type AttributedCaseAddress = CaseAddressRecord & { last_attributed: AttributedShares | null; labels: Statement[] };

/** A statement of a list, or of the account itself, that holds now. */
interface Statement {
  label: string;
  category: Category;
  source: string;
}

interface Page {
  limit: number;
  offset: number;
}

const NEWEST_ADDRESSES = { limit: 500, offset: 0 };
const NEWEST_NOTES = { limit: 200, offset: 0 };
const STATEMENTS_MAX = 10;
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
  const labelsOf = await statementsOn(ctx, accountId, rows);
  return records.map((record) => {
    const address: AttributedCaseAddress = {
      ...record,
      last_attributed: attributed.get(record.id) ?? null,
      labels: labelsOf(record),
    };
    return { address, dispositions: judged.get(record.id) ?? [] };
  });
}

/** Looks up what lists and the account say of addresses now, the surest first. */
async function statementsOn(ctx: Context, accountId: string, rows: readonly ScannedCaseAddress[]) {
  const [known, own] = await Promise.all([
    labelsByKey(ctx.labels, new Set(rows.map(({ chain, address }) => addressKey(chain, address)))),
    openOwnLabels(
      ctx,
      accountId,
      rows.map(({ address }) => address),
    ),
  ]);
  const at = ctx.now();
  return ({ chain, address }: CaseAddressRecord): Statement[] =>
    own
      .stated(chain, address, orderLabels(known.get(addressKey(chain, address)) ?? [], at))
      .filter((label) => isValidAt(label, at))
      .slice(0, STATEMENTS_MAX)
      .map(({ label, category, source }) => ({ label, category, source }));
}

/** Returns their judgements in the order in which they were made. */
function inOrderMade(held: readonly { dispositions: DispositionRecord[] }[]): DispositionRecord[] {
  return held.flatMap(({ dispositions }) => dispositions).sort(byTimeMade);
}

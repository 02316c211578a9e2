import type { Language } from '../../../../words/language.ts';
import type { Context } from '../../../context.ts';
import { addressKey } from '../../../domain/address/address-key.ts';
import { type BridgeFacts, bridgeFacts } from '../../../domain/bridges/bridge-facts.ts';
import { decided } from '../../../domain/bridges/crossing.ts';
import type { ChainAddress } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { firstWithin } from '../../../domain/first-within.ts';
import { slicesOf } from '../../../domain/slices.ts';
import { iso } from '../../../domain/time.ts';
import { InvalidInputError } from '../../../errors.ts';
import { openCrossings } from '../../../graph/queries/crossings.ts';
import { knownHistories } from '../../../graph/queries/histories.ts';
import { authorName } from '../../../records/accounts/people.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { insertAudit } from '../../../records/audit/audit-log.ts';
import { listCaseAddresses, type ScannedCaseAddress } from '../../../records/cases/addresses.ts';
import { findCase, lockCase } from '../../../records/cases/cases.ts';
import { countNotes, insertEventNote, listNotes } from '../../../records/cases/notes.ts';
import { citeScans } from '../../../records/cases/report-packages.ts';
import { FUNDS_HOPS } from '../../../tracing/answers/funds/funds-of.ts';
import { inquire } from '../../../tracing/read/inquiry.ts';
import { listBoardsOfCase, type PrintedBoards } from '../../manage-boards.ts';
import {
  addressRecords,
  type CaseAddressRecord,
  type CaseNoteRecord,
  type CaseRecord,
  caseRecord,
  noteRecord,
} from '../case-records.ts';
import { type DispositionRecord, readJudgements } from '../dispositions.ts';
import { type CaseMoney, type GatheredMoney, gatherCaseMoney } from './case-money.ts';
import { type AddressReportInput, type GatheredReport, gatherAddressReport } from './gather-address-report.ts';
import { gatherHolders, type ReportHolder } from './gather-holders.ts';
import { withinTraceBudget } from './within-trace-budget.ts';

/** Everything that the report of a case lays out, each address in the order of the case. */
export interface CaseReportInput {
  language: Language;
  madeAt: string;
  /** Name of the key for which it is made. */
  author: string;
  /** The second person, where the account wants one. */
  approvedBy?: string;
  /** The author's organisation and declarations; absent where the settings name none. */
  organisation?: string | undefined;
  declaration?: string | undefined;
  case: CaseRecord;
  /** Null where the account of the money took too long. */
  money: CaseMoney | null;
  /** The newest ones, oldest first. */
  notes: CaseNoteRecord[];
  /** Entries of the timeline; absent in packages of an earlier version. */
  notesTotal?: number;
  /** Crossings from or to addresses of the case that an analyst confirmed; null where they could not be read in time. */
  confirmed: BridgeFacts[] | null;
  addresses: {
    record: CaseAddressRecord;
    dispositions: DispositionRecord[];
    report: AddressReportInput;
  }[];
  /** The holders of its addresses, and of two or more in the account of the money; absent in packages of an earlier version. */
  holders?: ReportHolder[];
  /** Addresses that are listed only; absent in packages of an earlier version. */
  others?: CaseAddressRecord[];
  /** The boards that were saved last, and how many there are; absent where they are not asked for. */
  boards?: PrintedBoards;
}

/** Ids of the scans that a report rests on. */
export function citedScans({ addresses, others = [] }: CaseReportInput): string[] {
  const laidOut = addresses.flatMap(({ record, report }) => [record.last_scan_id, report.scan?.scan_id]);
  return [...laidOut, ...others.map(({ last_scan_id }) => last_scan_id)].filter((id) => typeof id === 'string');
}

const ADDRESSES_AT_ONCE = 2;
/** Part of the time of a trace that each address has: a hundred may be laid out. */
const ADDRESS_TRACE_PART = 0.5;
/** Addresses that are laid out: what is gathered and drawn stays within the time of a report. */
const ADDRESSES_MAX = 100;
/** Members of a holder that are listed, unless the report names more of them. */
const MEMBERS_MAX = 5;
const NOTES_MAX = 500;
const NOTES_BYTES = 256 * 1024;

export interface GatheredCase {
  input: CaseReportInput;
  /** `tainted` of each address as in `GatheredReport`, in the same order. */
  tainted: GatheredReport['tainted'][];
  /** As in `GatheredMoney`; null for all where there is none. */
  tracedIn: GatheredMoney['tracedIn'];
  finalTransfers: GatheredMoney['finalTransfers'];
}

/** Reads a case for its report, within bounds; asks no chain. Throws NotFoundError, or InvalidInputError without addresses. */
export async function gatherCaseReport(
  ctx: Context,
  tenant: Tenant,
  { caseId, language, withBoards = false }: { caseId: string; language: Language; withBoards?: boolean },
): Promise<GatheredCase> {
  const record = caseRecord(await findCase(ctx.records, tenant.accountId, caseId));
  const all = await listCaseAddresses(ctx.records, tenant.accountId, caseId);
  if (all.length === 0) throw new InvalidInputError('Case has no addresses');
  const laidOut = new Set(subjectsFirst(all).slice(0, ADDRESSES_MAX));
  const addresses = all.filter((address) => laidOut.has(address));
  const { dispositions } = await readJudgements(ctx, tenant.accountId, addresses);
  const newest = await listNotes(ctx.records, caseId, { limit: NOTES_MAX, offset: 0 });
  const gathered: GatheredReport[] = [];
  // The report of a case prints no patterns.
  const histories = knownHistories();
  const asked = { maxHops: FUNDS_HOPS.usual, language, withPatterns: false, histories, tracePart: ADDRESS_TRACE_PART };
  for (const some of slicesOf(addresses, ADDRESSES_AT_ONCE)) {
    const reports = some.map(({ chain, address }) => gatherAddressReport(ctx, tenant, { chain, address, ...asked }));
    gathered.push(...(await Promise.all(reports)));
  }
  const money = await gatherCaseMoney(ctx, tenant, all, { lang: language, histories });
  const confirmed = await confirmedCrossings(ctx, tenant.accountId, addresses);
  // Those that are laid out are scored again with their report.
  const records = await addressRecords(ctx, tenant.accountId, all, { scoredMax: 0 });
  const recordOf = new Map(records.map((one) => [one.id, one]));
  const input = {
    language,
    madeAt: iso(ctx.now()),
    author: await authorName(ctx.records, tenant.keyId),
    organisation: ctx.config.REPORT_ORGANISATION,
    declaration: ctx.config.REPORT_DECLARATION,
    case: record,
    money: money?.money ?? null,
    notes: firstWithin(newest.map(noteRecord), NOTES_BYTES).reverse(),
    notesTotal: await countNotes(ctx.records, caseId),
    confirmed,
    addresses: addresses.map((address, place) => ({
      record: { ...recordOf.get(address.id)!, ...levelIn(gathered[place]!.input) },
      dispositions: dispositions.filter(({ address_id }) => address_id === address.id),
      report: gathered[place]!.input,
    })),
    holders: await gatherHolders(ctx.graph, {
      ...{ keys: keysOf(all), beside: keysInMoney(money?.money), membersMax: MEMBERS_MAX },
    }),
    others: all.filter((address) => !laidOut.has(address)).map(({ id }) => recordOf.get(id)!),
    ...(withBoards && { boards: await listBoardsOfCase(ctx, tenant, caseId) }),
  };
  const { tracedIn = () => null, finalTransfers = new Map() } = money ?? {};
  return { input, tainted: gathered.map(({ tainted }) => tainted), tracedIn, finalTransfers };
}

function keysOf(addresses: readonly ChainAddress[]): string[] {
  return addresses.map(({ chain, address }) => addressKey(chain, address));
}

/** Lists the addresses that the account of the money names. */
function keysInMoney(money: CaseMoney | undefined): string[] {
  if (!money) return [];
  const { sent, payers } = money;
  const ends = sent.rows.flatMap(({ chain, address }) => (chain && address ? [{ chain, address }] : []));
  const flows = sent.flows.map((flow) => addressKey(flow.chain, flow.from));
  return [...keysOf(ends), ...keysOf(payers), ...flows];
}

/** The level of an address as its own part of the report says it. */
function levelIn({ scan }: AddressReportInput): Partial<CaseAddressRecord> {
  if (!scan) return {};
  const { labels_changed_since } = scan.metadata;
  return { last_risk_level: scan.risk_level, labels_changed_since };
}

/** The order in which addresses are laid out: subjects, then the others, each as they were added. */
function subjectsFirst(addresses: readonly ScannedCaseAddress[]): ScannedCaseAddress[] {
  return [...addresses.filter(({ role }) => role === 'subject'), ...addresses.filter(({ role }) => role !== 'subject')];
}

/**
 * The crossings from or to the addresses whose likely match the account confirmed, in the order in which the money left.
 * Null where the graph takes too long. Throws GraphError.
 */
async function confirmedCrossings(
  ctx: Context,
  accountId: string,
  addresses: readonly ChainAddress[],
): Promise<BridgeFacts[] | null> {
  const inquiry = await inquire(ctx, accountId);
  const { policy } = inquiry;
  if (!policy.hasConfirmed) return [];
  const keys = keysOf(addresses);
  return withinTraceBudget(inquiry, async ({ graph, remainingMs }) => {
    const timeoutMs = Math.max(1, remainingMs());
    const { byKey } = await openCrossings(graph, keys, { timeoutMs, labels: new Map() });
    const found = new Map([...byKey.values()].flat().map((crossing) => [crossing.id, decided(crossing, policy)]));
    return [...found.values()]
      .filter(({ match }) => match === 'confirmed')
      .map((crossing) => bridgeFacts(crossing, null))
      .sort((a, b) => compare(a.source.at ?? '', b.source.at ?? '') || compare(a.crossing_id, b.crossing_id));
  });
}

/** Writes into timeline and audit log that a report of the case was made. Throws NotFoundError. */
export async function noteReport(ctx: Context, tenant: Tenant, caseId: string, input: CaseReportInput): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    await citeScans(records, caseId, citedScans(input));
    await insertEventNote(records, { caseId, event: { kind: 'report_downloaded' }, keyId: tenant.keyId, now });
    await insertAudit(records, { ...tenant, caseId, action: 'report_downloaded', subject: 'report.pdf' }, now);
  });
}

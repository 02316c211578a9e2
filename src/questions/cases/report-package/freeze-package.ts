import { describe } from '../../../../words/describe.ts';
import { moment } from '../../../../words/figures.ts';
import { fill } from '../../../../words/fill.ts';
import type { Language } from '../../../../words/language.ts';
import { WORDS } from '../../../../words/words.ts';
import type { Context } from '../../../context.ts';
import { addressKey, parseAddressKey } from '../../../domain/address/address-key.ts';
import type { BridgeFacts, BridgeSide } from '../../../domain/bridges/bridge-facts.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { addToGroup, groupBy } from '../../../domain/group-by.ts';
import { isAdverseCategory, isValidAt, type Label } from '../../../domain/label.ts';
import { slicesOf } from '../../../domain/slices.ts';
import { isoOrNull } from '../../../domain/time.ts';
import { type Transfer, transferName } from '../../../domain/transfers/transfer.ts';
import { timeSlices } from '../../../fairness/time-slices.ts';
import { graphHistory, namedTransfers, TRANSFERS_MAX } from '../../../graph/queries/read-history.ts';
import { type OwnLabels, openLevelLabels } from '../../../labels/own-labels.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { deletePackageRows, insertPackageRows } from '../../../records/cases/report-packages.ts';
import type { StoredJob } from '../../../records/database/tables/jobs.ts';
import { RULE_SET_VERSION } from '../../../risk/rules.ts';
import { packageVersion } from '../../../version.ts';
import type { CaseAddressRecord } from '../case-records.ts';
import type { AddressReportInput } from '../report/gather-address-report.ts';
import { type GatheredCase, gatherCaseReport } from '../report/gather-case-report.ts';
import type { PackageInputs, PackageRequest, TransactionTotals } from './package-inputs.ts';
import { type DetectionOfTransfer, transactionRow } from './transaction-row.ts';
import { isBystander, TotalsOfTransactions } from './transaction-totals.ts';

/** Most transactions of a package; it says what it lacks. */
const TRANSACTIONS_MAX = 100_000;
const ROWS_PER_PART = 500;

/**
 * Reads a case as it is now and writes the rows of its transactions into the records, part by part, in place of those
 * of an earlier attempt. Asks no chain. Throws NotFoundError, InvalidInputError without addresses, or GraphError.
 */
export async function freezePackage(
  ctx: Context,
  tenant: Tenant,
  job: StoredJob & { case_id: string },
  request: PackageRequest,
): Promise<PackageInputs> {
  const gathered = await gatherCaseReport(ctx, tenant, { caseId: job.case_id, language: request.language });
  const totals = await freezeTransactions(ctx, job, gathered, request);
  return {
    generationId: job.id,
    language: request.language,
    from: isoOrNull(request.from),
    to: isoOrNull(request.to),
    engineVersion: packageVersion(),
    ruleSetVersion: RULE_SET_VERSION,
    timestamped: ctx.config.TSA_URL !== undefined,
    report: { ...gathered.input, ...(request.approvedBy && { approvedBy: request.approvedBy }) },
    totals,
  };
}

async function freezeTransactions(
  ctx: Context,
  job: StoredJob & { case_id: string },
  { input: { addresses, others = [], confirmed }, tainted, tracedIn, finalTransfers }: GatheredCase,
  period: PackageRequest,
): Promise<TransactionTotals> {
  const records = [...addresses.map(({ record }) => record), ...others];
  const found = await readTransfers(ctx, records, addresses.length, period);
  await addFinalTransfers(ctx, found.transfers, finalTransfers, period);
  const listed = [...found.transfers.values()].sort(inOrder).slice(0, TRANSACTIONS_MAX);
  const hopsTo = addresses.map(({ report }) => hopsToIllicit(report));
  const detections = detectionsOfTransfers(
    addresses.map(({ report }) => report),
    period.language,
  );
  const listDays = new Map(addresses[0]?.report.lists?.map(({ source, as_of }) => [source, as_of]));
  const reasonsOf = crossingReasons(confirmed ?? [], period.language);
  const usdPerYen = await ctx.prices.usdPerYen(listed.map(({ transfer }) => transfer));
  const ids = { caseId: job.case_id, generationId: job.id };
  const totals = new TotalsOfTransactions(records);
  const pause = timeSlices();
  const own = await openLevelLabels(ctx, job.account_id);
  let before = '';

  await deletePackageRows(ctx.records, job.id);
  for (const [nth, part] of [...slicesOf(listed, ROWS_PER_PART)].entries()) {
    const labels = await labelsOf(ctx, own, part);
    const rows: string[][] = [];
    for (const [index, { transfer, owner }] of part.entries()) {
      const subject = owner === null ? transfer.from : records[owner]!.address;
      const counterparty = transfer.to === subject ? transfer.from : transfer.to;
      const label = labels(transfer.chain, counterparty);
      const isAdverse = label !== null && isAdverseCategory(label.category);
      const isFirstOfTransaction = `${transfer.chain} ${transfer.txHash}` !== before;
      before = `${transfer.chain} ${transfer.txHash}`;
      const row = transactionRow(transfer, ids, {
        subject,
        label,
        listDays,
        hops: isAdverse ? 1 : (hopsTo[owner ?? -1]?.(transfer) ?? null),
        taintedUsd: isAdverse ? transfer.usd : (tainted[owner ?? -1]?.get(transfer.id) ?? null),
        tracedUsd: tracedIn(transfer),
        detections: namesOf(transfer).flatMap((name) => detections.get(name) ?? []),
        reasons: [...reasonsOf(transfer), ...tagReason(transfer, period.language)],
        usdPerYen: usdPerYen(transfer.at),
        isFirstOfTransaction,
      });
      const rowNo = nth * ROWS_PER_PART + index + 1;
      totals.add(transfer, rowNo);
      rows.push([String(rowNo), ...row.slice(1)]);
      await pause();
    }
    await insertPackageRows(ctx.records, job.id, nth, rows);
  }
  const truncated = found.transfers.size > listed.length;
  return totals.result({ cutAddresses: found.cutAddresses, truncated });
}

/** A transfer, and the first address of the case (its place there) that has it; null for none. */
interface OwnedTransfer {
  transfer: Transfer;
  owner: number | null;
}

/**
 * The transfers of all addresses of a case, each once; of services and victims those with another address of it. The
 * first `always` addresses are read whatever they have, the others until the package is full.
 */
async function readTransfers(
  ctx: Context,
  records: readonly CaseAddressRecord[],
  always: number,
  { from, to }: PackageRequest,
): Promise<{ transfers: Map<string, OwnedTransfer>; cutAddresses: string[] }> {
  const transfers = new Map<string, OwnedTransfer>();
  const cutAddresses: string[] = [];
  const inCase = new Set(records.map(({ chain, address }) => addressKey(chain, address)));
  for (const [owner, record] of records.entries()) {
    if (owner >= always && transfers.size >= TRANSACTIONS_MAX) {
      cutAddresses.push(record.address);
      continue;
    }
    const history = await graphHistory(ctx.graph, record.chain, record.address);
    if (history.transfers.length >= TRANSFERS_MAX) cutAddresses.push(record.address);
    for (const transfer of history.transfers) {
      const other = transfer.from === record.address ? transfer.to : transfer.from;
      if (isBystander(record.role) && !inCase.has(addressKey(record.chain, other))) continue;
      if (isWithin(transfer, { from, to }) && !transfers.has(transfer.id))
        transfers.set(transfer.id, { transfer, owner });
    }
  }
  return { transfers, cutAddresses };
}

/** Adds what came to services from wallets that the case does not name: the deposits that a request is about. */
async function addFinalTransfers(
  ctx: Context,
  transfers: Map<string, OwnedTransfer>,
  finalTransfers: GatheredCase['finalTransfers'],
  period: PackageRequest,
): Promise<void> {
  for (const [payer, ids] of finalTransfers) {
    const { chain, address } = parseAddressKey(payer);
    const missing = ids.filter((id) => !transfers.has(id));
    for (const transfer of await namedTransfers(ctx.graph, chain, address, missing)) {
      if (isWithin(transfer, period)) transfers.set(transfer.id, { transfer, owner: null });
    }
  }
}

function isWithin({ at }: Transfer, { from, to }: Pick<PackageRequest, 'from' | 'to'>): boolean {
  return (from === null || at >= from) && (to === null || at <= to);
}

/** Compares by time, chain, block, transaction and index in it. */
function inOrder({ transfer: a }: OwnedTransfer, { transfer: b }: OwnedTransfer): number {
  return (
    a.at - b.at ||
    compare(a.chain, b.chain) ||
    (a.block ?? 0) - (b.block ?? 0) ||
    compare(a.txHash, b.txHash) ||
    (a.seq ?? 0) - (b.seq ?? 0) ||
    compare(a.id, b.id)
  );
}

/** The best label in force of each party. */
async function labelsOf(
  ctx: Context,
  own: OwnLabels,
  transfers: readonly OwnedTransfer[],
): Promise<(chain: Chain, address: string) => Label | null> {
  const found = new Map<Chain, Map<string, Label[]>>();
  for (const [chain, owned] of groupBy(transfers, ({ transfer }) => transfer.chain)) {
    const parties = new Set(owned.flatMap(({ transfer }) => [transfer.from, transfer.to]));
    found.set(chain, await own.over(ctx.labels).find(chain, [...parties]));
  }
  const now = ctx.now();
  return (chain, address) =>
    found
      .get(chain)
      ?.get(address)
      ?.find((label) => isValidAt(label, now)) ?? null;
}

/** Returns the names by which evidence may call a transfer: a scan may have read it without its index. */
function namesOf(transfer: Transfer): string[] {
  return [...new Set([transferName(transfer), transferName({ ...transfer, index: null })])];
}

/** The detections of all addresses by the transfer that they name as evidence: a transfer between two has those of both. */
function detectionsOfTransfers(
  reports: readonly AddressReportInput[],
  language: Language,
): Map<string, DetectionOfTransfer[]> {
  const detections = new Map<string, DetectionOfTransfer[]>();
  for (const detection of reports.flatMap(({ scan }) => scan?.detections ?? [])) {
    const { detector_id: detectorId, severity, details } = detection;
    const found = { detectorId, severity, reason: describe(detection, language).description };
    for (const name of details.evidence) addToGroup(detections, name, found);
  }
  return detections;
}

/** Hops from a transfer of an address to the nearest illicit party that scan and exposure know of; null for none. */
function hopsToIllicit({ scan, exposure }: AddressReportInput): (transfer: Transfer) => number | null {
  const hops = new Map<string, number>();
  const note = (name: string, count: number) => hops.set(name, Math.min(count, hops.get(name) ?? count));
  for (const { details } of scan?.detections ?? []) {
    for (const way of details.ways ?? []) for (const name of way.path) note(name, way.hops);
  }
  for (const { category, top } of [...(exposure?.direct ?? []), ...(exposure?.indirect ?? [])]) {
    if (!isAdverseCategory(category)) continue;
    for (const party of top) for (const hop of party.path) note(hopName(hop.tx_hash, hop), party.hops);
  }
  return (transfer) => {
    const found = [...namesOf(transfer), hopName(transfer.txHash, transfer)].map((name) => hops.get(name));
    const known = found.filter((count) => count !== undefined);
    return known.length > 0 ? Math.min(...known) : null;
  };
}

function hopName(txHash: string, { from, to }: { from: string; to: string }): string {
  return `${txHash} ${from} ${to}`;
}

/** The sentence that names the receiver's customer; none where no tag does. */
function tagReason({ destinationTag: tag }: Transfer, language: Language): string[] {
  return tag === null ? [] : [fill(WORDS[language].requests.tag, { tag })];
}

/**
 * Sentences for the rows of a confirmed crossing: the transfer by which the money left its sender, and the one by which it
 * reached its recipient, each name the other's transaction and who confirmed the match when.
 */
function crossingReasons(confirmed: readonly BridgeFacts[], language: Language): (transfer: Transfer) => string[] {
  const say = WORDS[language].bridges;
  const left = new Map<string, string[]>();
  const arrived = new Map<string, string[]>();
  for (const { source, destination, confirmed: made } of confirmed) {
    if (!made) continue;
    const by = fill(say.confirmed, { by: made.by, at: moment(made.at, language) });
    const sent = fill(say.rowLeft, placeOf(destination)) + by;
    const received = fill(say.rowArrived, placeOf(source)) + by;
    addToGroup(left, `${source.chain} ${source.tx_hash} ${source.address}`, sent);
    addToGroup(arrived, `${destination.chain} ${destination.tx_hash} ${destination.address}`, received);
  }
  return ({ chain, txHash, from, to }) => [
    ...(left.get(`${chain} ${txHash} ${from}`) ?? []),
    ...(arrived.get(`${chain} ${txHash} ${to}`) ?? []),
  ];
}

function placeOf({ chain, tx_hash }: BridgeSide) {
  return { chain: chain ?? '', tx: tx_hash ?? '' };
}

import type { Context, RecordsContext } from '../../context.ts';
import type { Disposition } from '../../domain/case.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { slicesOf } from '../../domain/slices.ts';
import { iso } from '../../domain/time.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import { InvalidInputError } from '../../errors.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import { withinStorage } from '../../records/accounts/accounts.ts';
import { authorName } from '../../records/accounts/people.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { findCaseAddress, type ScannedCaseAddress } from '../../records/cases/addresses.ts';
import { requireNoApproval } from '../../records/cases/approvals.ts';
import { lockCase } from '../../records/cases/cases.ts';
import * as dispositions from '../../records/cases/dispositions.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import type { DispositionRow } from '../../records/database/tables/cases.ts';
import { findScanFields } from '../../records/scans/scans.ts';
import type { Detection } from '../../risk/detection.ts';

const ADDRESSES_AT_ONCE = 5;

/** Part of the money received and sent whose end a scan knows, 0-1; null where there is no money. */
export type AttributedShares = Record<Direction, number | null>;

const DETECTIONS = ['detections'];
const ATTRIBUTED = ['metadata', 'coverage', 'trace', 'attributed'];

/** An analyst's judgement of one detection of one address of the case. */
export interface DispositionRecord {
  address_id: string;
  detector_id: string;
  disposition: Disposition;
  reason: string;
  author: string;
  created_at: string;
  /** False once a newer scan shows evidence of that detection that was not judged, and where it is imported. */
  in_force: boolean;
  /** It came with an archive: no report rests on it until an analyst of the account judges. Absent in older packages. */
  imported: boolean;
}

export interface NewDisposition {
  address_id: string;
  detector_id: string;
  disposition: Disposition;
  reason: string;
}

/**
 * Judges a detection of the address's newest scan. Throws NotFoundError, InvalidInputError without such a detection, or
 * LimitError for a full case.
 */
export async function setDisposition(
  ctx: Context,
  tenant: Tenant,
  caseId: string,
  given: NewDisposition,
  { isApproved = false } = {},
): Promise<DispositionRecord> {
  const now = ctx.now();
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    const { last_scan_id, chain, address } = await findCaseAddress(records, tenant.accountId, caseId, given.address_id);
    if (last_scan_id === null) throw new InvalidInputError('Address has not been scanned');
    const scans = await findScanFields(records, tenant.accountId, [last_scan_id], DETECTIONS);
    const found = JSON.parse(scans.get(last_scan_id)!) as Detection[];
    const detection = found.find(({ detector_id }) => detector_id === given.detector_id);
    if (!detection) throw new InvalidInputError(`No such detection in the newest scan: ${given.detector_id}`);
    const isGrave = found.some(
      ({ detector_id, severity }) => detector_id === given.detector_id && severity === 'CRITICAL',
    );
    if (isGrave && given.disposition === 'dismissed' && !isApproved) {
      await requireNoApproval(records, tenant.accountId, 'dismiss_critical');
    }
    const row: DispositionRow = {
      case_id: caseId,
      address_id: given.address_id,
      detector_id: given.detector_id,
      disposition: given.disposition,
      reason: given.reason,
      author: await authorName(records, tenant.keyId),
      evidence: JSON.stringify(evidenceOf(found, given.detector_id)),
      created_at: now,
      imported: 0,
    };
    await dispositions.saveDisposition(records, row);
    const { detector_id, disposition } = given;
    const event = { kind: 'judged', chain, address, detector_id, disposition } as const;
    await insertEventNote(records, { caseId, event, keyId: tenant.keyId, now });
    const subject = `${given.address_id} ${given.detector_id} ${given.disposition}`;
    const entry = { action: 'disposition_set', subject, detail: `${chain}:${address}` } as const;
    await insertAudit(records, { ...tenant, caseId, ...entry }, now);
    return record(row, true);
  });
}

/**
 * The judgements of addresses of the account's cases, oldest first, and what the newest scan of each explains. Detections
 * are read of judged addresses only, a few at a time, with other work of the process in between.
 */
export async function readJudgements(
  { records }: RecordsContext,
  accountId: string,
  addresses: readonly ScannedCaseAddress[],
): Promise<{ dispositions: DispositionRecord[]; attributed: Map<string, AttributedShares | null> }> {
  const judgements: DispositionRecord[] = [];
  const attributed = new Map<string, AttributedShares | null>();
  for (const part of slicesOf(addresses, ADDRESSES_AT_ONCE)) {
    const ids = part.map(({ id }) => id);
    const scanIds = part.flatMap(({ last_scan_id }) => last_scan_id ?? []);
    const byAddress = groupBy(await dispositions.listDispositions(records, ids), ({ address_id }) => address_id);
    const judgedIds = part.flatMap(({ id, last_scan_id }) => (byAddress.has(id) ? (last_scan_id ?? []) : []));
    const shares = await findScanFields(records, accountId, scanIds, ATTRIBUTED);
    const found = await findScanFields(records, accountId, judgedIds, DETECTIONS);
    for (const { id, last_scan_id } of part) {
      attributed.set(id, JSON.parse(shares.get(last_scan_id ?? '') ?? 'null') as AttributedShares | null);
      const detections = JSON.parse(found.get(last_scan_id ?? '') ?? '[]') as Detection[];
      for (const row of byAddress.get(id) ?? []) judgements.push(record(row, isInForce(row, detections)));
    }
    await nextTurn();
  }
  judgements.sort(byTimeMade);
  return { dispositions: judgements, attributed };
}

/** Compares judgements: the oldest comes first. */
export function byTimeMade(a: DispositionRecord, b: DispositionRecord): number {
  return (
    compare(a.created_at, b.created_at) || compare(a.address_id, b.address_id) || compare(a.detector_id, b.detector_id)
  );
}

function isInForce({ evidence, detector_id, imported }: DispositionRow, detections: readonly Detection[]): boolean {
  if (imported) return false;
  const judged = new Set(JSON.parse(evidence) as string[]);
  return evidenceOf(detections, detector_id).every((one) => judged.has(one));
}

/** Transfers and labels that the detections of one detector rest on. */
function evidenceOf(detections: readonly Detection[], detectorId: string): string[] {
  const mine = detections.filter(({ detector_id }) => detector_id === detectorId);
  const transfers = mine.flatMap(({ details }) => details.evidence);
  const labels = mine.flatMap(({ details }) =>
    details.labels.map(({ source, category, address }) => `${source} ${category} ${address}`),
  );
  return [...new Set([...transfers, ...labels])].sort();
}

function record(row: DispositionRow, inForce: boolean): DispositionRecord {
  const { case_id: _case, evidence: _evidence, created_at, imported, ...fields } = row;
  return { ...fields, created_at: iso(created_at), in_force: inForce, imported: imported === 1 };
}

import type { Context } from '../../context.ts';
import type { Disposition } from '../../domain/case.ts';
import { iso } from '../../domain/time.ts';
import { InvalidInputError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { keyName } from '../../records/accounts/keys.ts';
import { findCaseAddress, listCaseAddresses } from '../../records/cases/addresses.ts';
import { insertAudit } from '../../records/cases/audit.ts';
import { lockCase } from '../../records/cases/cases.ts';
import * as dispositions from '../../records/cases/dispositions.ts';
import type { Records } from '../../records/database/database.ts';
import { findScanResults } from '../../records/scans/scans.ts';
import type { Detection } from '../../risk/detection.ts';

/** An analyst's judgement of one detection of one address of the case. */
export interface DispositionRecord {
  address_id: string;
  detector_id: string;
  disposition: Disposition;
  reason: string;
  author: string;
  created_at: string;
  /** False once a newer scan shows evidence of that detection that was not judged. */
  in_force: boolean;
}

export interface NewDisposition {
  address_id: string;
  detector_id: string;
  disposition: Disposition;
  reason: string;
}

/** Judges a detection of the address's newest scan. Throws NotFoundError, or InvalidInputError without such a detection. */
export async function setDisposition(
  ctx: Context,
  tenant: Tenant,
  caseId: string,
  given: NewDisposition,
): Promise<DispositionRecord> {
  const now = ctx.now();
  return ctx.records.transaction().execute(async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    const { last_scan_id } = await findCaseAddress(records, tenant.accountId, caseId, given.address_id);
    if (last_scan_id === null) throw new InvalidInputError('Address has not been scanned');
    const found = (await detectionsOf(records, tenant.accountId, [last_scan_id])).get(last_scan_id)!;
    const detection = found.find(({ detector_id }) => detector_id === given.detector_id);
    if (!detection) throw new InvalidInputError(`No such detection in the newest scan: ${given.detector_id}`);
    const row: dispositions.DispositionRow = {
      case_id: caseId,
      address_id: given.address_id,
      detector_id: given.detector_id,
      disposition: given.disposition,
      reason: given.reason,
      author: await keyName(records, tenant.keyId),
      evidence: JSON.stringify(evidenceOf(found, given.detector_id)),
      created_at: now,
    };
    await dispositions.saveDisposition(records, row);
    const subject = `${given.address_id} ${given.detector_id} ${given.disposition}`;
    await insertAudit(records, { ...tenant, caseId, action: 'disposition_set', subject }, now);
    return record(row, true);
  });
}

/** The judgements of a case that the account owns, oldest first. */
export async function listDispositions(ctx: Context, accountId: string, caseId: string): Promise<DispositionRecord[]> {
  const rows = await dispositions.listDispositions(ctx.records, caseId);
  if (rows.length === 0) return [];
  const addresses = await listCaseAddresses(ctx.records, accountId, caseId);
  const newest = new Map(addresses.map(({ id, last_scan_id }) => [id, last_scan_id]));
  const judged = [...new Set(rows.flatMap(({ address_id }) => newest.get(address_id) ?? []))];
  const found = await detectionsOf(ctx.records, accountId, judged);
  return rows.map((row) => {
    const evidence = evidenceOf(found.get(newest.get(row.address_id) ?? '') ?? [], row.detector_id);
    const known = new Set(JSON.parse(row.evidence) as string[]);
    return record(
      row,
      evidence.every((one) => known.has(one)),
    );
  });
}

async function detectionsOf(
  records: Records,
  accountId: string,
  scanIds: readonly string[],
): Promise<Map<string, Detection[]>> {
  const results = await findScanResults(records, accountId, scanIds);
  return new Map(
    [...results].map(([id, result]) => [id, (JSON.parse(result) as { detections: Detection[] }).detections]),
  );
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

function record(row: dispositions.DispositionRow, inForce: boolean): DispositionRecord {
  const { case_id: _case, evidence: _evidence, created_at, ...fields } = row;
  return { ...fields, created_at: iso(created_at), in_force: inForce };
}

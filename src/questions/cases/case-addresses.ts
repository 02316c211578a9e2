import { randomUUID } from 'node:crypto';
import type { Context, RecordsContext } from '../../context.ts';
import { CASE_ROLES, type CaseRole } from '../../domain/case.ts';
import { InvalidInputError } from '../../errors.ts';
import { withinStorage } from '../../records/accounts/accounts.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { changesOf, insertAudit } from '../../records/audit/audit-log.ts';
import * as addresses from '../../records/cases/addresses.ts';
import { findCase, lockCase, refuseOnHold } from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import type { Records } from '../../records/database/database.ts';
import type { CaseAddressChange, CaseAddressRow } from '../../records/database/tables/cases.ts';
import { findLatestScan } from '../../records/scans/scans.ts';
import { parseAddress } from '../parse-address.ts';
import { type HopsContext, hopsFromSubjects } from './case-hops.ts';
import { addressRecords } from './case-records.ts';

export interface CaseAddressFields {
  role?: string;
  label?: string | null;
  investigator_notes?: string | null;
  /** Transfers between it and a subject; null: as the graph shows it, and 0 for a new subject. */
  hop_distance?: number | null;
}

export interface NewCaseAddress extends CaseAddressFields {
  address: string;
  chain?: string;
}

/**
 * Throws NotFoundError, InvalidInputError for chain, address or role, LimitError for a full case, ConflictError for what
 * is there already.
 */
export async function addCaseAddress(
  ctx: HopsContext,
  tenant: Tenant,
  caseId: string,
  given: NewCaseAddress,
): Promise<addresses.ScannedCaseAddress> {
  const row = await newRow(ctx, tenant, caseId, given);
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    await insertRow(records, tenant, row);
    return addresses.findCaseAddress(records, tenant.accountId, caseId, row.id);
  });
}

/** Adds as `addCaseAddress` does, and answers with its level of now, which is found first: that may take the graph seconds. */
export async function answerCaseAddress(ctx: Context, tenant: Tenant, caseId: string, given: NewCaseAddress) {
  const row = await newRow(ctx, tenant, caseId, given);
  const scan = await findLatestScan(ctx.records, tenant.accountId, row);
  const scanned = {
    last_scan_id: scan?.id ?? null,
    last_risk_level: scan?.risk_level ?? null,
    last_scanned_at: scan?.created_at ?? null,
    last_rule_set: scan?.rule_set_version ?? null,
  };
  const [address] = await addressRecords(ctx, tenant.accountId, [{ ...row, ...scanned }]);
  return answerWithin(ctx.records, tenant, async (records) => {
    await insertRow(records, tenant, row);
    return { address: address! };
  });
}

async function newRow(
  ctx: HopsContext,
  { accountId }: Tenant,
  caseId: string,
  given: NewCaseAddress,
): Promise<CaseAddressRow> {
  await findCase(ctx.records, accountId, caseId);
  const { chain, address } = parseAddress(given.address, given.chain);
  const role = parseRole(given.role ?? 'subject');
  const measured = () => hopsFromSubjects(ctx, accountId, caseId, { chain, address });
  return {
    id: randomUUID(),
    case_id: caseId,
    chain,
    address,
    role,
    label: given.label ?? null,
    investigator_notes: given.investigator_notes ?? '',
    hop_distance: given.hop_distance ?? (role === 'subject' ? 0 : await measured()),
    created_at: ctx.now(),
  };
}

async function insertRow(records: Records, tenant: Tenant, row: CaseAddressRow): Promise<void> {
  const { case_id: caseId, chain, address, created_at: now } = row;
  await lockCase(records, tenant.accountId, caseId, now);
  await addresses.insertCaseAddress(records, row);
  const event = { kind: 'address_added', chain, address } as const;
  await insertEventNote(records, { caseId, event, keyId: tenant.keyId, now });
  await insertAudit(records, { ...tenant, caseId, action: 'address_added', subject: `${chain}:${address}` }, now);
}

/** Throws NotFoundError, InvalidInputError for nothing to change or a role that does not exist, or LimitError. */
export async function updateCaseAddress(
  ctx: HopsContext,
  tenant: Tenant,
  { caseId, addressId }: { caseId: string; addressId: string },
  fields: CaseAddressFields,
): Promise<addresses.ScannedCaseAddress> {
  let hops = fields.hop_distance;
  if (hops === null) {
    const row = await addresses.findCaseAddress(ctx.records, tenant.accountId, caseId, addressId);
    const isSubject = (fields.role ?? row.role) === 'subject';
    hops = isSubject ? 0 : await hopsFromSubjects(ctx, tenant.accountId, caseId, row);
  }
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    const now = ctx.now();
    await lockCase(records, tenant.accountId, caseId, now);
    const before = await addresses.findCaseAddress(records, tenant.accountId, caseId, addressId);
    const change: CaseAddressChange = {
      ...(fields.role === undefined ? {} : { role: parseRole(fields.role) }),
      ...(fields.label === undefined ? {} : { label: fields.label }),
      ...(fields.investigator_notes === undefined ? {} : { investigator_notes: fields.investigator_notes ?? '' }),
      ...(hops === undefined ? {} : { hop_distance: hops }),
    };
    if (Object.keys(change).length === 0) throw new InvalidInputError('No fields to update');
    await addresses.updateAddressRow(records, before, change);
    const entry = { action: 'address_updated', subject: `${before.chain}:${before.address}` } as const;
    const detail = changesOf(change, ['role', 'hop_distance']);
    await insertAudit(records, { ...tenant, caseId, ...entry, detail }, now);
    return addresses.findCaseAddress(records, tenant.accountId, caseId, addressId);
  });
}

/** Throws NotFoundError, or HeldError. */
export async function removeCaseAddress(
  ctx: RecordsContext,
  tenant: Tenant,
  { caseId, addressId }: { caseId: string; addressId: string },
): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    refuseOnHold(await lockCase(records, tenant.accountId, caseId, now));
    const { chain, address } = await addresses.deleteCaseAddress(records, caseId, addressId);
    const event = { kind: 'address_removed', chain, address } as const;
    await insertEventNote(records, { caseId, event, keyId: tenant.keyId, now });
    await insertAudit(records, { ...tenant, caseId, action: 'address_removed', subject: `${chain}:${address}` }, now);
  });
}

function parseRole(value: string): CaseRole {
  const role = CASE_ROLES.find((known) => known === value);
  if (!role) throw new InvalidInputError(`Invalid role: ${value}`);
  return role;
}

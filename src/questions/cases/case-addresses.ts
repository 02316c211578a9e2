import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { CASE_ROLES, type CaseRole } from '../../domain/case.ts';
import { InvalidInputError } from '../../errors.ts';
import { withinStorage } from '../../records/accounts/accounts.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { changesOf, insertAudit } from '../../records/audit/audit-log.ts';
import * as addresses from '../../records/cases/addresses.ts';
import { lockCase } from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import { parseAddress } from '../parse-address.ts';

export interface NewCaseAddress {
  address: string;
  chain?: string;
  role?: string;
  label?: string | null;
  investigator_notes?: string | null;
  /** Transfers between it and the subject; 0 for a subject, else 1, where left out. */
  hop_distance?: number;
}

export interface CaseAddressFields {
  role?: string;
  label?: string | null;
  investigator_notes?: string | null;
  hop_distance?: number;
}

/**
 * Throws NotFoundError, InvalidInputError for chain, address or role, LimitError for a full case, ConflictError for what
 * is there already.
 */
export async function addCaseAddress(
  ctx: Pick<Context, 'records' | 'now'>,
  tenant: Tenant,
  caseId: string,
  given: NewCaseAddress,
): Promise<addresses.ScannedCaseAddress> {
  const now = ctx.now();
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    const { chain, address } = parseAddress(given.address, given.chain);
    const role = parseRole(given.role ?? 'subject');
    const row: addresses.CaseAddressRow = {
      id: randomUUID(),
      case_id: caseId,
      chain,
      address,
      role,
      label: given.label ?? null,
      investigator_notes: given.investigator_notes ?? '',
      hop_distance: given.hop_distance ?? (role === 'subject' ? 0 : 1),
      created_at: now,
    };
    await addresses.insertCaseAddress(records, row);
    await insertEventNote(records, { caseId, event: { kind: 'address_added', chain, address }, now });
    await insertAudit(records, { ...tenant, caseId, action: 'address_added', subject: `${chain}:${address}` }, now);
    return addresses.findCaseAddress(records, tenant.accountId, caseId, row.id);
  });
}

/** Throws NotFoundError, InvalidInputError for nothing to change or a role that does not exist, or LimitError. */
export async function updateCaseAddress(
  ctx: Pick<Context, 'records' | 'now'>,
  tenant: Tenant,
  { caseId, addressId }: { caseId: string; addressId: string },
  fields: CaseAddressFields,
): Promise<addresses.ScannedCaseAddress> {
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    const now = ctx.now();
    await lockCase(records, tenant.accountId, caseId, now);
    const before = await addresses.findCaseAddress(records, tenant.accountId, caseId, addressId);
    const change: addresses.CaseAddressChange = {
      ...(fields.role === undefined ? {} : { role: parseRole(fields.role) }),
      ...(fields.label === undefined ? {} : { label: fields.label }),
      ...(fields.investigator_notes === undefined ? {} : { investigator_notes: fields.investigator_notes ?? '' }),
      ...(fields.hop_distance === undefined ? {} : { hop_distance: fields.hop_distance }),
    };
    if (Object.keys(change).length === 0) throw new InvalidInputError('No fields to update');
    await addresses.updateAddressRow(records, before, change);
    const entry = { action: 'address_updated', subject: `${before.chain}:${before.address}` } as const;
    const detail = changesOf(change, ['role', 'hop_distance']);
    await insertAudit(records, { ...tenant, caseId, ...entry, detail }, now);
    return addresses.findCaseAddress(records, tenant.accountId, caseId, addressId);
  });
}

/** Throws NotFoundError. */
export async function removeCaseAddress(
  ctx: Pick<Context, 'records' | 'now'>,
  tenant: Tenant,
  { caseId, addressId }: { caseId: string; addressId: string },
): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    const { chain, address } = await addresses.deleteCaseAddress(records, caseId, addressId);
    await insertEventNote(records, { caseId, event: { kind: 'address_removed', chain, address }, now });
    await insertAudit(records, { ...tenant, caseId, action: 'address_removed', subject: `${chain}:${address}` }, now);
  });
}

function parseRole(value: string): CaseRole {
  const role = CASE_ROLES.find((known) => known === value);
  if (!role) throw new InvalidInputError(`Invalid role: ${value}`);
  return role;
}

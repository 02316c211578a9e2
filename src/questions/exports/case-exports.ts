import type { Context, LabelsContext, RecordsContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isValidAt, type Label } from '../../domain/label.ts';
import { EXPORT_FORMS, exportName } from '../../exports/forms.ts';
import { goamlReport } from '../../exports/goaml.ts';
import type { CaseIndicators, Tlp } from '../../exports/indicators.ts';
import { ivms101Messages } from '../../exports/ivms101.ts';
import { mispEvent } from '../../exports/misp.ts';
import { stixBundle } from '../../exports/stix.ts';
import { type Actor, insertAudit } from '../../records/audit/audit-log.ts';
import { listCaseAddresses } from '../../records/cases/addresses.ts';
import { findCase, lockCase } from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import { writeCaseArchive } from '../cases/archive/write-archive.ts';
import { caseFiling } from './case-filing.ts';

/** A form in which a case leaves, and what it asks for. */
export type CaseExport =
  | { form: 'archive' | 'ivms101' }
  | { form: 'stix' | 'misp'; tlp: Tlp }
  | { form: 'goaml'; rentityId: number; indicator: string };

/**
 * Writes a case as a file for other systems, and into its timeline and the audit log that it did. Throws NotFoundError,
 * InvalidInputError without addresses, LimitError or GraphError.
 */
export async function exportCase(
  ctx: Context,
  actor: Actor,
  caseId: string,
  asked: CaseExport,
): Promise<{ name: string; type: string; content: Buffer | string }> {
  const content = await contentOf(ctx, actor, caseId, asked);
  const form = EXPORT_FORMS[asked.form];
  await noteExport(ctx, actor, caseId, exportName(form));
  return { name: exportName(form, caseId), type: form.type, content };
}

async function contentOf(ctx: Context, actor: Actor, caseId: string, asked: CaseExport): Promise<Buffer | string> {
  switch (asked.form) {
    case 'archive':
      return writeCaseArchive(ctx, actor, caseId);
    case 'stix':
      return stixBundle(await caseIndicators(ctx, actor, caseId, asked.tlp));
    case 'misp':
      return mispEvent(await caseIndicators(ctx, actor, caseId, asked.tlp));
    case 'ivms101':
      return ivms101Messages(await caseFiling(ctx, actor, caseId));
    case 'goaml':
      return goamlReport(await caseFiling(ctx, actor, caseId), asked);
  }
}

/** The addresses of a case with what is known of them; those of victims are left out. Throws NotFoundError. */
async function caseIndicators(
  ctx: RecordsContext & LabelsContext,
  { accountId }: Actor,
  caseId: string,
  tlp: Tlp,
): Promise<CaseIndicators> {
  const { title, priority, status, created_at } = await findCase(ctx.records, accountId, caseId);
  const addresses = (await listCaseAddresses(ctx.records, accountId, caseId)).filter(({ role }) => role !== 'victim');
  const labels = new Map<Chain, Map<string, Label[]>>();
  for (const [chain, rows] of groupBy(addresses, (row) => row.chain)) {
    const named = rows.map(({ address }) => address);
    labels.set(chain, await ctx.labels.find(chain, named));
  }
  const now = ctx.now();
  const indicators = addresses.map(({ chain, address, role, created_at: addedAt }) => {
    const label = labels
      .get(chain)
      ?.get(address)
      ?.find((one) => isValidAt(one, now));
    return {
      chain,
      address,
      role,
      category: label?.category ?? 'unknown',
      confidence: label?.confidence ?? null,
      source: label?.source ?? null,
      label: label?.label ?? null,
      addedAt,
    };
  });
  return { caseId, title, priority, status, openedAt: created_at, exportedAt: now, tlp, indicators };
}

/** Writes into timeline and audit log which file of the case was made. Throws NotFoundError or LimitError. */
async function noteExport(ctx: RecordsContext, actor: Actor, caseId: string, file: string): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    await lockCase(records, actor.accountId, caseId, now);
    await insertEventNote(records, { caseId, event: { kind: 'case_exported', file }, now });
    await insertAudit(records, { ...actor, caseId, action: 'case_exported', subject: file }, now);
  });
}

import type { Context, LabelsContext, RecordsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { CaseRole } from '../../domain/case.ts';
import type { Chain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isSure, isValidAt, KNOW_CUSTOMERS, type Label, serviceName } from '../../domain/label.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { InvalidInputError } from '../../errors.ts';
import type { CaseFiling, FilingParty } from '../../exports/case-filing.ts';
import { EXPORT_FORMS, exportName } from '../../exports/forms.ts';
import { goamlReport } from '../../exports/goaml.ts';
import type { CaseIndicators, Tlp } from '../../exports/indicators.ts';
import { ivms101Messages } from '../../exports/ivms101.ts';
import { mispEvent } from '../../exports/misp.ts';
import { stixBundle } from '../../exports/stix.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import { newestTransfers, TRANSFERS_MAX } from '../../graph/queries/read-history.ts';
import { type Actor, insertAudit } from '../../records/audit/audit-log.ts';
import { listCaseAddresses, type ScannedCaseAddress } from '../../records/cases/addresses.ts';
import { findCase, lockCase } from '../../records/cases/cases.ts';
import { allNotes, insertEventNote } from '../../records/cases/notes.ts';
import { writeCaseArchive } from '../cases/archive/write-archive.ts';
import { isBystander } from '../cases/report-package/transaction-totals.ts';

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
    await insertEventNote(records, { caseId, event: { kind: 'case_exported', file }, keyId: actor.keyId, now });
    await insertAudit(records, { ...actor, caseId, action: 'case_exported', subject: file }, now);
  });
}

/** Transfers in a file: a form of more is filed by nobody. */
const TRANSFERS_IN_FILE = 1_000;
/** Transfers that are read for it. */
const TRANSFERS_READ = 100_000;

/**
 * Reads what the case knows of its transfers, within bounds; asks no chain. Throws NotFoundError, InvalidInputError
 * without addresses, or GraphError.
 */
async function caseFiling(ctx: Context, { accountId }: Actor, caseId: string): Promise<CaseFiling> {
  const { title, description } = await findCase(ctx.records, accountId, caseId);
  const addresses = await listCaseAddresses(ctx.records, accountId, caseId);
  if (addresses.length === 0) throw new InvalidInputError('Case has no addresses');
  const notes = (await allNotes(ctx.records, caseId)).filter(
    ({ event, note_type }) => event === null && (note_type === 'finding' || note_type === 'decision'),
  );
  const { transfers, leftOut, cutAddresses } = await readTransfers(ctx, addresses);
  const partyOf = await readParties(ctx, addresses, transfers);
  return {
    caseId,
    title,
    description,
    findings: notes.toSorted((a, b) => a.created_at - b.created_at).map(({ content }) => content),
    madeAt: ctx.now(),
    addresses: addresses.map(({ chain, address }) => ({ chain, ...partyOf(chain, address) })),
    transfers: transfers.map((transfer) => ({
      transfer,
      from: partyOf(transfer.chain, transfer.from),
      to: partyOf(transfer.chain, transfer.to),
    })),
    leftOut,
    cutAddresses,
  };
}

/** The transfers of greatest value, in order of time; of services and victims those with another address of the case. */
async function readTransfers({ graph }: Context, addresses: readonly ScannedCaseAddress[]) {
  const inCase = new Set(addresses.map(({ chain, address }) => addressKey(chain, address)));
  const byId = new Map<string, Transfer>();
  const cutAddresses: string[] = [];
  const pause = timeSlices();
  let read = 0;
  for (const { chain, address, role } of addresses) {
    const most = Math.min(TRANSFERS_MAX, TRANSFERS_READ - read);
    const newest = most > 0 ? await newestTransfers(graph, chain, address, most) : [];
    read += newest.length;
    if (newest.length >= most) cutAddresses.push(`${chain}:${address}`);
    for (const transfer of newest) {
      const other = transfer.from === address ? transfer.to : transfer.from;
      if (!isBystander(role) || inCase.has(addressKey(chain, other))) byId.set(transfer.id, transfer);
    }
    await pause();
  }
  const byValue = [...byId.values()].sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0) || b.at - a.at || compare(a.id, b.id));
  return {
    transfers: byValue.slice(0, TRANSFERS_IN_FILE).sort(compareTransfers),
    leftOut: Math.max(0, byValue.length - TRANSFERS_IN_FILE),
    cutAddresses,
  };
}

async function readParties(
  { labels, now }: Context,
  addresses: readonly ScannedCaseAddress[],
  transfers: readonly Transfer[],
): Promise<(chain: Chain, address: string) => FilingParty> {
  const roles = new Map<string, CaseRole>(addresses.map((row) => [addressKey(row.chain, row.address), row.role]));
  const found = new Map<Chain, Map<string, Label[]>>();
  const parties = [
    ...addresses.map(({ chain, address }) => ({ chain, address })),
    ...transfers.flatMap(({ chain, from, to }) => [from, to].map((address) => ({ chain, address }))),
  ];
  for (const [chain, rows] of groupBy(parties, (party) => party.chain)) {
    found.set(chain, await labels.find(chain, [...new Set(rows.map(({ address }) => address))]));
  }
  const at = now();
  return (chain, address) => {
    const label = found
      .get(chain)
      ?.get(address)
      ?.find((one) => isValidAt(one, at));
    const isService = label !== undefined && isSure(label) && KNOW_CUSTOMERS.includes(label.category);
    return {
      address,
      role: roles.get(addressKey(chain, address)) ?? null,
      service: isService ? label.entity || serviceName(label.label) : null,
      category: label?.category ?? null,
      source: label?.source ?? null,
    };
  };
}

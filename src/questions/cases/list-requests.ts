import type { Language } from '../../../words/language.ts';
import type { RecordsContext } from '../../context.ts';
import { iso } from '../../domain/time.ts';
import { NotFoundError } from '../../errors.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { findCase, lockCase } from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import { FUNDS_HOPS } from '../../tracing/answers/funds/funds-of.ts';
import { getCaseFunds } from '../../tracing/answers/funds/get-case-funds.ts';
import { fundsOnPlan } from '../../tracing/answers/funds/plan-funds.ts';
import type { TraceContext } from '../../tracing/read/trace-money.ts';
import { type FreezingRequest, freezingRequests, type RequestPage, requestText } from './freezing-requests.ts';

/** Transfers that a request names of one address. */
const ARRIVALS_MAX = 1_000;

type Asked = TraceContext & RecordsContext;

/** The requests to the services where the money of a case arrived, with their texts. Throws NotFoundError or GraphError. */
export async function listRequests(ctx: Asked, tenant: Tenant, caseId: string, language: Language) {
  const { requests, note, page } = await requestsOf(ctx, tenant, caseId, language);
  return { requests: requests.map((request) => ({ ...request, text: requestText({ request, ...page }) })), note };
}

/** One of the same. Throws NotFoundError for an id that the account of the case does not have. */
export async function getRequest(
  ctx: Asked,
  tenant: Tenant,
  { caseId, requestId }: { caseId: string; requestId: string },
  language: Language,
): Promise<RequestPage> {
  const { requests, page } = await requestsOf(ctx, tenant, caseId, language);
  const request = requests.find(({ id }) => id === requestId);
  if (!request) throw new NotFoundError();
  return { request, ...page };
}

async function requestsOf(ctx: Asked, tenant: Tenant, caseId: string, language: Language) {
  const { title: caseTitle } = await findCase(ctx.records, tenant.accountId, caseId);
  const bounds = { maxHops: FUNDS_HOPS.usual, arrivalsMax: ARRIVALS_MAX, withPatterns: false };
  const asked = { direction: 'sent', method: 'range', lang: language, ...bounds } as const;
  const funds = fundsOnPlan(await getCaseFunds(ctx, tenant, caseId, asked), tenant.plan, language);
  const page = { caseTitle, madeAt: iso(ctx.now()), language };
  return { requests: freezingRequests(caseId, funds), note: funds.note, page };
}

/** Writes into timeline and audit log that the page of a request was made. Throws NotFoundError. */
export async function noteRequest(
  ctx: RecordsContext,
  tenant: Tenant,
  caseId: string,
  { service, reference }: FreezingRequest,
): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    await insertEventNote(records, {
      caseId,
      event: { kind: 'request_downloaded', service, reference },
      keyId: tenant.keyId,
      now,
    });
    await insertAudit(records, { ...tenant, caseId, action: 'request_downloaded', subject: reference }, now);
  });
}

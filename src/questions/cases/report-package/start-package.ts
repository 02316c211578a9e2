import type { Context } from '../../../context.ts';
import { chainFamily } from '../../../domain/chain.ts';
import { ConflictError, InvalidInputError } from '../../../errors.ts';
import { withinStorage } from '../../../records/accounts/accounts.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { insertAudit } from '../../../records/audit/audit-log.ts';
import { listCaseAddresses } from '../../../records/cases/addresses.ts';
import { requireNoApproval } from '../../../records/cases/approvals.ts';
import { lockCase } from '../../../records/cases/cases.ts';
import { requireEntryRoom } from '../../../records/cases/notes.ts';
import type { StoredJob } from '../../../records/database/tables/jobs.ts';
import { insertJob, isLive, listCaseJobs } from '../../../records/jobs/jobs.ts';
import { queueWithin } from '../../jobs/queue-within.ts';
import { packageUrl } from './get-packages.ts';
import { PACKAGE_FILES, type PackageRequest, type WantedPackage } from './package-inputs.ts';
import { PACKAGE_STEPS } from './run-package.ts';

/**
 * Queues a report package of a case. Throws NotFoundError, ConflictError while another one of the case is generated,
 * InvalidInputError for a case without addresses or a period that ends before it begins, or LimitError for a full timeline.
 */
export async function startPackage(ctx: Context, tenant: Tenant, caseId: string, wanted: WantedPackage) {
  return queueWithin(ctx, tenant, async (records, offer) => {
    await requireNoApproval(records, tenant.accountId, 'package');
    const job = await queuePackage({ ...ctx, records }, tenant, caseId, wanted);
    offer(job);
    const url = packageUrl(caseId, job.id);
    return {
      success: true as const,
      generation_id: job.id,
      status: job.status,
      status_url: `/api/v1/cases/${caseId}/str-package/status`,
      download_url: `${url}/download`,
      draft_url: `${url}/${PACKAGE_FILES.draft}`,
      csv_url: `${url}/${PACKAGE_FILES.transactions}`,
    };
  });
}

/** Inserts the job of a package, which the caller offers to the workers. Throws as `startPackage`. */
export async function queuePackage(
  ctx: Context,
  tenant: Tenant,
  caseId: string,
  { language, from, to, proofs, approvedBy }: WantedPackage,
): Promise<StoredJob> {
  const now = ctx.now();
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    const earlier = await listCaseJobs(records, caseId, 'str_package');
    if (earlier.some((one) => isLive(one, now))) {
      throw new ConflictError('A report package is already being generated for this case');
    }
    const [address] = await listCaseAddresses(records, tenant.accountId, caseId);
    if (!address) throw new InvalidInputError('Case has no addresses');
    if (from !== null && to !== null && to <= from) throw new InvalidInputError('to must be later than from');
    await requireEntryRoom(records, caseId);
    const input: PackageRequest = { keyId: tenant.keyId, approvedBy, language, from, to, proofs };
    const created = await insertJob(
      records,
      {
        ...{ accountId: tenant.accountId, type: 'str_package', caseId, input, total: PACKAGE_STEPS },
        // One that asks chains for long keeps none waiting that asks none.
        lane: proofs ? chainFamily(address.chain) : 'any',
      },
      now,
    );
    await insertAudit(records, { ...tenant, caseId, action: 'package_requested', subject: created.id }, now);
    return created;
  });
}

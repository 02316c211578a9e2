import type { Context } from '../../context.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import {
  cannotRebuild,
  getPackage,
  listPackages,
  notePackageDownload,
  outputHash,
} from '../../questions/cases/report-package/get-packages.ts';
import { openFile, openZip } from '../../questions/cases/report-package/package-files.ts';
import { PACKAGE_FILES } from '../../questions/cases/report-package/package-inputs.ts';
import { startPackage } from '../../questions/cases/report-package/start-package.ts';
import { fileAnswer, PDF, sendFile } from '../file-answer.ts';
import { CaseParams, uuid } from '../schemas.ts';
import { PackageAcceptedSchema, PackageBody, PackageListSchema } from './report-package-schemas.ts';

const FileParams = CaseParams.extend({ generation_id: uuid.describe('From GET /cases/{case_id}/str-package/status') });
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const tags = ['Cases'];
const HEADERS = {
  'X-STR-Generation-Id': { description: 'The generation' },
  'X-STR-Output-Hash': {
    description:
      'SHA-256 of its evidence PDF, fixed when it was generated; of a signed one that of its bytes before the signature',
  },
  'X-STR-Degraded': { enum: ['0', '1'], description: '`1` where a simpler rendering is served' },
} as const;

const FILES = [
  {
    path: 'download',
    operationId: 'downloadEvidence',
    summary: 'Evidence of a report package as PDF (Enterprise)',
    type: PDF,
    name: PACKAGE_FILES.evidence,
  },
  {
    path: PACKAGE_FILES.draft,
    operationId: 'downloadDraft',
    summary: 'Editable draft of a report package (Enterprise)',
    type: DOCX,
    name: PACKAGE_FILES.draft,
  },
  {
    path: PACKAGE_FILES.transactions,
    operationId: 'downloadTransactions',
    summary: 'Transactions of a report package as CSV (Enterprise)',
    type: 'text/csv; charset=utf-8',
    name: PACKAGE_FILES.transactions,
  },
  {
    path: PACKAGE_FILES.columns,
    operationId: 'downloadColumns',
    summary: 'What the columns of the CSV hold (Enterprise)',
    type: 'application/json',
    name: PACKAGE_FILES.columns,
  },
  {
    path: PACKAGE_FILES.proofs,
    operationId: 'downloadPackageProofs',
    summary: 'Proofs of the transactions of a report package (Enterprise)',
    type: 'application/json',
    name: PACKAGE_FILES.proofs,
  },
  {
    path: PACKAGE_FILES.page,
    operationId: 'downloadVerifyPage',
    summary: 'Page that checks the proofs of a report package in a browser without a network (Enterprise)',
    type: 'text/html; charset=utf-8',
    name: PACKAGE_FILES.page,
  },
  {
    path: PACKAGE_FILES.manifest,
    operationId: 'downloadManifest',
    summary: 'Files of a report package with their digests, and what it was made from (Enterprise)',
    type: 'application/json',
    name: PACKAGE_FILES.manifest,
  },
  {
    path: PACKAGE_FILES.stamp,
    operationId: 'downloadTimestamp',
    summary: 'Time stamp of the manifest of a report package, as its authority answered (Enterprise)',
    type: 'application/timestamp-reply',
    name: PACKAGE_FILES.stamp,
  },
  {
    path: PACKAGE_FILES.whole,
    operationId: 'downloadPackage',
    summary: 'All files of a report package as one ZIP (Enterprise)',
    type: 'application/zip',
    name: PACKAGE_FILES.whole,
  },
] as const;

export async function packageRoutes(app: App, ctx: Context): Promise<void> {
  const config = { access: 'key', feature: 'reportPackage' } as const;

  app.post(
    '/cases/:case_id/str-package',
    {
      config: { ...config, rights: ['cases'], idempotent: true },
      schema: {
        operationId: 'startReportPackage',
        summary: 'Generate the report package of a case (Enterprise)',
        description:
          'Evidence as PDF, an editable draft as DOCX, and the transactions as CSV, from what is known now: only `proofs` ' +
          'asks chains. The files are kept, so that every download gives the same bytes. One at a time for each case.',
        tags,
        params: CaseParams,
        body: PackageBody,
        response: { 202: PackageAcceptedSchema, ...refusals(400, 404, 409) },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await startPackage(ctx, tenantOf(request), request.params.case_id, request.body)),
  );

  app.get(
    '/cases/:case_id/str-package/status',
    {
      config: { ...config, rights: ['read'] },
      schema: {
        operationId: 'listReportPackages',
        summary: 'The report packages of a case (Enterprise)',
        tags,
        params: CaseParams,
        response: { 200: PackageListSchema, ...refusals(404) },
      },
    },
    async (request) => ({ generations: await listPackages(ctx, tenantOf(request), request.params.case_id) }),
  );

  for (const { path, operationId, summary, type, name } of FILES) {
    app.get(
      `/cases/:case_id/str-package/:generation_id/${path}`,
      {
        config: { ...config, rights: ['cases'], ...(name === PACKAGE_FILES.whole && { turn: 'waits' }) },
        schema: {
          operationId,
          summary,
          description:
            'The bytes of the generation. 409 while it is generated or failed, 410 where they were not kept.',
          tags,
          params: FileParams,
          response: {
            200: fileAnswer(type, HEADERS),
            ...refusals(404, new ConflictError('Report package is not ready: queued'), cannotRebuild()),
          },
        },
      },
      async (request, reply) => {
        const { case_id: caseId, generation_id: generationId } = request.params;
        const tenant = tenantOf(request);
        const found = await getPackage(ctx, tenant, { caseId, generationId });
        const { names } = found;
        const isWhole = name === PACKAGE_FILES.whole;
        if (!isWhole && !names.includes(name)) throw new NotFoundError();
        const content = isWhole ? await openZip(ctx, generationId, names) : await openFile(ctx, generationId, name);
        const hash = outputHash(found.files);
        if (!content || !hash) throw cannotRebuild();
        await notePackageDownload(ctx, tenant, caseId, { generationId, name });
        reply
          .header('X-STR-Generation-Id', generationId)
          .header('X-STR-Output-Hash', hash)
          .header('X-STR-Degraded', found.degraded ? '1' : '0');
        return sendFile(reply, { name: `${generationId}-${name}`, type, content });
      },
    );
  }
}

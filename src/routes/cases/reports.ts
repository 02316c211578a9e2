import { z } from 'zod';
import { reports } from '../../../reports/render.ts';
import { LANGUAGES } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import { timestamp } from '../../domain/fields.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { gatherAddressReport, noteAddressReport } from '../../questions/cases/report/gather-address-report.ts';
import { gatherCaseReport, noteReport } from '../../questions/cases/report/gather-case-report.ts';
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
import { parseAddress } from '../../questions/parse-address.ts';
import { givenAddress, success } from '../fields.ts';
import { fileAnswer, PDF, pdfAnswer, sendFile, sendPdf } from '../file-answer.ts';
import { JobStatusSchema, statusUrl } from '../scans/job-schemas.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { CaseParams, fileLanguage, languageOf, momentField, uuid, wholeNumber } from '../schemas.ts';
import { orderedBy, requestRoutes } from './requests.ts';

const generationId = z.guid().describe('Names the files of one generation');

const PackageBody = z
  .object({
    language: z.enum(LANGUAGES).default('ja').describe('Of all files of the package'),
    from: momentField.nullish().meta({ description: 'Transactions before are left out' }),
    to: momentField.nullish().meta({ description: 'Transactions after are left out' }),
    proofs: z
      .boolean()
      .default(false)
      .describe('Asks the chains for proofs of up to 2,000 transactions, which takes minutes, and adds `proofs.json`'),
  })
  .nullish()
  .transform((body) => ({
    language: body?.language ?? 'ja',
    from: body?.from ?? null,
    to: body?.to ?? null,
    proofs: body?.proofs ?? false,
  }));

const PackageAcceptedSchema = z
  .object({
    success,
    generation_id: generationId,
    status: JobStatusSchema,
    status_url: statusUrl,
    download_url: z.string().describe('Path of the evidence, PDF'),
    draft_url: z.string().describe('Path of the draft, DOCX'),
    csv_url: z.string().describe('Path of the transactions, CSV'),
  })
  .meta({ id: 'ReportPackageAccepted' });

const PackageRecord = z
  .object({
    generation_id: generationId,
    language: z.enum(LANGUAGES).describe('Of all files of the package'),
    approved_by: z.string().nullable().describe('The person who approved it; null where the account asked for none'),
    status: JobStatusSchema,
    progress: z.number().describe('0 to 1'),
    files: z.array(z.string()).describe('Names of its files beside `manifest.json`; empty before it is generated'),
    output_hash: z
      .string()
      .nullable()
      .describe('SHA-256 of the evidence PDF without its signature, fixed at generation; null before'),
    timestamp: z
      .enum(['none', 'pending', 'stamped', 'failed'])
      .describe(
        'Of `manifest.json` by the authority of `TSA_URL`: `pending` is asked again for a day, `none` where none is set',
      ),
    degraded: z.boolean().describe('True where the evidence could be drawn in its simple form only'),
    created_at: timestamp.describe('When it was asked for'),
    completed_at: timestamp.nullable().describe('When it ended; null before'),
    error_message: z.string().nullable().describe('Why it failed; null otherwise'),
  })
  .meta({ id: 'ReportPackage' });

export const PackageListSchema = z
  .object({
    generations: z.array(PackageRecord).describe('Newest first'),
  })
  .meta({ id: 'ReportPackages' });

/** Ends of the money that a report about one address names. */
const ENDS_MAX = 40;

const boards = z
  .enum(['on', 'off'])
  .default('off')
  .describe('`on` adds the boards of the case as pages, at most the 10 saved last');

export async function reportRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/risk-report/:address',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getRiskReport',
        summary: 'PDF about one address: your newest scan of it, exposure, counterparties, method',
        description:
          'Asks no chain. The exposure is left out, and the report says so, where its analysis takes too long.',
        tags: ['Investigation'],
        params: z.object({ address: givenAddress }),
        querystring: z.object({
          chain: chainText.optional(),
          max_hops: wholeNumber({ min: 1, max: 5, fallback: 3 }).describe(
            'Transfers that the exposure goes back and forth',
          ),
          ...fileLanguage,
        }),
        response: { 200: pdfAnswer(), ...refusals(400) },
      },
    },
    async (request, reply) => {
      const { chain, max_hops: maxHops } = request.query;
      const { language } = languageOf(request.query);
      const parsed = parseAddress(request.params.address, chain);
      const tenant = tenantOf(request);
      reports.prepare();
      const { input } = await gatherAddressReport(ctx, tenant, {
        ...{ ...parsed, maxHops, language },
        ...{ endsMax: ENDS_MAX, withHolder: true },
      });
      const pdf = await reports.render({ report: 'address', input }, orderedBy(request, reply));
      await noteAddressReport(ctx, tenant, parsed);
      return sendPdf(ctx, reply, { name: `risk-report-${parsed.address}.pdf`, pdf });
    },
  );

  app.get(
    '/cases/:case_id/report.pdf',
    {
      config: { turn: 'waits', access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'getCaseReport',
        summary: 'PDF about every address of a case',
        description: 'Written into the timeline of the case. Asks no chain.',
        tags: ['Cases'],
        params: CaseParams,
        querystring: z.object({ ...fileLanguage, boards }),
        response: { 200: pdfAnswer(), ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { case_id: caseId } = request.params;
      const tenant = tenantOf(request);
      reports.prepare();
      const { input } = await gatherCaseReport(ctx, tenant, {
        caseId,
        ...languageOf(request.query),
        withBoards: request.query.boards === 'on',
      });
      const pdf = await reports.render({ report: 'case', input }, orderedBy(request, reply));
      await noteReport(ctx, tenant, caseId, input);
      return sendPdf(ctx, reply, { name: `case-${caseId}.pdf`, pdf });
    },
  );

  await requestRoutes(app, ctx);
  await packageRoutes(app, ctx);
}

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

async function packageRoutes(app: App, ctx: Context): Promise<void> {
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

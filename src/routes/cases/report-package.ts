import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { packageRenderer, type ReportRenderer } from '../../../reports/render.ts';
import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { columnsJson } from '../../questions/cases/report-package/columns.ts';
import {
  cannotRebuild,
  fileOf,
  type GeneratedPackage,
  getPackage,
  listPackages,
  manifestJson,
  notePackageDownload,
} from '../../questions/cases/report-package/get-packages.ts';
import { PACKAGE_FILES, type PackageRenderer } from '../../questions/cases/report-package/package-inputs.ts';
import { startPackage } from '../../questions/cases/report-package/start-package.ts';
import { uuid } from '../schemas.ts';
import { CaseParams } from './case-schemas.ts';
import { orderedBy } from './ordered-by.ts';
import { PackageAccepted, PackageList, PackageRequest } from './report-package-schemas.ts';

const FileParams = CaseParams.extend({ generation_id: uuid.describe('From GET /cases/{case_id}/str-package/status') });
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const tags = ['Cases'];

export async function packageRoutes(app: App, ctx: Context, reports: ReportRenderer): Promise<void> {
  const config = { access: 'key', feature: 'reportPackage' } as const;

  app.post(
    '/cases/:case_id/str-package',
    {
      config: { ...config, idempotent: true },
      schema: {
        operationId: 'startReportPackage',
        summary: 'Generate the report package of a case (Enterprise)',
        description:
          'Evidence as PDF, an editable draft as DOCX, and the transactions as CSV, from what is known now: asks no ' +
          'chain. The inputs are frozen, so that downloads give the same bytes. One at a time for each case.',
        tags,
        params: CaseParams,
        body: PackageRequest,
        response: { 202: PackageAccepted, ...refusals(400, 404, 409) },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await startPackage(ctx, tenantOf(request), request.params.case_id, request.body)),
  );

  app.get(
    '/cases/:case_id/str-package/status',
    {
      config,
      schema: {
        operationId: 'listReportPackages',
        summary: 'The report packages of a case (Enterprise)',
        tags,
        params: CaseParams,
        response: { 200: PackageList, ...refusals(404) },
      },
    },
    async (request) => ({ generations: await listPackages(ctx, tenantOf(request), request.params.case_id) }),
  );

  /** A file of a generated package, drawn again; refused with 410 unless it is what was generated. */
  const file = (
    path: string,
    about: { operationId: string; summary: string; type: string; name: string },
    draw: (found: GeneratedPackage, renderer: PackageRenderer, request: FastifyRequest) => Promise<Buffer | Readable>,
  ) =>
    app.get(
      `/cases/:case_id/str-package/:generation_id/${path}`,
      {
        config,
        schema: {
          operationId: about.operationId,
          summary: about.summary,
          description:
            'Drawn again from the frozen inputs. 409 while it is generated or failed, 410 where it cannot be.',
          tags,
          params: FileParams,
          response: { 200: fileAnswer(about.type), ...refusals(404, 409, 410) },
        },
      },
      async (request, reply) => {
        const { case_id: caseId, generation_id: generationId } = request.params;
        const tenant = tenantOf(request);
        const found = await getPackage(ctx, tenant, { caseId, generationId });
        const content = await draw(found, packageRenderer(reports, orderedBy(request, reply)), request);
        await notePackageDownload(ctx, tenant, caseId, { generationId, name: about.name });
        return sendFile(reply, found, { ...about, content });
      },
    );

  file(
    'download',
    {
      operationId: 'downloadEvidence',
      summary: 'Evidence of a report package as PDF (Enterprise)',
      type: 'application/pdf',
      name: PACKAGE_FILES.evidence,
    },
    async (found, renderer) => {
      const before = [fileOf(found, PACKAGE_FILES.transactions), fileOf(found, PACKAGE_FILES.columns)];
      const pdf = await renderer.evidence(found.inputs, before, { simple: found.degraded });
      return asGenerated(found, PACKAGE_FILES.evidence, pdf);
    },
  );

  file(
    PACKAGE_FILES.draft,
    {
      operationId: 'downloadDraft',
      summary: 'Editable draft of a report package (Enterprise)',
      type: DOCX,
      name: PACKAGE_FILES.draft,
    },
    async (found, renderer) => {
      const before = found.files.filter(({ name }) => name !== PACKAGE_FILES.draft);
      return asGenerated(found, PACKAGE_FILES.draft, await renderer.draft(found.inputs, before));
    },
  );

  file(
    PACKAGE_FILES.transactions,
    {
      operationId: 'downloadTransactions',
      summary: 'Transactions of a report package as CSV (Enterprise)',
      type: 'text/csv; charset=utf-8',
      name: PACKAGE_FILES.transactions,
    },
    async (found, renderer) => {
      const csv = () => renderer.transactions(found.rows());
      const hash = createHash('sha256');
      for await (const chunk of csv()) hash.update(chunk);
      if (hash.digest('hex') !== fileOf(found, PACKAGE_FILES.transactions).sha256) throw cannotRebuild();
      return Readable.from(csv());
    },
  );

  file(
    PACKAGE_FILES.columns,
    {
      operationId: 'downloadColumns',
      summary: 'What the columns of the CSV hold (Enterprise)',
      type: 'application/json',
      name: PACKAGE_FILES.columns,
    },
    async (found) => asGenerated(found, PACKAGE_FILES.columns, Buffer.from(columnsJson(found.inputs.language))),
  );

  file(
    'manifest.json',
    {
      operationId: 'downloadManifest',
      summary: 'Files of a report package with their digests, and what it was made from (Enterprise)',
      type: 'application/json',
      name: 'manifest.json',
    },
    async (found) => Buffer.from(manifestJson(found)),
  );
}

/** Untyped, since the handler sends bytes. */
function fileAnswer(type: string): object {
  const headers = {
    'X-STR-Generation-Id': { schema: { type: 'string' } },
    'X-STR-Output-Hash': { schema: { type: 'string' }, description: 'SHA-256 of the evidence PDF' },
    'X-STR-Degraded': { schema: { type: 'string', enum: ['0', '1'] } },
  };
  const [mediaType = type] = type.split(';');
  const schema = z.string().meta({ format: 'binary', description: 'The file' });
  return { description: 'The file', headers, content: { [mediaType]: { schema } } };
}

function asGenerated(found: GeneratedPackage, name: string, content: Buffer): Buffer {
  const digest = createHash('sha256').update(content).digest('hex');
  if (digest !== fileOf(found, name).sha256) throw cannotRebuild();
  return content;
}

function sendFile(
  reply: FastifyReply,
  found: GeneratedPackage,
  { type, name, content }: { type: string; name: string; content: Buffer | Readable },
): FastifyReply {
  return reply
    .type(type)
    .header('Content-Disposition', `attachment; filename="${found.inputs.generationId}-${name}"`)
    .header('X-STR-Generation-Id', found.inputs.generationId)
    .header('X-STR-Output-Hash', fileOf(found, PACKAGE_FILES.evidence).sha256)
    .header('X-STR-Degraded', found.degraded ? '1' : '0')
    .send(content);
}

import { z } from 'zod';
import type { Context } from '../../context.ts';
import { LimitError, PlanLimitError } from '../../errors.ts';
import { EXPORT_FORMS, INDICATOR_CODE } from '../../exports/forms.ts';
import { TLP } from '../../exports/indicators.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { ARCHIVE_LIMITS } from '../../questions/cases/archive/archive-files.ts';
import { importCase } from '../../questions/cases/archive/import-case.ts';
import { exportCase } from '../../questions/exports/case-exports.ts';
import { fileAnswer, sendFile } from '../file-answer.ts';
import { CaseParams, wholeNumber } from '../schemas.ts';
import { CaseSchema } from './case-schemas.ts';

const INDICATORS = ['stix', 'misp'] as const;

/** Files of a case for other systems. */
export async function caseExportRoutes(app: App, ctx: Context): Promise<void> {
  for (const form of INDICATORS) {
    const { path, type, operationId, summary } = EXPORT_FORMS[form];
    app.get(
      path,
      {
        config: { access: 'key', rights: ['cases'] },
        schema: {
          operationId,
          summary,
          description:
            'Every address but those of victims, with the category and confidence of its best label in force; ids are the same ' +
            'at each export. Written into the timeline of the case.',
          tags: ['Cases'],
          params: CaseParams,
          querystring: z.object({
            tlp: z.enum(TLP).default('amber').describe('Marking of the Traffic Light Protocol'),
          }),
          response: { 200: fileAnswer(type), ...refusals(404) },
        },
      },
      async (request, reply) => {
        const { tlp } = request.query;
        return sendFile(reply, await exportCase(ctx, tenantOf(request), request.params.case_id, { form, tlp }));
      },
    );
  }

  await filingRoutes(app, ctx);

  const { path, type, operationId, summary } = EXPORT_FORMS.archive;
  const tags = ['Cases'];
  const full = new LimitError(`${ARCHIVE_LIMITS.unpackedMib} MiB in an archive`);
  app.get(
    path,
    {
      config: { turn: 'waits', access: 'key', rights: ['cases'] },
      schema: {
        operationId,
        summary,
        description:
          'Case, addresses, timeline, judgements, boards, the newest scan of each address and its transfers, each file with its ' +
          'SHA-256 in `manifest.json`. Written into the timeline of the case.',
        tags,
        params: CaseParams,
        response: { 200: fileAnswer(type), ...refusals(full, 404) },
      },
    },
    async (request, reply) => {
      const { case_id: caseId } = request.params;
      return sendFile(reply, await exportCase(ctx, tenantOf(request), caseId, { form: 'archive' }));
    },
  );

  app.post(
    '/cases/import',
    {
      bodyLimit: ARCHIVE_LIMITS.packedMib * 2 ** 20,
      config: { access: 'key', rights: ['cases'], takes: type },
      schema: {
        operationId: 'importCase',
        summary: 'Import a case from the archive of another installation',
        description:
          'Whole or not at all; the same archive again changes nothing. Authors are marked as imported. Scans and transfers stay ' +
          `with the case: no level rests on them. At most ${ARCHIVE_LIMITS.packedMib} MiB, ${ARCHIVE_LIMITS.unpackedMib} MiB unpacked.`,
        tags,
        consumes: [type],
        body: z
          .any()
          .meta({ type: 'string', format: 'binary', description: 'What `GET /cases/{case_id}/archive.zip` gave' }),
        response: {
          200: z.object({
            case: CaseSchema,
            imported: z.boolean().describe('False where your account has this very archive already'),
            digest: z.string().describe('SHA-256 of the manifest of the archive'),
          }),
          ...refusals(400, new PlanLimitError('Board limit reached (200 boards)')),
        },
      },
    },
    async (request) => {
      const tenant = tenantOf(request);
      return importCase(ctx, tenant, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    },
  );
}

/** Forms that the reporting entity completes and files itself. */
async function filingRoutes(app: App, ctx: Context): Promise<void> {
  const { ivms101, goaml } = EXPORT_FORMS;
  const config = { turn: 'waits', access: 'key', rights: ['cases'] } as const;
  const bounds =
    'At most 1,000 transfers, those of the greatest value; of services and victims those with another address of the case. ' +
    'What the case does not know says `FILL IN`. Written into the timeline of the case.';
  app.get(
    ivms101.path,
    {
      config,
      schema: {
        operationId: ivms101.operationId,
        summary: ivms101.summary,
        description: `Each of \`messages\` has its transfer, the payload \`ivms101\`, and the paths that it lacks. ${bounds}`,
        tags: ['Cases'],
        params: CaseParams,
        response: { 200: fileAnswer(ivms101.type), ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { case_id: caseId } = request.params;
      return sendFile(reply, await exportCase(ctx, tenantOf(request), caseId, { form: 'ivms101' }));
    },
  );
  app.get(
    goaml.path,
    {
      config,
      schema: {
        operationId: goaml.operationId,
        summary: goaml.summary,
        description: `Codes are those of the schema that the UAE uses; amounts are US dollars. A comment at the top lists what is left. ${bounds}`,
        tags: ['Cases'],
        params: CaseParams,
        querystring: z.object({
          rentity_id: wholeNumber({ min: 1, max: 2_147_483_647 }).describe('Your id at your FIU'),
          indicator: z
            .string()
            .regex(INDICATOR_CODE)
            .describe("Why you report: a code of your FIU's list of indicators"),
        }),
        response: { 200: fileAnswer(goaml.type), ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { case_id: caseId } = request.params;
      const { rentity_id: rentityId, indicator } = request.query;
      const asked = { form: 'goaml', rentityId, indicator } as const;
      return sendFile(reply, await exportCase(ctx, tenantOf(request), caseId, asked));
    },
  );
}

import { z } from 'zod';
import type { Context } from '../../context.ts';
import { EXPORT_FORMS, exportName } from '../../exports/forms.ts';
import { TLP } from '../../exports/indicators.ts';
import { mispEvent } from '../../exports/misp.ts';
import { stixBundle } from '../../exports/stix.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { caseIndicators, noteExport } from '../../questions/exports/case-exports.ts';
import { fileAnswer, sendFile } from '../file-answer.ts';
import { CaseParams } from '../schemas.ts';

const INDICATORS = [
  { form: EXPORT_FORMS.stix, write: stixBundle },
  { form: EXPORT_FORMS.misp, write: mispEvent },
];

/** Files of a case for other systems. */
export async function caseExportRoutes(app: App, ctx: Context): Promise<void> {
  for (const { form, write } of INDICATORS) {
    const { path, type, operationId, summary } = form;
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
        const { case_id: caseId } = request.params;
        const tenant = tenantOf(request);
        const content = write(await caseIndicators(ctx, tenant, caseId, request.query.tlp));
        const name = exportName(form, caseId);
        await noteExport(ctx, tenant, caseId, exportName(form));
        return sendFile(reply, { name, type, content });
      },
    );
  }
}

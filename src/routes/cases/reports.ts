import { z } from 'zod';
import { reports } from '../../../reports/render.ts';
import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { gatherAddressReport } from '../../questions/cases/report/gather-address-report.ts';
import { gatherCaseReport } from '../../questions/cases/report/gather-case-report.ts';
import { noteAddressReport, noteReport } from '../../questions/cases/report/note-report.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { givenAddress } from '../fields.ts';
import { pdfAnswer, sendPdf } from '../file-answer.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { CaseParams, fileLanguage, languageOf, wholeNumber } from '../schemas.ts';
import { orderedBy } from './ordered-by.ts';
import { packageRoutes } from './report-package.ts';
import { requestRoutes } from './requests.ts';

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
      const { input } = await gatherAddressReport(ctx, tenant, { ...parsed, maxHops, language, endsMax: ENDS_MAX });
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

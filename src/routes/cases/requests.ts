import { z } from 'zod';
import { reports } from '../../../reports/render.ts';
import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { getRequest, listRequests, noteRequest } from '../../questions/cases/requests/list-requests.ts';
import { askGraph } from '../ask-graph.ts';
import { pdfAnswer, sendPdf } from '../file-answer.ts';
import { CaseParams, fileLanguage, languageOf, uuid } from '../schemas.ts';
import { orderedBy } from './ordered-by.ts';
import { RequestListSchema } from './request-schemas.ts';

const RequestParams = CaseParams.extend({ request_id: uuid.describe('From GET /cases/{case_id}/requests') });
const querystring = z.object(fileLanguage).transform(languageOf);
const tags = ['Cases'];

/** Requests to the services where the money of a case arrived. */
export async function requestRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/cases/:case_id/requests',
    {
      config: { views: 'case', turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listFreezingRequests',
        summary: 'Freezing requests to the services where the money of a case arrived',
        description:
          'From GET /cases/{case_id}/funds: addresses, quantities, transactions and the text of each request. Transactions ' +
          'from the Pro plan on. Asks no chain.',
        tags,
        params: CaseParams,
        querystring,
        response: { 200: RequestListSchema, ...refusals(404, 500) },
      },
    },
    async (request) => {
      const { params, query } = request;
      const tenant = tenantOf(request);
      return askGraph(ctx, request, {}, (inquiry) => listRequests(inquiry, tenant, params.case_id, query.language));
    },
  );

  app.get(
    '/cases/:case_id/requests/:request_id.pdf',
    {
      config: { turn: 'waits', access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'getFreezingRequest',
        summary: 'A freezing request as PDF of one page',
        description:
          'Written into the timeline of the case. 404 once no money of the case is known to have arrived there.',
        tags,
        params: RequestParams,
        querystring,
        response: { 200: pdfAnswer(), ...refusals(404, 500) },
      },
    },
    async (request, reply) => {
      const { case_id: caseId, request_id: requestId } = request.params;
      const tenant = tenantOf(request);
      const input = await askGraph(ctx, request, {}, (inquiry) =>
        getRequest(inquiry, tenant, { caseId, requestId }, request.query.language),
      );
      const pdf = await reports.render({ report: 'request', input }, orderedBy(request, reply));
      await noteRequest(ctx, tenant, caseId, input.request);
      return sendPdf(ctx, reply, { name: `request-${input.request.reference}.pdf`, pdf });
    },
  );
}

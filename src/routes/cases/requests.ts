import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Ordered, reports } from '../../../reports/render.ts';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, CategorySchema, frozenShape, timestamp } from '../../domain/fields.ts';
import { ArrivalSchema, assets } from '../../domain/tracing/answers.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { getRequest, listRequests, noteRequest } from '../../questions/cases/list-requests.ts';
import { askGraph } from '../ask-graph.ts';
import { pdfAnswer, sendPdf } from '../file-answer.ts';
import { CaseParams, fileLanguage, languageOf, uuid } from '../schemas.ts';

const RequestSchema = z
  .object({
    id: z.guid().describe('The same in every answer about this case and service'),
    reference: z.string().describe('To name in letters'),
    service: z.string().describe('Name of the service'),
    category: CategorySchema,
    usd: z.number().describe('US dollars of the money of the case that arrived there'),
    range: z
      .object({
        least_usd: z.number().describe('US dollars'),
        most_usd: z.number().describe('US dollars'),
      })
      .nullable()
      .meta({ id: 'RequestedRange' })
      .describe(
        'What arrived by the rules of attribution that say amounts, least and greatest; null where the time was up before all ' +
          'were worked out',
      ),
    share: z.number().describe('Part of all the money, 0 to 1'),
    assets,
    deposit_addresses: z
      .array(
        z
          .object({
            chain: z.enum(CHAINS),
            address,
            handed_on_to: address.describe('The address of the service'),
            usd: z.number().describe('US dollars that it handed on'),
            assets,
            first_at: timestamp.nullable().describe('First transfer to the service'),
            last_at: timestamp.nullable().describe('Last transfer to the service'),
            transactions: z.array(ArrivalSchema).describe('What it got of the money, oldest first, at most 1,000'),
            transaction_count: z.int().describe('How many there are'),
          })
          .meta({ id: 'RequestedDeposit' }),
      )
      .describe('Addresses that hand on to it all that they get, as those of its customers do: part of what arrived'),
    addresses: z
      .array(
        z
          .object({
            chain: z.enum(CHAINS),
            address,
            label: z.string().nullable().describe('What a list calls the address'),
            destination_tag: z
              .int()
              .nullable()
              .describe('XRP Ledger: the customer there, one entry for each tag; null without a tag'),
            usd: z.number().describe('US dollars that arrived there'),
            assets,
            first_at: timestamp.nullable().describe('First arrival'),
            last_at: timestamp.nullable().describe('Last arrival'),
            ...frozenShape,
          })
          .meta({ id: 'RequestedAddress' }),
      )
      .describe('Its addresses at which money arrived, largest first'),
    address_count: z.int().describe('Addresses there, one for each tag, named or not'),
    transactions: z.array(ArrivalSchema).describe('Oldest first, at most 1,000 of each address'),
    transaction_count: z.int().describe('Transactions that brought the money there, named or not'),
    cut: z
      .object({
        usd: z.number().describe('US dollars'),
        reasons: z.array(z.string()).describe('Why: `max_hops`, `not_read`, …'),
      })
      .meta({ id: 'CutMoney' })
      .describe('Money of the case that was not followed to its end: more of it may have come to the service'),
    text: z.string().describe('The request as text, in the language asked for'),
  })
  .meta({ id: 'FreezingRequest', description: 'What one service is asked for' });

export const RequestListSchema = z
  .object({
    requests: z.array(RequestSchema).describe('One for each service, largest first'),
    note: z.string().nullable().describe('What the account of the money has not seen; null where nothing is to say'),
  })
  .meta({ id: 'FreezingRequests' });

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

/** Returns the account that a report is drawn for, with a signal that ends the drawing once the caller has left. */
export function orderedBy(request: FastifyRequest, reply: FastifyReply): Ordered {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort(new Error('The caller left')));
  return { accountId: tenantOf(request).accountId, signal: left.signal };
}

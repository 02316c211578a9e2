import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CASE_PRIORITIES, CASE_STATUSES, DISPOSITIONS } from '../../domain/case.ts';
import { HeldError, LimitError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { getCase } from '../../questions/cases/case-contents.ts';
import { setDisposition } from '../../questions/cases/dispositions.ts';
import { createCase, deleteCase, listCases, updateCase } from '../../questions/cases/manage-cases.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import { pageLimit, pageOffset } from '../fields.ts';
import { CaseParams, choice, longText, shortText, uuid } from '../schemas.ts';
import {
  CaseDetailSchema,
  CaseDispositionSchema,
  CaseListSchema,
  CaseSchema,
  DeletedSchema,
  LABEL_MAX,
  TEXT_MAX,
} from './case-schemas.ts';

const TITLE_MAX = 200;
const CaseListQuery = z.object({
  status: z.enum(CASE_STATUSES).optional().describe('Cases of this status alone'),
  limit: pageLimit({ max: 500, fallback: 50 }),
  offset: pageOffset(),
});

const caseFields = {
  title: shortText(TITLE_MAX).describe('What it is about, in a few words'),
  description: longText(TEXT_MAX).nullable().optional().describe('What it is about; null empties it'),
  status: choice(CASE_STATUSES, 'Where the work stands; `open` for a new case').optional(),
  priority: choice(CASE_PRIORITIES, 'How urgent it is; `medium` for a new case').optional(),
  assignee: shortText(LABEL_MAX).nullable().optional().describe('Who works on it; null: nobody'),
};
const NewCase = z.object(caseFields);
const CaseUpdate = NewCase.partial().extend({
  legal_hold: z
    .boolean()
    .optional()
    .describe(
      'True keeps all of it, and the scans of its addresses, from being deleted; false needs the right `admin`',
    ),
});

const NewDispositionBody = z.object({
  address_id: uuid.describe('Id of the address within the case'),
  detector_id: shortText(100).describe('A detection of the newest scan of that address'),
  disposition: z
    .enum(DISPOSITIONS)
    .describe(
      '`confirmed`: stands in report and draft; `dismissed`: stays out of both and is kept with its reason; `escalated`, ' +
        '`reported`: marked at the finding',
    ),
  reason: longText(TEXT_MAX).min(1).describe('Why'),
});

const OneCase = z.object({ case: CaseSchema });
const tags = ['Cases'];

export async function caseRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/cases',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listCases',
        summary: 'Your cases, newest first',
        tags,
        querystring: CaseListQuery,
        response: { 200: CaseListSchema },
      },
    },
    async (request) => listCases(ctx, tenantOf(request), request.query),
  );

  app.post(
    '/cases',
    {
      config: { access: 'key', rights: ['cases'], idempotent: true },
      schema: {
        operationId: 'createCase',
        summary: 'Open a case',
        tags,
        body: NewCase,
        response: { 200: OneCase, ...refusals(400, new LimitError('10000 cases')) },
      },
    },
    async (request) => {
      const tenant = tenantOf(request);
      return answerWithin(ctx.records, tenant, async (records) => ({
        case: await createCase({ ...ctx, records }, tenant, request.body),
      }));
    },
  );

  app.get(
    '/cases/:case_id',
    {
      config: { views: 'case', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getCase',
        summary: 'One case with its newest addresses, timeline and judgements',
        description:
          'The newest 500 addresses and 200 notes, fewer where the answer would exceed 1 MiB; `addresses_total` and `notes_total` count all. Lists by page are at `/addresses` and `/notes`: `addresses_next` and `notes_next` are the `offset` at which they go on.',
        tags,
        params: CaseParams,
        response: { 200: CaseDetailSchema, ...refusals(404) },
      },
    },
    async (request) => getCase(ctx, tenantOf(request), request.params.case_id),
  );

  app.patch(
    '/cases/:case_id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'updateCase',
        summary: 'Change a case',
        description: 'Changes of status and legal hold are written into the timeline.',
        tags,
        params: CaseParams,
        body: CaseUpdate,
        response: { 200: OneCase, ...refusals(400, 404) },
      },
    },
    async (request) => {
      const tenant = tenantOf(request);
      const mayEndHold = tenant.rights.includes('admin');
      return { case: await updateCase(ctx, tenant, request.params.case_id, request.body, { mayEndHold }) };
    },
  );

  app.delete(
    '/cases/:case_id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'deleteCase',
        summary: 'Delete a case with its addresses and notes',
        tags,
        params: CaseParams,
        response: { 200: DeletedSchema, ...refusals(404, new HeldError()) },
      },
    },
    async (request) => {
      const { case_id: id } = request.params;
      await deleteCase(ctx, tenantOf(request), id);
      return { deleted: true as const, id };
    },
  );

  app.put(
    '/cases/:case_id/dispositions',
    {
      config: {
        access: 'key',
        rights: ['cases'],
      },
      schema: {
        operationId: 'setDisposition',
        summary: 'Judge a detection of an address of the case',
        description:
          'Holds until a newer scan shows evidence of that detection that was not judged. A second judgement replaces the first.',
        tags,
        params: CaseParams,
        body: NewDispositionBody,
        response: {
          200: z.object({ disposition: CaseDispositionSchema }),
          ...refusals(400, new LimitError('2000 judgements in a case'), 404),
        },
      },
    },
    async (request) => ({
      disposition: await setDisposition(ctx, tenantOf(request), request.params.case_id, request.body),
    }),
  );
}

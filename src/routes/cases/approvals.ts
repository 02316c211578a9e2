import { z } from 'zod';
import { LANGUAGES } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import { APPROVED_ACTIONS } from '../../domain/account/approvals.ts';
import { timestamp } from '../../domain/fields.ts';
import { ConflictError, ForbiddenError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals, shownAnswer } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import {
  askApproval,
  decideApproval,
  getApprovalSettings,
  listApprovals,
  putApprovalSettings,
  withdrawApproval,
} from '../../questions/cases/report-package/approvals.ts';
import { longText, momentField, uuid, wholeNumber } from '../schemas.ts';
import { DeletedSchema } from './case-schemas.ts';

const REASON_LENGTH_MAX = 2_000;
const tags = ['Cases'];

const ON: Record<(typeof APPROVED_ACTIONS)[number], string> = {
  package: 'To generate a report package',
  close: 'To close or archive a case',
  dismiss_critical: 'To dismiss a detection of severity CRITICAL',
};
const settings = Object.fromEntries(
  APPROVED_ACTIONS.map((action) => [action, z.boolean().describe(ON[action])]),
) as Record<(typeof APPROVED_ACTIONS)[number], z.ZodBoolean>;
const SettingsSchema = z
  .object(settings)
  .meta({ id: 'ApprovalSettings', description: 'Where a second person must approve; all off by default' });

const PackageRequest = z.object({
  action: z.literal('package').describe('Generate a report package'),
  language: z.enum(LANGUAGES).default('ja').describe('Of all its files'),
  from: momentField.nullable().default(null).describe('Transactions before are left out'),
  to: momentField.nullable().default(null).describe('Transactions after are left out'),
  proofs: z.boolean().default(false).describe('Asks the chains for proofs'),
});
const CloseRequest = z.object({
  action: z.literal('close').describe('Close or archive the case'),
  status: z.enum(['closed', 'archived']).default('closed').describe('The status that it gets'),
});
const DismissRequest = z.object({
  action: z.literal('dismiss_critical').describe('Dismiss a detection of severity CRITICAL'),
  address_id: uuid.describe('Address of the case'),
  detector_id: z.string().max(100).describe('Its detector'),
  disposition: z.literal('dismissed').default('dismissed').describe('The judgement'),
  reason: longText(REASON_LENGTH_MAX).describe('Why'),
});
const RequestBody = z.discriminatedUnion('action', [PackageRequest, CloseRequest, DismissRequest]);

const ApprovalSchema = z
  .object({
    id: z.guid().describe('For POST /approvals/{id}'),
    case_id: z.guid().describe('The case'),
    action: z.enum(APPROVED_ACTIONS).describe('What is to be done'),
    request: z.record(z.string(), z.unknown()).describe('As it was asked for'),
    state: z.enum(['open', 'approved', 'rejected']).describe('`approved`: it was done'),
    asked_by: z.string().describe('Name of the person who asked'),
    asked_at: timestamp.describe('When'),
    decided_by: z.string().nullable().describe('Name of the other person; null while it is open'),
    decided_at: timestamp.nullable().describe('When; null while it is open'),
    reason: z.string().describe('Of the decision; may be empty'),
  })
  .meta({ id: 'Approval' });
const DecidedSchema = ApprovalSchema.extend({
  generation_id: z.guid().nullable().describe('The report package that is generated now; null for other actions'),
}).meta({ id: 'DecidedApproval' });
const ASKED = {
  ...{ id: '5f0c2a34-7d1e-4b7f-9b83-0a6f3b1d2c4e', case_id: '0b9d6c1e-2f4a-4c58-8e77-1d3a5b7c9e10', action: 'close' },
  ...{ request: { action: 'close', status: 'closed' }, state: 'open', asked_by: 'Ana' },
  ...{ asked_at: '2026-11-20T10:00:00.000Z', decided_by: null, decided_at: null, reason: '' },
};
const DECIDED = {
  ...{ ...ASKED, state: 'approved', decided_by: 'Ben', decided_at: '2026-11-20T10:05:00.000Z', reason: 'Agreed' },
  generation_id: null,
};
const page = {
  limit: wholeNumber({ min: 1, max: 200, fallback: 50 }).describe('Approvals of one page'),
  offset: wholeNumber({ min: 0, max: 1_000_000, fallback: 0 }).describe('How many to leave out first'),
};
export const ApprovalsSchema = z
  .object({
    approvals: z.array(ApprovalSchema).describe('Newest first'),
    limit: z.int().describe('As asked'),
    offset: z.int().describe('As asked'),
  })
  .meta({ id: 'Approvals' });

/** Serves four eyes: what an account wants approved, who asks, and another person who decides. */
export async function approvalRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/approval-settings',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getApprovalSettings',
        summary: 'Where a second person must approve',
        tags,
        response: { 200: SettingsSchema },
      },
    },
    async (request) => getApprovalSettings(ctx, tenantOf(request).accountId),
  );

  app.put(
    '/approval-settings',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'putApprovalSettings',
        summary: 'Set where a second person must approve',
        description: 'What is left out stays. Where it is on, the action itself answers 409, and is asked for instead.',
        tags,
        body: z.strictObject(settings).partial(),
        response: { 200: SettingsSchema },
      },
    },
    async (request) => putApprovalSettings(ctx, tenantOf(request), request.body),
  );

  app.post(
    '/cases/:case_id/approvals',
    {
      config: { access: 'key', rights: ['cases'], idempotent: true },
      schema: {
        operationId: 'askApproval',
        summary: 'Ask another person to approve an action',
        description: 'Asked for by a person, or with a key that a person made: then that person asks.',
        tags,
        params: z.object({ case_id: uuid.describe('The case') }),
        body: RequestBody,
        response: {
          ...shownAnswer(201, ApprovalSchema, ASKED),
          ...refusals(404, new ConflictError('Approval is already asked for')),
        },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return askApproval(ctx, tenantOf(request), request.params.case_id, request.body);
    },
  );

  app.get(
    '/approvals',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listApprovals',
        summary: 'Approvals that were asked for',
        tags,
        querystring: z.object({
          case_id: uuid.optional().describe('Of this case alone'),
          state: z.enum(['open', 'approved', 'rejected']).optional().describe('In this state alone'),
          ...page,
        }),
        response: { 200: ApprovalsSchema },
      },
    },
    async (request) => {
      const { case_id: caseId, ...query } = request.query;
      return listApprovals(ctx, tenantOf(request).accountId, { caseId, ...query });
    },
  );

  app.post(
    '/approvals/:id',
    {
      config: { access: 'key', rights: ['approve'] },
      schema: {
        operationId: 'decideApproval',
        summary: 'Approve or reject what another person asked for',
        description:
          'Approving does it at once, in the name of who asked. Only people have the right `approve`, never a key, and ' +
          'nobody decides what they asked for themselves. Of two who decide at once one wins; the other gets 409.',
        tags,
        params: z.object({ id: uuid.describe('The approval') }),
        body: z.strictObject({
          decision: z.enum(['approved', 'rejected']).describe('What becomes of it'),
          reason: longText(REASON_LENGTH_MAX).default('').describe('For who asked'),
        }),
        response: {
          ...shownAnswer(200, DecidedSchema, DECIDED),
          ...refusals(404, new ConflictError('Already approved by Ben')),
        },
      },
    },
    async (request) => decideApproval(ctx, tenantOf(request), request.params.id, request.body),
  );

  app.delete(
    '/approvals/:id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'withdrawApproval',
        summary: 'Withdraw what you asked for',
        description:
          'Only the person who asked can, as long as it is not decided. The audit log keeps that it was there.',
        tags,
        params: z.object({ id: uuid.describe('The approval') }),
        response: {
          ...shownAnswer(200, DeletedSchema, { deleted: true, id: ASKED.id }),
          ...refusals(new ForbiddenError('Only the person who asked withdraws it'), 404),
          ...refusals(new ConflictError('Already approved by Ben')),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      await withdrawApproval(ctx, tenantOf(request), id);
      return { deleted: true as const, id };
    },
  );
}

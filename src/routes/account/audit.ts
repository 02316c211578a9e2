import { z } from 'zod';
import type { Context } from '../../context.ts';
import {
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  type AuditAction,
  SIGN_IN_FAILURES,
  type SignInFailure,
} from '../../domain/account/audit.ts';
import { timestamp } from '../../domain/fields.ts';
import { tenantOf } from '../../http/auth.ts';
import type { App } from '../../http/typed-app.ts';
import { listAudit } from '../../questions/account/list-audit.ts';
import { momentField, uuid, wholeNumber } from '../schemas.ts';

const listed = (meanings: Record<string, string>) =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; ');

const actions = z.enum(Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]]);
const ActionSchema = actions.meta({ id: 'AuditAction', description: listed(AUDIT_ACTIONS) });
const ReasonSchema = z
  .enum(Object.keys(SIGN_IN_FAILURES) as [SignInFailure, ...SignInFailure[]])
  .describe(listed(SIGN_IN_FAILURES));

const EntrySchema = z
  .object({
    seq: z.int().min(1).describe('Place in the chain of the account'),
    at: timestamp.describe('When it was done'),
    key_id: z.string().nullable().describe('The key; null for a person and for the operator'),
    person_id: z.string().nullable().describe('The person; null for a key and for the operator'),
    actor: z.string().describe('Name of the key or person at that time, or `operator`'),
    ip: z.string().nullable().describe('Where the request came from; null for work in the background and the operator'),
    action: ActionSchema,
    subject: z.string().describe('What it was done to: an id, an address, a title'),
    detail: z.string().describe('What changed, or whose detection was judged; empty where `action` says it all'),
    case_id: z.string().nullable().describe('The case that it belongs to'),
    outcome: z.enum(AUDIT_OUTCOMES).describe('`failed`: it was begun and not ended'),
    hash: z
      .string()
      .describe(
        'SHA-256 over the hash of the entry before and all values of this one, `person_id` last where there is one',
      ),
  })
  .meta({ id: 'AuditEntry' });

export const AuditSchema = z
  .object({
    entries: z.array(EntrySchema).describe('Newest first'),
    next_cursor: z.string().nullable().describe('For the next page; null on the last one'),
    sign_in_failures: z
      .array(
        z.object({
          minute: timestamp.describe('First moment of the minute'),
          reason: ReasonSchema,
          count: z.int().min(1).describe('Refused requests'),
        }),
      )
      .describe('Refusals of keys of the account in that time, newest first, 500 at most'),
  })
  .meta({ id: 'AuditLog' });

export async function auditRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/audit',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'listAudit',
        summary: 'Who did what: the audit log of the account',
        description:
          'Keys, plan, settings, webhooks, watchlist, cases and all in them, reports. Entries are written together with ' +
          'what they speak of, cannot be changed, and are kept for 400 days.',
        tags: ['Account'],
        querystring: z.object({
          action: actions.optional().describe('Entries of this action alone'),
          person: uuid.optional().describe('Id of a person, or of a key: what they did'),
          object: z
            .string()
            .trim()
            .min(1)
            .max(500)
            .optional()
            .describe('What it was done to: an address, or the id of a case, board, report or person'),
          from: momentField.optional().describe('Not before; UTC where no zone is named'),
          to: momentField.optional().describe('Not after; UTC where no zone is named'),
          cursor: z
            .string()
            .regex(/^\d{1,15}-\d{1,15}$/)
            .optional()
            .describe('`next_cursor` of the page before'),
          limit: wholeNumber({ min: 1, max: 500, fallback: 100 }).describe('Entries of one page'),
        }),
        response: { 200: AuditSchema },
      },
    },
    async (request) => listAudit(ctx, tenantOf(request).accountId, request.query),
  );
}

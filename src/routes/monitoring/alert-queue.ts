import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import {
  ALERT_ACTIONS,
  ALERT_DISPOSITIONS,
  ALERT_EVENT_KINDS,
  ALERT_SEVERITIES,
  ALERT_STATES,
  type AlertAction,
} from '../../domain/alert.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, timestamp } from '../../domain/fields.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { actOnAlert, actOnAlerts } from '../../questions/monitoring/act-on-alert.ts';
import {
  deleteAlertView,
  getAlert,
  getAlertMails,
  getTurns,
  listAlertViews,
  listQueue,
  saveAlertView,
  setAlertMails,
  setTurns,
} from '../../questions/monitoring/list-alerts.ts';
import { refuseRights } from '../../records/accounts/keys.ts';
import { deleted, limit, pageLimit, total } from '../fields.ts';
import { flag, longText, momentField, nameText, shortText, uuid } from '../schemas.ts';

const NAME_MAX = 100;
const COMMENT_MAX = 4_000;

const state = z
  .enum(ALERT_STATES)
  .describe('`open`: nobody has it; `assigned`; `escalated` to a case; `muted` until a moment; `closed`');
const severity = z.enum(ALERT_SEVERITIES).describe('How grave it is; it decides by when it is to be closed');
const disposition = z.enum(ALERT_DISPOSITIONS);
const rule = z.string().max(64).describe('What raised it: a reason of monitoring, `level_changed`, or `rule`');
const reference = shortText(128).describe('Reference of a screened transfer');

/** Filters of the queue, as a query or a saved view names them. */
const filterShape = {
  state: state.optional(),
  severity: severity.optional(),
  assignee: z.string().max(NAME_MAX).optional().describe('Name of a person or key; empty: those of nobody'),
  rule: rule.optional(),
  rule_id: uuid.optional().describe('Id of a rule of your own'),
  chain: z.enum(CHAINS).optional().describe('Chain of the address'),
  address: z.string().max(128).optional().describe('Canonical address'),
  reference: reference.optional(),
};

const AlertQuery = z.object({
  ...filterShape,
  overdue: flag.describe('`true`: only those past their time'),
  test: flag.describe('`true`: those of rules that are tried, instead of all others'),
  view: uuid.optional().describe('A saved view: its filter, where the query does not name another'),
  cursor: z.string().max(100).optional().describe('`next_cursor` of the page before'),
});

const FilterSchema = z.object({
  ...filterShape,
  overdue: z.boolean().optional().describe('Only those past their time'),
  test: z.boolean().optional().describe('Those of rules that are tried, instead of all others'),
});

const QueuedAlertSchema = z
  .object({
    id: z.guid().describe('Id of the alert'),
    state,
    severity,
    title: z.string().describe('What happened, in a line'),
    rule: z.string().describe('What raised it: a reason of monitoring, `level_changed`, or `rule`'),
    rule_id: z.guid().nullable().describe('The rule of your own that raised it; null for monitoring'),
    rule_version: z.int().nullable().describe('Its version then; null for monitoring'),
    test: z.boolean().describe('Raised by a rule that is tried: it rings nowhere'),
    chain: z.enum(CHAINS).nullable().describe('Chain of the address; null without one'),
    address: address.nullable().describe('The address that it is about; null where it is about several'),
    party: z.string().nullable().describe('The other side, where it is about one'),
    count: z.int().describe('How often it was raised: an open alert of the same rule, address and party joins it'),
    raised_at: timestamp.describe('When it was raised first'),
    last_raised_at: timestamp.describe('When it was raised last'),
    due_at: timestamp.describe('By when it is to be closed: 1, 4, 24 or 72 hours by severity'),
    overdue: z.boolean().describe('Not closed, and past that time'),
    assignee: z.string().nullable().describe('Name of the person or key who has it; null: nobody'),
    case_id: z.guid().nullable().describe('The case that it went to; null without one'),
    muted_until: timestamp.nullable().describe('Until when it is left out; null where it is not'),
    closed_at: timestamp.nullable().describe('When it was closed; null where it is not'),
    disposition: disposition.nullable().describe('How it turned out; null where it is not closed'),
    seq: z.int().describe('Number of its newest event'),
    data: z.record(z.string(), z.unknown()).describe('What was found: the `data` that webhooks get'),
  })
  .meta({ id: 'QueuedAlert', description: 'An alert of the queue; its state follows from its events' });

const AlertEventSchema = z
  .object({
    seq: z.int().describe('Its number; repeated raising beyond 1,000 is counted alone'),
    kind: z.enum(ALERT_EVENT_KINDS).describe('What happened'),
    at: timestamp.describe('When'),
    actor: z.string().nullable().describe('Name of the person or key; null for the service'),
    reference: z.string().nullable().describe('Reference of the transfer that raised it; null otherwise'),
    data: z.record(z.string(), z.unknown()).describe('What was found, or what was said and decided'),
  })
  .meta({ id: 'QueuedAlertEvent', description: 'One thing that happened to an alert; never changed' });

export const AlertQueueSchema = z
  .object({
    alerts: z.array(QueuedAlertSchema).describe('Newest first'),
    total,
    limit,
    next_cursor: z.string().nullable().describe('`cursor` of the next page; null on the last'),
  })
  .meta({ id: 'AlertQueue' });

export const AlertDetailSchema = z
  .object({ alert: QueuedAlertSchema, events: z.array(AlertEventSchema).describe('The newest 200, in their order') })
  .meta({ id: 'AlertDetail' });

const AlertChangedSchema = z.object({ alert: QueuedAlertSchema }).meta({ id: 'AlertChanged' });

export const AlertsChangedSchema = z
  .object({
    results: z
      .array(
        z
          .object({
            id: z.guid().describe('Id of the alert'),
            alert: QueuedAlertSchema.nullable().describe('As it is now; null where it was refused'),
            error: z.string().nullable().describe('Why it was refused; null otherwise'),
          })
          .meta({ id: 'AlertResult' }),
      )
      .describe('One for each alert'),
  })
  .meta({ id: 'AlertsChanged' });

export const AlertEventInput = z.object({
  kind: z
    .enum(ALERT_ACTIONS)
    .describe(
      '`assigned`: `assignee`; `commented`: `comment`; `escalated`: `case_id`, or a new case; `closed`: `disposition` and `comment`, the reason; `muted`: `until`; `reopened`',
    ),
  seq: z.int().nullish().describe('The newest event that you know: with an older one the change is refused (409)'),
  assignee: nameText(NAME_MAX).nullish().describe('Left out: yourself; null: back to the queue'),
  comment: longText(COMMENT_MAX).nullish().describe('What is said; a reason where it is closed'),
  case_id: uuid.nullish().describe('The case that it goes to; left out: a new one with its address'),
  case_title: shortText(200).nullish().describe('Title of the new case; left out: that of the alert'),
  disposition: disposition.nullish().describe('How it turned out'),
  until: momentField.nullish().describe('Until when it is left out'),
});

const AlertViewInput = z.object({
  name: shortText(NAME_MAX).describe('Name of the view'),
  filter: FilterSchema.describe('Filters as GET /alerts has them'),
});

export const AlertViewSchema = z
  .object({
    id: z.guid().describe('Id of the view'),
    name: z.string().describe('Its name'),
    filter: z.record(z.string(), z.unknown()).describe('What it narrows, as the query of GET /alerts names it'),
    created_at: timestamp.describe('When it was first saved'),
  })
  .meta({ id: 'AlertView', description: 'A filter of alerts under a name, for the whole account' });

const AlertTurnsSchema = z
  .object({
    assignees: z.array(z.string()).describe('Names of those who take alerts, in the order of their turns'),
    in_turns: z.boolean().describe('New alerts are assigned in turns'),
  })
  .meta({ id: 'AlertTurns' });

const AlertTurnsInput = z.object({
  assignees: z.array(nameText(NAME_MAX)).max(100).describe('Names of people or keys'),
  in_turns: z.boolean().describe('Assign new alerts in turns'),
});

const rhythm = z
  .enum(['at_once', 'daily'])
  .describe('`at_once`: a mail for each alert, up to 20 a day, the rest in a digest; `daily`: one digest a day');
const AlertMailRecipientSchema = z
  .object({
    address: z.string().describe('The mail address'),
    rhythm,
    state: z
      .enum(['active', 'not_confirmed', 'not_configured'])
      .describe('`not_confirmed`: its owner has not said yes; `not_configured`: the service has no mail server'),
  })
  .meta({ id: 'AlertMailRecipient' });
const AlertMailsSchema = z
  .object({ recipients: z.array(AlertMailRecipientSchema).describe('By address') })
  .meta({ id: 'AlertMails', description: 'Who gets mails about alerts' });

const AlertMailsInput = z.object({
  recipients: z
    .array(
      z
        .object({ address: z.email().max(254).toLowerCase().describe('The mail address'), rhythm })
        .meta({ id: 'AlertMailWanted' }),
    )
    .max(20)
    .describe('All of them: others get no more'),
});

const BULK_MAX = 100;
const tags = ['Alerts'];
const params = z.object({ id: uuid.describe('Id of the alert') });

export async function alertQueueRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/alerts',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listQueuedAlerts',
        tags,
        summary: 'The queue of alerts, newest first',
        description:
          'What monitoring, live watch, screened transfers and rules found. An open alert of the same rule, address and party ' +
          'joins what is raised again.',
        querystring: AlertQuery.extend({ limit: pageLimit({ max: 200, fallback: 50 }) }),
        response: { 200: AlertQueueSchema, ...refusals(400, 404) },
      },
    },
    async (request) => {
      const { overdue, test, ...query } = request.query;
      // A view may say so too.
      const flags = { overdue: overdue || undefined, test: test || undefined };
      return listQueue(ctx, tenantOf(request), { ...query, ...flags });
    },
  );

  app.get(
    '/alerts/:id',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getQueuedAlert',
        tags,
        summary: 'One alert with its events',
        params,
        response: { 200: AlertDetailSchema, ...refusals(404) },
      },
    },
    async (request) => getAlert(ctx, tenantOf(request), request.params.id),
  );

  app.post(
    '/alerts/:id/events',
    {
      config: { access: 'key', rights: ['monitor'], idempotent: true },
      schema: {
        operationId: 'addAlertEvent',
        tags,
        summary: 'Assign, comment, escalate, mute, close or reopen an alert',
        description:
          'Events are only added. Where two act at once one wins, and the other is refused with what holds (409); comments ' +
          'never are. To escalate needs the right `cases` too.',
        params,
        body: AlertEventInput,
        response: { 200: AlertChangedSchema, ...refusals(400, 404, 409) },
      },
    },
    async (request) => {
      refuseToEscalate(request, request.body.kind);
      return actOnAlert(ctx, tenantOf(request), request.params.id, request.body);
    },
  );

  app.post(
    '/alerts/events',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'addAlertEvents',
        tags,
        summary: 'The same event on up to 100 alerts',
        description: 'Each by itself: one that is refused keeps no other.',
        body: AlertEventInput.extend({ ids: z.array(uuid).min(1).max(BULK_MAX).describe('Ids of the alerts') }),
        response: { 200: AlertsChangedSchema },
      },
    },
    async (request) => {
      const { ids, ...event } = request.body;
      refuseToEscalate(request, event.kind);
      return actOnAlerts(ctx, tenantOf(request), ids, event);
    },
  );

  app.get(
    '/alert-views',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listAlertViews',
        tags,
        summary: 'Saved views of the queue',
        response: { 200: z.object({ views: z.array(AlertViewSchema).describe('By name') }).meta({ id: 'AlertViews' }) },
      },
    },
    async (request) => listAlertViews(ctx, tenantOf(request)),
  );

  app.post(
    '/alert-views',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'saveAlertView',
        tags,
        summary: 'Save a filter of the queue under a name',
        description: 'A view of the same name gets the new filter; at most 50.',
        body: AlertViewInput,
        response: { 200: AlertViewSchema, ...refusals(403) },
      },
    },
    async (request) => saveAlertView(ctx, tenantOf(request), request.body),
  );

  app.delete(
    '/alert-views/:id',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'deleteAlertView',
        tags,
        summary: 'Delete a saved view',
        params: z.object({ id: uuid.describe('Id of the view') }),
        response: {
          200: z.object({ deleted, id: z.guid().describe('Id of the view') }).meta({ id: 'AlertViewDeleted' }),
          ...refusals(404),
        },
      },
    },
    async (request) => deleteAlertView(ctx, tenantOf(request), request.params.id),
  );

  app.get(
    '/alert-turns',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getAlertTurns',
        tags,
        summary: 'Who takes new alerts in turns',
        response: { 200: AlertTurnsSchema },
      },
    },
    async (request) => getTurns(ctx, tenantOf(request)),
  );

  app.put(
    '/alert-turns',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'setAlertTurns',
        tags,
        summary: 'Decide who takes new alerts in turns',
        body: AlertTurnsInput,
        response: { 200: AlertTurnsSchema },
      },
    },
    async (request) => setTurns(ctx, tenantOf(request), request.body),
  );

  app.get(
    '/alert-mails',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getAlertMails',
        tags,
        summary: 'Who gets mails about alerts',
        response: { 200: AlertMailsSchema },
      },
    },
    async (request) => getAlertMails(ctx, tenantOf(request)),
  );

  app.put(
    '/alert-mails',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'setAlertMails',
        tags,
        summary: 'Decide who gets mails about alerts',
        description: 'An address that never said yes is asked first, as for mails of batches.',
        body: AlertMailsInput,
        response: { 200: AlertMailsSchema },
      },
    },
    async (request) => setAlertMails(ctx, tenantOf(request), request.body),
  );
}

/** A case takes the right of cases, whatever leads to it. */
function refuseToEscalate({ tenant }: FastifyRequest, kind: AlertAction): void {
  if (kind === 'escalated') refuseRights(tenant?.rights ?? [], ['cases']);
}

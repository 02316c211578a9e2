import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { AlertAction } from '../../domain/alert.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { actOnAlert, actOnAlerts } from '../../questions/alerts/act-on-alert.ts';
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
} from '../../questions/alerts/list-alerts.ts';
import { refuseRights } from '../../records/accounts/keys.ts';
import { deleted, pageLimit } from '../fields.ts';
import { uuid } from '../schemas.ts';
import {
  AlertChangedSchema,
  AlertDetailSchema,
  AlertEventInput,
  AlertMailsInput,
  AlertMailsSchema,
  AlertQuery,
  AlertQueueSchema,
  AlertsChangedSchema,
  AlertTurnsInput,
  AlertTurnsSchema,
  AlertViewInput,
  AlertViewSchema,
} from './alert-queue-schemas.ts';

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

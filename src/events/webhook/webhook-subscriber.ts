import type { Context } from '../../context.ts';
import { DAY_MS } from '../../domain/time.ts';
import { PLANS } from '../../plans.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import type { WebhookConfigRow } from '../../records/database/tables/events.ts';
import {
  clearFailure,
  listWebhookConfigs,
  lookUpWebhookConfig,
  markFailing,
  switchOffWebhook,
} from '../../records/monitoring/webhook-configs.ts';
import type { Subscriber } from '../deliverer.ts';
import type { AttemptOutcome } from '../deliveries.ts';
import { sendWebhook } from './send.ts';

/** An endpoint that has only failed for this long is switched off. */
const FAILING_MS = 5 * DAY_MS;

/** Sends events to the endpoints of their account that ask for them. */
export function webhookSubscriber(ctx: Context): Subscriber {
  return {
    name: 'webhook',
    recipients: async (records, event) => {
      const configs = await listWebhookConfigs(records, event.account_id);
      if (configs.length === 0) return [];
      const limit = PLANS[(await findAccount(records, event.account_id)).plan_id].webhookEndpoints;
      return configs
        .slice(0, limit === -1 ? configs.length : limit)
        .filter((config) => config.is_active === 1 && (JSON.parse(config.events) as string[]).includes(event.type))
        .map((config) => config.id);
    },
    deliver: async (due) => {
      const { recipient, account_id } = due.delivery;
      const config = await lookUpWebhookConfig(ctx.records, account_id, recipient);
      if (!config) return { outcome: 'refused', error: 'The endpoint was deleted' };
      if (config.is_active === 0) return { outcome: 'refused', error: 'The endpoint is switched off' };
      const result = await sendWebhook(ctx, config, due);
      await keepHealth(ctx, config, result);
      return result.outcome === 'refused' && (await hasMoved(ctx, config)) ? { ...result, outcome: 'failed' } : result;
    },
  };
}

async function keepHealth(ctx: Context, config: WebhookConfigRow, { outcome }: AttemptOutcome): Promise<void> {
  const now = ctx.now();
  if (outcome === 'delivered') {
    if (config.failing_since !== null) await clearFailure(ctx.records, config);
    return;
  }
  await markFailing(ctx.records, config, now);
  const switchedOff =
    outcome === 'refused'
      ? await switchOffWebhook(ctx.records, config)
      : await switchOffWebhook(ctx.records, config, now - FAILING_MS);
  if (!switchedOff) return;
  const reason = outcome === 'refused' ? 'it answered 410' : 'it has failed for 5 days';
  ctx.log.warn({ config_id: config.id, account_id: config.account_id, reason }, 'webhook endpoint switched off');
}

/** The 410 of an earlier URL says nothing about the URL of now: the delivery is tried there. */
async function hasMoved(ctx: Context, { id, account_id, webhook_url }: WebhookConfigRow): Promise<boolean> {
  const config = await lookUpWebhookConfig(ctx.records, account_id, id);
  return config !== undefined && config.webhook_url !== webhook_url;
}

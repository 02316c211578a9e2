import { randomUUID } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { finishAttempt } from '../../../events/deliveries.ts';
import { beginTestDelivery } from '../../../events/delivery-log.ts';
import type { ScanCompleted } from '../../../events/payloads.ts';
import { publicUrl } from '../../../events/public-url.ts';
import { sendWebhook } from '../../../events/webhook/send.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { findWebhookConfig } from '../../../records/monitoring/webhook-configs.ts';

/**
 * Sends a signed sample of `scan.completed` once, even to an endpoint that is switched off. Throws NotFoundError,
 * TooManyError.
 */
export async function testWebhook(ctx: Context, { accountId }: Tenant, configId: string) {
  const config = await findWebhookConfig(ctx.records, accountId, configId);
  const data = sampleScan(ctx);
  const event = { type: 'scan.completed', accountId, subject: data.scan_id ?? '', data, at: ctx.now() } as const;
  const due = await beginTestDelivery(ctx.records, event, configId);
  const result = await sendWebhook(ctx, config, due);
  const once = result.outcome === 'failed' ? { ...result, outcome: 'refused' as const } : result;
  await finishAttempt(ctx.records, due.delivery, once, ctx.now());
  return {
    success: result.outcome === 'delivered',
    status_code: result.statusCode ?? null,
    error: 'error' in result ? result.error : null,
  };
}

function sampleScan(ctx: Context): ScanCompleted {
  const scan_id = randomUUID();
  return {
    scan_id,
    source: 'sync',
    address: '0x000000000000000000000000000000000000dead',
    chain: 'ethereum',
    risk_level: 'LOW',
    risk_score: 0,
    detection_count: 0,
    detections: [],
    detail_url: publicUrl(ctx.config, `/api/v1/public/scans/${scan_id}`),
    score_semantics: 'risk_0to100',
    test: true,
  };
}

import { z } from 'zod';
import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import type { App } from '../../http/typed-app.ts';
import { PLAN_IDS } from '../../plans.ts';
import { getUsage } from '../../questions/account/get-usage.ts';
import { timestamp } from '../schemas.ts';

const count = z.int().min(0);
const countOrUnlimited = z.int().min(-1);

const Usage = z
  .object({
    plan_id: z.enum(PLAN_IDS).describe('Plan of the account'),
    scans_per_month: countOrUnlimited.describe('Scans of the plan for each UTC month; -1: unlimited'),
    scans_used: count.describe('Scans used this month'),
    scans_remaining: countOrUnlimited.describe('Scans of the plan left this month; -1: unlimited'),
    topup_remaining: count.describe('Scans left of those that the operator added'),
    period: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe('The UTC month, YYYY-MM'),
    period_reset_at: timestamp.describe('First moment of the next UTC month'),
    api_rate_limit_per_min: count.describe('Requests a minute for each key'),
    presign_rate_limit_per_min: count.describe('Checks before signing a minute for each key'),
    batch_limit: count.describe('Addresses of one batch at most; 0: not on the plan'),
    watchlist_limit: countOrUnlimited.describe('Watched addresses at most; -1: unlimited'),
    webhook_limit: countOrUnlimited.describe('Webhook endpoints at most; -1: unlimited'),
  })
  .meta({ id: 'Usage', description: 'Limits of the plan and scans left this UTC month; -1 is unlimited' });

export async function usageRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/public/usage',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getUsage',
        summary: 'Plan limits and what is left of them',
        tags: ['Account'],
        response: { 200: Usage },
      },
    },
    (request) => getUsage(ctx, tenantOf(request)),
  );
}

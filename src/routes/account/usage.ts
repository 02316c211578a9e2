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
    plan_id: z.enum(PLAN_IDS),
    scans_per_month: countOrUnlimited,
    scans_used: count,
    scans_remaining: countOrUnlimited,
    topup_remaining: count,
    period: z.string().regex(/^\d{4}-\d{2}$/),
    period_reset_at: timestamp,
    api_rate_limit_per_min: count,
    presign_rate_limit_per_min: count,
    batch_limit: count,
    watchlist_limit: countOrUnlimited,
    webhook_limit: countOrUnlimited,
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

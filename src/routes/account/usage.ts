import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import type { App } from '../../http/typed-app.ts';
import { getUsage } from '../../questions/account/get-usage.ts';
import { UsageSchema } from './account-schemas.ts';

export async function usageRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/public/usage',
    {
      config: { access: 'key', rights: [] },
      schema: {
        operationId: 'getUsage',
        summary: 'Plan limits and what is left of them',
        tags: ['Account'],
        response: { 200: UsageSchema },
      },
    },
    (request) => getUsage(ctx, tenantOf(request)),
  );
}

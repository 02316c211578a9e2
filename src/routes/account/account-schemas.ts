import { z } from 'zod';
import { RIGHTS } from '../../domain/account/rights.ts';
import { timestamp } from '../../domain/fields.ts';
import { PLAN_IDS } from '../../plans.ts';

const count = z.int().min(0);
const countOrUnlimited = z.int().min(-1);

export const UsageSchema = z
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
    api_rate_limit_per_min: count.describe(
      'Requests a minute for each key; five times as many for all keys of the account together',
    ),
    presign_rate_limit_per_min: count.describe(
      'Checks before signing a minute for each key; five times as many for all keys of the account together',
    ),
    batch_limit: count.describe('Addresses of one batch at most; 0: not on the plan'),
    watchlist_limit: countOrUnlimited.describe('Watched addresses at most; -1: unlimited'),
    webhook_limit: countOrUnlimited.describe('Webhook endpoints at most; -1: unlimited'),
    stored_bytes: count.describe(
      'Bytes of all that is kept for the account: cases, boards, watched addresses, webhooks, records of scans and jobs, ' +
        'and for 24 hours answers to idempotency keys',
    ),
    stored_bytes_limit: count.describe(
      'Bytes that the plan keeps; beyond them nothing new is taken until some is deleted',
    ),
    live_limit: count.describe('Watched addresses that are listened to at most; 0: not on the plan'),
  })
  .meta({ id: 'Usage', description: 'Limits of the plan and scans left this UTC month; -1 is unlimited' });

export const RightSchema = z.enum(RIGHTS).meta({
  id: 'KeyRight',
  description:
    '`read`: answers from what is there; `scan`: new verdicts, checks before signing, traces; `cases`: change cases, ' +
    'judge, make reports, report scams; `monitor`: change the watchlist; `admin`: keys, settings, webhooks',
});

const keyFields = {
  id: z.guid().describe('For DELETE /api-keys/{id}'),
  prefix: z.string().describe('First characters of the key, by which to recognize it'),
  name: z.string().describe('The name that you gave it'),
  scopes: z.array(RightSchema).describe('Its rights'),
  expires_at: timestamp.nullable().describe('From when on it is refused; null: never'),
  allowed_ips: z.array(z.string()).describe('Addresses and networks that it may be used from; empty: any'),
  created_at: timestamp.describe('When it was created'),
  created_by: z
    .string()
    .nullable()
    .describe('Name of the key or person that made it, or `operator`; null where that was not kept yet'),
};
const KeyEntry = z.object({
  ...keyFields,
  last_used_at: timestamp.nullable().describe('About when it was last used; null before the first request'),
});
export const KeyListSchema = z
  .object({ keys: z.array(KeyEntry.meta({ id: 'ApiKey' })).describe('Live keys, oldest first') })
  .meta({ id: 'ApiKeyList' });
export const NewKeySchema = z
  .object({ ...keyFields, key: z.string().describe('The key itself, `tfk_…`; shown this once') })
  .meta({ id: 'NewApiKey', description: '`key` is shown this once; only its hash is kept' });

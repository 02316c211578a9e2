const plans = {
  free: 'Free',
  starter: 'Starter',
  pro: 'Pro',
  business: 'Business',
  enterprise: 'Enterprise',
  enterprise_trial: 'Enterprise trial',
};

export const account = {
  title: 'Usage and keys',
  plan: 'Plan',
  plans,
  scans: (period: string) => `Scans in ${period}`,
  topup: 'Extra scans left',
  resets: (when: string) => `The month ends ${when}.`,
  watchlist: 'Watched addresses',
  webhooks: 'Webhook endpoints',
  keys: 'API keys',
  of: (used: string, limit: string) => `${used} of ${limit}`,
  unlimited: (used: string) => `${used}, unlimited`,
  notOnPlan: 'not on the plan',
  perMinute: 'Requests a minute',
  presignPerMinute: 'Checks before signing a minute',
  batch: 'Addresses of one batch',
  prefix: 'Key',
  name: 'Name',
  created: 'Created',
  lastUsed: 'Last used',
  never: 'never',
  thisTab: 'used by this tab',
  nameHint: 'Where the key is used, for your own overview',
  create: 'Create a key',
  newKey: 'Your new key',
  newKeyText: 'Store it now: it is not shown again.',
  revoke: 'Revoke',
};

export type AccountWords = typeof account;

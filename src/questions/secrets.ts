import type { Context } from '../context.ts';
import type { SecretBox } from '../data-folder/secret-box.ts';
import { lockAccount } from '../records/accounts/accounts.ts';
import { insertAudit, OPERATOR } from '../records/audit/audit-log.ts';
import { inTransaction, type Records } from '../records/database/database.ts';
import {
  allWebhookConfigs,
  lookUpWebhookConfig,
  type PreviousSecret,
  updateWebhookConfig,
} from '../records/monitoring/webhook-configs.ts';

/**
 * `wrong_key`: what the records hold was sealed with a key that this process has not. `rotation_due`: with the one before;
 * `traceflow secrets rotate` seals it again.
 */
export const SECRETS_STATES = ['ok', 'rotation_due', 'wrong_key'] as const;
type SecretsState = (typeof SECRETS_STATES)[number];

const OWNER = 'canary';

/** Says whether the key is the one of the records. */
export async function checkSecrets({ records, secrets }: Pick<Context, 'records' | 'secrets'>): Promise<SecretsState> {
  const sealed = await readCanary(records);
  if (sealed === null) return 'ok';
  const found = secrets.reseal(sealed, OWNER);
  if (found === 'unknown_key') return 'wrong_key';
  return found === 'current' ? 'ok' : 'rotation_due';
}

/** Seals the canary where there is none yet, and logs a key that is not the one of the records. */
export async function watchSecrets({ records, secrets, log }: Context): Promise<void> {
  if ((await readCanary(records)) === null) await saveCanary(records, secrets.seal(OWNER, OWNER), { replace: false });
  const state = await checkSecrets({ records, secrets });
  if (state === 'wrong_key') {
    log.error('SECRET_KEY is not the key of the records: webhooks cannot be signed (docs/operations.md, Secrets)');
  } else if (state === 'rotation_due') {
    log.warn('secrets are sealed with SECRET_KEY_PREVIOUS: run traceflow secrets rotate');
  }
}

export interface RotationReport {
  /** Secrets that were sealed again, and those that were before. */
  rotated: number;
  current: number;
  /** Webhook endpoints with a secret that no key opens. */
  unreadable: string[];
}

/**
 * Seals all secrets with the current key, an endpoint at a time: ended half-way it goes on when it is run again. The canary
 * comes last, and only where every secret could be read, or where `lost` gives those up that cannot.
 */
export async function rotateSecrets(
  records: Records,
  secrets: SecretBox,
  { lost = false, now }: { lost?: boolean; now: number },
): Promise<RotationReport> {
  const report: RotationReport = { rotated: 0, current: 0, unreadable: [] };
  for await (const { id, account_id } of allWebhookConfigs(records)) {
    await inTransaction(records, async (transaction) => {
      await lockAccount(transaction, account_id);
      const config = await lookUpWebhookConfig(transaction, account_id, id);
      if (!config) return;
      const { secret, previous_secrets } = config;
      const earlier = JSON.parse(previous_secrets) as PreviousSecret[];
      const found = [secret, ...earlier.map((one) => one.secret)].map((sealed) => secrets.reseal(sealed, id));
      if (found.includes('unknown_key')) report.unreadable.push(id);
      const sealed = [secret, ...earlier.map((one) => one.secret)].map((before, place) => {
        const again = found[place]!;
        return typeof again === 'object' ? again.sealed : before;
      });
      const rotated = found.filter((one) => typeof one === 'object').length;
      report.rotated += rotated;
      report.current += found.filter((one) => one === 'current').length;
      if (rotated === 0) return;
      const previous = earlier.map((one, place) => ({ ...one, secret: sealed[place + 1]! }));
      const change = { secret: sealed[0]!, previous_secrets: JSON.stringify(previous) };
      await updateWebhookConfig(transaction, account_id, id, change);
    });
  }
  if (report.unreadable.length > 0 && !lost) return report;
  await inTransaction(records, async (transaction) => {
    await saveCanary(transaction, secrets.seal(OWNER, OWNER), { replace: true });
    const detail = report.unreadable.length > 0 ? `lost: ${report.unreadable.join(', ')}` : '';
    const subject = `${report.rotated} secrets`;
    await insertAudit(transaction, { ...OPERATOR, action: 'secrets_rotated', subject, detail }, now);
  });
  return report;
}

/** Reads the text that the key of this installation sealed first; null before it sealed anything. */
async function readCanary(records: Records): Promise<string | null> {
  const row = await records.selectFrom('secret_canary').select('sealed').executeTakeFirst();
  return row?.sealed ?? null;
}

/** Keeps a canary; one that is there stays unless `replace` says otherwise. */
async function saveCanary(records: Records, sealed: string, { replace }: { replace: boolean }): Promise<void> {
  await records
    .insertInto('secret_canary')
    .values({ id: 1, sealed })
    .onConflict((conflict) => (replace ? conflict.column('id').doUpdateSet({ sealed }) : conflict.doNothing()))
    .execute();
}

import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { openSecretBox } from '../../src/data-folder/secret-box.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { recordEvent } from '../../src/events/outbox.ts';
import { createGuard } from '../../src/outbound/guard.ts';
import { PLANS } from '../../src/plans.ts';
import { createWebhook } from '../../src/questions/monitoring/manage-webhooks.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { makeDataFolder } from '../setup/data-folder.ts';
import { startProcess } from '../workers/processes.ts';
import { LOCAL_WEBHOOKS, startReceiver } from './receiver.ts';

/** Twenty by `KILLS=20 npx vitest run test/events/kill.test.ts`. */
const KILLS = Number(process.env.KILLS ?? 2);
const SECRET_KEY = 'a key of sixteen';

it(
  `loses no event when the process is killed in the middle of a delivery, ${KILLS} times`,
  async () => {
    const DATA_DIR = makeDataFolder('kill');
    const records = await openRecords({ path: join(DATA_DIR, 'records.sqlite') });
    onTestFinished(() => records.destroy());
    const ctx = {
      records,
      now: Date.now,
      config: readConfig({ ...LOCAL_WEBHOOKS }),
      secrets: openSecretBox(SECRET_KEY, null),
      webhookGuard: createGuard({ allowCidrs: ['127.0.0.0/8'], allowHttp: true }),
    } as unknown as Context;
    const account = await createAccount(records, { name: 'Desk', planId: 'pro' }, Date.now());
    let answering = false;
    const { received, url } = await startReceiver((response) => {
      if (answering) response.writeHead(204).end();
    });
    const tenant = { accountId: account.id, keyId: account.id, planId: 'pro' as const, plan: PLANS.pro };
    await createWebhook(ctx, tenant, { webhook_url: url });

    // Each process is later than the lease of the one before.
    let aheadMs = 0;
    const start = () => {
      aheadMs += 2 * MINUTE_MS;
      const settings = { ...LOCAL_WEBHOOKS, DATA_DIR, SECRET_KEY, LOG_LEVEL: 'info', aheadMs: String(aheadMs) };
      return startProcess('/test/events/delivery-process.ts', settings);
    };
    await recordEvent(records, {
      type: 'scan.completed',
      accountId: account.id,
      subject: 's',
      data: { n: 1 },
      at: Date.now(),
    });
    for (let kill = 1; kill <= KILLS; kill++) {
      const worker = await start();
      await expect.poll(() => received.length).toBe(kill);
      await worker.end('SIGKILL');
    }
    answering = true;
    await start();
    const statuses = () => records.selectFrom('deliveries').select(['id', 'status', 'attempts']).execute();
    await expect.poll(statuses).toMatchObject([{ status: 'delivered', attempts: KILLS + 1 }]);
    const { id } = (await statuses())[0]!;
    expect(received.map(({ headers }) => headers['x-service-delivery'])).toEqual(
      Array.from({ length: KILLS + 1 }, () => id),
    );
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  },
  60_000 + KILLS * 20_000,
);

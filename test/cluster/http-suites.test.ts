import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, vi } from 'vitest';
import { appStores } from '../app/app-stores.ts';
import { leasePostgres, type TestPostgres } from '../records/postgres.ts';

// These HTTP suites once more, word for word, on PostgreSQL: what they promise rests on its locks and transactions. The
// rest is held by the contract suites of each port, by operations.test.ts and by processes.test.ts.
const SUITES = ['http/idempotency.test.ts', 'routes/monitoring/watch-to-webhook.test.ts'];

vi.setConfig({ testTimeout: 300_000 });

const TESTS = resolve(import.meta.dirname, '..');
let server: TestPostgres;
beforeAll(async () => {
  server = await leasePostgres();
  appStores.empty = async () => ({ DATABASE_URL: await server.newStore() });
}, 600_000);
beforeEach(({ skip }) => {
  if (server.missing) skip(server.missing);
});
afterAll(async () => {
  delete appStores.empty;
  await server?.release();
});

describe.each(SUITES)('%s on PostgreSQL', async (suite) => {
  // By a name of its own: the suite itself may have run in this process before.
  await import(`${join(TESTS, suite)}?servers`);
});

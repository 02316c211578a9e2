import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordExamples } from '../../scripts/examples/record.ts';
import { EXAMPLES } from '../../src/http/document-routes.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';

let stores: ClusterStores;
beforeAll(async () => {
  stores = await leaseClusterStores();
}, 600_000);
afterAll(() => stores?.release());

it('every operation of the API answers on Neo4j, PostgreSQL and Redis as on the embedded stores', {
  timeout: 600_000,
}, async ({ skip }) => {
  if (stores.missing) skip(stores.missing);
  const servers = { settings: await stores.empty(), pass: stores.pass };
  expect((await recordExamples(servers)).examples).toEqual(EXAMPLES);
});

import { afterEach, expect, it } from 'vitest';
import { openBitcoin } from '../../src/chains/bitcoin/bitcoin.ts';
import { guardSource } from '../../src/chains/guarded-source.ts';
import { SourceError } from '../../src/errors.ts';
import { type ServedUpstream, serveUpstream } from '../contract/upstream.ts';
import { esplora, hashOf, transaction, wallet } from './bitcoin/esplora-upstream.ts';
import { sourceGuards } from './source-guards.ts';

const served: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of served.splice(0)) await server.close();
});

const NOW = Date.UTC(2026, 10, 20);

async function open(satoshi: number, now = NOW) {
  const server = await serveUpstream(
    esplora([transaction(7, { [wallet(2)]: satoshi }, { [wallet(1)]: satoshi }, 700_000)]),
  );
  served.push(server);
  return guardSource(
    openBitcoin({ esploraUrl: server.url }, { pageLimit: 5 }),
    sourceGuards(() => now),
  );
}

it('a source that moves more coins than exist is at fault, in histories and in transactions', async () => {
  const source = await open(2_100_000_100_000_000);
  await expect(source.history(wallet(1))).rejects.toBeInstanceOf(SourceError);
  await expect(source.transaction(hashOf(7))).rejects.toThrow(SourceError);
});

it('all coins that will ever exist can move', async () => {
  const source = await open(2_100_000_000_000_000);
  expect((await source.history(wallet(1))).transfers).toMatchObject([
    { amount: '21000000', source: 'esplora', readAt: NOW },
  ]);
});

it('a source that dates a transfer after now is at fault, but for clocks that differ a little', async () => {
  const { at } = (await (await open(1)).history(wallet(1))).transfers[0]!;
  const hours = (n: number) => n * 3_600_000;
  await expect((await open(1, at - hours(3))).history(wallet(1))).rejects.toMatchObject({
    reason: expect.stringContaining('a time to come'),
  });
  await expect((await open(1, at - hours(3))).transaction(hashOf(7))).rejects.toBeInstanceOf(SourceError);
  // Bitcoin takes blocks of the next two hours.
  expect((await (await open(1, at - hours(2))).history(wallet(1))).transfers).toHaveLength(1);
});

it('no reason of a failure holds the key of its source, though the reply repeats the request', async () => {
  const server = await serveUpstream(({ url }) => ({ status: 404, text: `Cannot GET ${url.pathname}` }));
  served.push(server);
  const source = guardSource(openBitcoin({ esploraUrl: `${server.url}/api/k3y9` }, { pageLimit: 5 }), sourceGuards());
  const error = await source.history(wallet(1)).catch((thrown: SourceError) => thrown);
  expect((error as SourceError).reason).toMatch(/Cannot GET \/api\/\*{8}\//);
});

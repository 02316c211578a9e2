import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { openApp, serveWorld, world } from '../app/demo-world.ts';

serveWorld();

async function open() {
  const { app, headers } = await openApp();
  const auth = await headers('business');
  return async (path: string) => {
    const reply = await app.inject({ url: `/api/v1${path}`, headers: auth });
    expect(reply.statusCode, `${path}: ${reply.body}`).toBe(200);
    return reply.json();
  };
}

const addressOf = (chain: Chain, story: string, name: string) => roleOf(world, chain, story, name).address;

it('a wallet of forty addresses is one holder with one total after one scan', async () => {
  const get = await open();
  const purse = addressOf('bitcoin', 'wallet_of_forty', 'purse_0');
  const scan = await get(`/public/scan?address=${purse}&chain=bitcoin`);
  expect(scan.metadata.entity).toMatchObject({ size: 40, basis: 'co_spent', name: null });
  const entity = await get(`/graph/entities/${encodeURIComponent(scan.metadata.entity.id)}?limit=50`);
  expect(entity).toMatchObject({ size: 40, total: 40, overgrown: false, chains: ['bitcoin'] });
  const members: { address: string; tx_hash: string }[] = entity.members;
  expect(new Set(members.map(({ address }) => address)).size).toBe(40);
  const bills = world.bitcoin.txs.filter(({ inputs }) => inputs.some(({ address }) => address === purse));
  for (const { tx_hash } of members) expect(bills.map(({ txid }) => txid)).toContain(tx_hash);

  // What it pays itself does not count: rent alone leaves.
  const own = new Set(members.map(({ address }) => address));
  const leaves = world.moves.bitcoin.filter(({ from, to }) => own.has(from) && !own.has(to));
  expect(entity.sent).toMatchObject({ transfers: leaves.length, unpriced: 0 });
});

it('hot wallets and deposit addresses of an exchange are one holder of one name', async () => {
  const get = await open();
  for (let i = 0; i < 6; i++) {
    await get(`/public/scan?address=${addressOf('bitcoin', 'exchange_of_six', `harbour_hot_${i}`)}&chain=bitcoin`);
  }
  const deposit = addressOf('bitcoin', 'exchange_of_six', 'harbour_deposit_0');
  const { entity, membership } = await get(`/graph/entity-of/${deposit}?chain=bitcoin`);
  expect(entity).toMatchObject({ name: 'Fictional Harbour', category: 'exchange', size: 18, basis: 'co_spent' });
  expect(membership).toMatchObject({ basis: 'co_spent' });
});

it('one key is one holder on Bitcoin, Ethereum and TRON', async () => {
  const get = await open();
  const chains = ['bitcoin', 'ethereum', 'tron'] as const;
  for (const chain of chains)
    await get(`/public/scan?address=${addressOf(chain, 'one_key', 'wanderer')}&chain=${chain}`);
  const { entity } = await get(`/graph/entity-of/${addressOf('tron', 'one_key', 'wanderer')}?chain=tron`);
  expect(entity).toMatchObject({ basis: 'same_key', size: 3, chains: ['bitcoin', 'ethereum', 'tron'] });
});

import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { usd } from '../../words/figures.ts';
import { openApp, serveWorld, world } from '../app/demo-world.ts';
import { missingReader, textOf } from '../reports/pdf-text.ts';

serveWorld();

async function open() {
  const { app, headers } = await openApp();
  const auth = { business: await headers('business'), pro: await headers('pro') };
  const ask = async (path: string, plan: keyof typeof auth = 'business', payload?: object) => {
    const asked = { url: `/api/v1${path}`, headers: auth[plan] };
    const reply = await app.inject(payload ? { ...asked, method: 'POST', payload } : asked);
    expect(reply.statusCode, `${path}: ${reply.body.slice(0, 300)}`).toBe(200);
    return reply;
  };
  return Object.assign(async (path: string, plan?: keyof typeof auth) => (await ask(path, plan)).json(), { ask });
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

  // What the chain says of those that the scan read.
  const profile = await get(`/graph/profile/${purse}?chain=bitcoin&group=entity`);
  const stated: { address: string; amount: string; at: string }[] = profile.balances;
  const satoshi = (amount: string | number) => Math.round(Number(amount) * 1e8);
  const put = (side: 'inputs' | 'outputs') =>
    world.bitcoin.txs
      .flatMap((tx) => tx[side])
      .filter(({ address }) => address === purse)
      .reduce((sum, { value }) => sum + Number(value), 0);
  const held = satoshi(stated.find(({ address }) => address === purse)!.amount);
  expect(held).toBeGreaterThan(0);
  expect(held).toBe(put('outputs') - put('inputs'));
  const days = stated.map(({ at }) => at).sort();
  expect(entity.balances).toMatchObject([
    { chain: 'bitcoin', asset: 'BTC', addresses: stated.length, first_at: days[0], last_at: days.at(-1) },
  ]);
  const sum = stated.reduce((all, { amount }) => all + satoshi(amount), 0);
  expect(satoshi(entity.balances[0].amount)).toBe(sum);
  // Whether others have read an address is not for an account to learn.
  const others = await get(`/graph/entities/${encodeURIComponent(entity.id)}`, 'pro');
  expect(others).toMatchObject({ size: 40, balances: [] });
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

it.skipIf(missingReader)(
  'reports say what the holder moved as one party, and why each of its addresses is one',
  async () => {
    const get = await open();
    const purse = addressOf('bitcoin', 'wallet_of_forty', 'purse_0');
    const { metadata } = await get(`/public/scan?address=${purse}&chain=bitcoin`);
    const entity = await get(`/graph/entities/${encodeURIComponent(metadata.entity.id)}?limit=50`);
    const members: { address: string; tx_hash: string }[] = entity.members;
    const report = async (path: string) => textOf((await get.ask(path)).rawPayload);
    const holds = (text: string, some = members) => {
      for (const { address, tx_hash } of some) for (const word of [address, tx_hash]) expect(text).toContain(word);
      expect(text).toMatch(/testedpairsinwhichitjoinedstrangers:[\d,]+of[\d,]+:[\d.]+%/);
    };
    const alone = await report(`/risk-report/${purse}?chain=bitcoin&language=en`);
    holds(alone);
    expect(alone).toContain('ofthesameholder');
    const whole = usd(entity.sent.usd, 'en').replace(/\s/g, '');
    expect(alone.slice(alone.indexOf('Exposureoftheholder'))).toContain(whole);

    const made = (await get.ask('/cases', 'business', { title: 'The purse' })).json();
    const url = `/cases/${made.case.id}`;
    await get.ask(`${url}/addresses`, 'business', { address: purse, chain: 'bitcoin', role: 'subject' });
    const ofCase = await report(`${url}/report.pdf?language=en`);
    holds(
      ofCase,
      members.filter(({ address }) => address === purse),
    );
    expect(ofCase).toMatch(/and\d+more/);
  },
);

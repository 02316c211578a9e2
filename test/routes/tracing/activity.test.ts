import { describe, expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { CHAINS, EVM_CHAINS } from '../../../src/domain/chain.ts';
import type { ChainActivity } from '../../../src/questions/activity.ts';
import { chains, openApp, serveWorld, world } from '../../app/demo-world.ts';

serveWorld();

async function open() {
  const test = await openApp();
  const headers = await test.headers();
  const get = async (path: string) => {
    const reply = await test.app.inject({ url: `/api/v1${path}`, headers });
    return { status: reply.statusCode, body: reply.json() };
  };
  const activity = async (address: string) => {
    const { status, body } = await get(`/graph/activity/${address}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as { address: string; active_on: string[]; chains: ChainActivity[] };
  };
  return { get, activity };
}

const requests = () => Object.values(chains.servers).reduce((sum, server) => sum + server.requests.length, 0);

describe('GET /graph/activity/{address}', () => {
  it('names the chains of an EVM address by what their sources say, before anything was scanned', async () => {
    const { activity } = await open();
    const { address } = roleOf(world, 'optimism', 'clean_saver');
    const found = await activity(address);
    expect(found.active_on).toEqual(['optimism']);
    expect(found.chains.map(({ chain }) => chain)).toEqual([...EVM_CHAINS]);
    const on = Object.fromEntries(found.chains.map((one) => [one.chain, one]));
    expect(on.optimism).toMatchObject({ known: null, is_contract: false });
    expect(Number(on.optimism!.balance)).toBeGreaterThan(0);
    expect(on.ethereum).toEqual({ chain: 'ethereum', known: null, balance: '0', nonce: 0, is_contract: false });
  });

  it('adds what the graph holds after a scan, costs no scan, and asks sources once in ten minutes', async () => {
    const { get, activity } = await open();
    const { address } = roleOf(world, 'base', 'clean_saver');
    const scanned = await get(`/public/scan?address=${address}&chain=base&trace=off`);
    await activity(address);
    const [asked, used] = [requests(), (await get('/public/usage')).body.scans_used];
    const found = (await activity(address)).chains.find(({ chain }) => chain === 'base')!;
    expect(requests()).toBe(asked);
    expect((await get('/public/usage')).body.scans_used).toBe(used);
    const { from, to } = scanned.body.metadata.coverage;
    expect(found.known).toMatchObject({ first_at: from, last_at: to });
  });

  it.each(CHAINS.filter((chain) => !(EVM_CHAINS as readonly string[]).includes(chain)))(
    'knows the one chain of an address of %s',
    async (chain) => {
      const { activity } = await open();
      const { address } = roleOf(world, chain, 'clean_saver');
      expect((await activity(address)).active_on).toEqual([chain]);
      const unknown = roleOf(world, chain, 'empty_unknown').address;
      expect((await activity(unknown)).active_on).toEqual([]);
    },
  );

  it('answers without a source that is down, and asks it again the next time', async () => {
    const { activity } = await open();
    const { address } = roleOf(world, 'optimism', 'clean_saver');
    chains.servers.evmRpc.inject({ match: '/optimism', status: 500 });
    const without = await activity(address);
    expect(without.chains.find(({ chain }) => chain === 'optimism')).toMatchObject({ balance: null, nonce: null });
    chains.servers.evmRpc.clearFaults();
    expect((await activity(address)).active_on).toEqual(['optimism']);
  });
});

it('a scan of an EVM address that its chain does not know names the chains where it is in use', async () => {
  const { get } = await open();
  const { address } = roleOf(world, 'optimism', 'clean_saver');
  expect(await get(`/public/scan?address=${address}`)).toMatchObject({
    status: 404,
    body: { detail: 'Address not found on ethereum', active_on: ['optimism'] },
  });
});

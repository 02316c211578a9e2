import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { addressesOfKey } from '../../../src/domain/address/public-key.ts';
import { bareNode, EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import { type UtxoParty, utxoTransfers } from '../../../src/domain/transfers/utxo.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { findTenant } from '../../../src/http/auth.ts';
import { scanAddress } from '../../../src/questions/scans/scan-address.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';

serveWorld();

const wallet = (n: number) => addressesOfKey(secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, n))))[3]!.address;

const spend = (nth: number, month: number, inputs: UtxoParty[], to: string) => {
  const sum = inputs.reduce((all, { value }) => all + value, 0n);
  const txHash = nth.toString(16).padStart(64, '0');
  const place = { txHash, block: nth, blockHash: 'b'.repeat(64), at: Date.UTC(2026, month, 5), coinbase: false };
  const { transfers } = utxoTransfers({ ...place, inputs, outputs: [{ address: to, value: sum }] });
  return transfers.map((one) => ({ ...one, usd: Number(one.amountRaw) }));
};

async function open() {
  const { app, ctx, headers } = await openApp();
  const [own, other] = [await headers('business'), await headers('business')];
  const get = async (path: string, auth = own) => {
    const reply = await app.inject({ url: `/api/v1${path}`, headers: auth });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json();
  };
  const post = async (url: string, payload: object) => {
    const reply = await app.inject({ method: 'POST', url: `/api/v1${url}`, headers: own, payload });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json();
  };
  return { get, post, other, ctx };
}

describe('GET /graph/profile/{address}', () => {
  it('counts by month what came in and went out, and by holder without what it pays itself', async () => {
    const { get, ctx } = await open();
    const [shop, first, second, payee] = [60, 61, 62, 63].map(wallet) as [string, string, string, string];
    await ingestTransfers(ctx.graph, spend(1, 0, [{ address: shop, value: 90n }], first));
    await ingestTransfers(ctx.graph, spend(2, 1, [{ address: first, value: 40n }], second));
    const both = [
      { address: first, value: 30n },
      { address: second, value: 20n },
    ];
    await ingestTransfers(ctx.graph, spend(3, 3, both, payee));
    const none = { usd: 0, transfers: 0, unpriced: 0 };
    const sent = (usd: number, transfers = 1) => ({ usd, transfers, unpriced: 0 });
    const alone = await get(`/graph/profile/${first}`);
    expect(alone.months).toEqual([
      { month: '2026-01', received: sent(90), sent: none },
      { month: '2026-02', received: none, sent: sent(40) },
      { month: '2026-04', received: none, sent: sent(30) },
    ]);
    expect(alone).not.toHaveProperty('entity');
    const holder = await get(`/graph/profile/${first}?group=entity`);
    expect(holder.entity).toMatchObject({ basis: 'co_spent', size: 2 });
    expect(holder.months).toEqual([
      { month: '2026-01', received: sent(90), sent: none },
      { month: '2026-04', received: none, sent: sent(50, 2) },
    ]);
  });

  it('says who says what since when, also what ended, and what the chain stated of an address that was read', async () => {
    const { get, ctx, other } = await open();
    const { address } = roleOf(world, 'base', 'clean_saver');
    const label = { chain: 'base' as const, address, entity: null, maliciousContract: false, validFrom: null };
    const ended = { ...label, category: 'exchange' as const, label: 'Old desk', source: 'desk-list', confidence: 90 };
    const now = { ...label, category: 'service' as const, label: 'Saver', source: 'own-list', confidence: 40 };
    const [from, to] = [Date.UTC(2025, 2, 1), Date.UTC(2025, 5, 1)];
    await ctx.labels.put(
      [
        { ...ended, validFrom: from, validTo: to },
        { ...now, validTo: null },
      ],
      {
        stamp: await ctx.labels.beginLoad(),
        list: false,
      },
    );
    expect((await get(`/graph/profile/${address}?chain=base`)).balances).toEqual([]);
    await get(`/public/scan?address=${address}&chain=base&trace=off`);
    const found = await get(`/graph/profile/${address}?chain=base`);
    expect(found.labels).toMatchObject([
      { label: 'Saver', source: 'own-list', sure: false, in_force: true, valid_from: null, valid_to: null },
      { label: 'Old desk', source: 'desk-list', in_force: false, valid_from: '2025-03-01T00:00:00.000Z' },
    ]);
    const { metadata } = await get(`/public/scan?address=${address}&chain=base&trace=off`);
    expect(found.balances).toContainEqual(expect.objectContaining({ asset: 'ETH', chain: 'base' }));
    expect(Date.parse(found.balances[0].at)).toBeGreaterThanOrEqual(Date.parse(metadata.coverage.to));
    // Whether others have read an address is not for an account to learn.
    expect((await get(`/graph/profile/${address}?chain=base`, other)).balances).toEqual([]);
  });

  it('names the newest scan of the account, also one that no list of scans shows', async () => {
    const { app, ctx, headers } = await openApp();
    const [own, other] = [await headers('business'), await headers('business')];
    const { chain, address } = roleOf(world, 'ethereum', 'clean_saver');
    const tenant = (await findTenant(ctx, own['x-api-key']))!;
    const nameOf = async (auth: typeof own) => {
      const reply = await app.inject({ url: `/api/v1/graph/profile/${address}?chain=${chain}`, headers: auth });
      return reply.json().last_scan_id;
    };
    expect(await nameOf(own)).toBeNull();
    const scan = await scanAddress(ctx, tenant, { chain, address, lang: 'en', source: 'case' });
    expect(await nameOf(own)).toBe(scan.scan_id);
    expect(await nameOf(other)).toBeNull();
  });

  it('names the cases and the boards of the account that hold the address, and none of others', async () => {
    const { get, post, other } = await open();
    const { address } = roleOf(world, 'ethereum', 'clean_saver');
    const opened = (await post('/cases', { title: 'Savings' })).case;
    await post(`/cases/${opened.id}/addresses`, {
      address,
      chain: 'ethereum',
      role: 'victim',
      investigator_notes: 'Called.',
    });
    const scene = { ...EMPTY_SCENE, nodes: [bareNode({ chain: 'ethereum', address })] };
    const { board } = await post('/boards', { title: 'Picture', scene });
    await post('/boards', { title: 'Empty', scene: EMPTY_SCENE });
    const path = `/graph/profile/${address}?chain=ethereum`;
    expect(await get(path)).toMatchObject({
      cases: [{ id: opened.id, title: 'Savings', status: 'open', role: 'victim' }],
      boards: [{ id: board.id, title: 'Picture' }],
    });
    expect(await get(path, other)).toMatchObject({ cases: [], boards: [] });
  });
});

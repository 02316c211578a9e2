import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addressKey } from '../../../src/domain/address/address-key.ts';
import { addressesOfKey } from '../../../src/domain/address/public-key.ts';
import type { UtxoParty } from '../../../src/domain/transfers/utxo.ts';
import { utxoTransfers } from '../../../src/domain/transfers/utxo.ts';
import { keepClusters } from '../../../src/graph/imported-clusters.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { markRead } from '../../../src/graph/ingest/mark-read.ts';
import { openApp, serveWorld } from '../../app/demo-world.ts';
import { isDuckDbMissing, nodeLabel, transfer } from '../../graph/world.ts';

serveWorld();

const KEY = secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, 42)));
const [legacy, , , native] = addressesOfKey(KEY).map(({ address }) => address) as [string, string, string, string];
const evm = addressesOfKey(KEY).find(({ chain }) => chain === 'ethereum')!.address;
const bitcoin = (n: number) => addressesOfKey(secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, n))))[3]!.address;
const [other, shop, hot, cold] = [43, 44, 45, 46].map(bitcoin) as [string, string, string, string];
const AT = Date.UTC(2026, 0, 5);
const READ_WHOLE = {
  ...{ at: AT + 9_000, isContract: false, isHub: false, complete: true },
  intervals: [{ list: 'coin' as const, from: 0, to: AT + 9_000, source: 'file', at: AT + 9_000 }],
};

const spend = (nth: number, inputs: UtxoParty[], to: string) => {
  const sum = inputs.reduce((all, { value }) => all + value, 0n);
  const txHash = nth.toString(16).padStart(64, '0');
  const place = { txHash, block: nth, blockHash: 'b'.repeat(64), at: AT + nth * 1_000, coinbase: false };
  const { transfers } = utxoTransfers({ ...place, inputs, outputs: [{ address: to, value: sum }] });
  return transfers.map((one) => ({ ...one, usd: Number(one.amountRaw) }));
};

async function open(env: Record<string, string> = {}) {
  const { app, ctx, headers } = await openApp(env);
  const auth = await headers('business');
  const get = async (path: string, plan?: 'pro') => {
    const reply = await app.inject({ url: `/api/v1${path}`, headers: plan ? await headers(plan) : auth });
    return { status: reply.statusCode, body: reply.json() };
  };
  const del = (path: string) => app.inject({ method: 'DELETE', url: `/api/v1${path}`, headers: auth });
  const post = async (path: string, payload: object) =>
    (await app.inject({ method: 'POST', url: `/api/v1${path}`, headers: auth, payload })).json();
  return { get, post, del, graph: ctx.graph };
}

describe('entities', () => {
  it('are one holder on several chains, with the reason for each member and sums without own payments', async () => {
    const { get, graph } = await open();
    await ingestTransfers(graph, spend(1, [{ address: shop, value: 70n }], legacy));
    await ingestTransfers(graph, spend(2, [{ address: legacy, value: 30n }], native));
    await ingestTransfers(graph, [
      ...spend(
        3,
        [
          { address: native, value: 30n },
          { address: other, value: 20n },
        ],
        shop,
      ),
      transfer({ chain: 'ethereum', from: evm, to: '0x'.padEnd(42, '9'), usd: 5, at: AT + 9_000 }),
    ]);
    const reading = { chain: 'bitcoin' as const, address: legacy, at: AT, intervals: [], isHub: false, complete: null };
    const proven = { publicKey: Buffer.from(KEY).toString('hex'), txHash: 'f'.repeat(64), at: AT };
    await markRead(graph, { ...reading, isContract: null, proven });

    const id = [legacy, native, other].map((one) => addressKey('bitcoin', one)).sort()[0]!;
    const { status, body } = await get(`/graph/entities/${id}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      id,
      name: null,
      category: 'unknown',
      basis: 'co_spent',
      size: 4,
      overgrown: false,
      chains: ['bitcoin', 'ethereum'],
      received: { usd: 70, transfers: 1, unpriced: 0 },
      sent: { usd: 55, transfers: 3, unpriced: 0 },
      total: 4,
    });
    const reasons = Object.fromEntries(
      (body.members as { address: string }[]).map(({ address, ...member }) => [address, member]),
    );
    expect(reasons[evm]).toMatchObject({
      chain: 'ethereum',
      basis: 'same_key',
      tx_hash: 'f'.repeat(64),
      confidence: 1,
    });
    expect(reasons[other]).toMatchObject({ chain: 'bitcoin', basis: 'co_spent', confidence: null });
    const page = await get(`/graph/entities/${id}?limit=1&offset=3`);
    expect(page.body.members).toEqual([body.members[3]]);

    const ofEvm = await get(`/graph/entity-of/${evm.toUpperCase().replace('0X', '0x')}?chain=ethereum`);
    expect(ofEvm.body.entity).toMatchObject({ id, size: 4 });
    expect(ofEvm.body.membership).toMatchObject({ basis: 'same_key' });
    const written = [`bitcoin:${native.toUpperCase()}`, `ethereum:${evm.toUpperCase().replace('0X', '0x')}`];
    const formers = [legacy, native, other].map((one) => addressKey('bitcoin', one));
    for (const former of [...formers, ...written]) {
      expect((await get(`/graph/entities/${former}`)).body.id).toBe(id);
    }
  });

  it('are called what the account calls any of their members, and no other account sees it', async () => {
    const { get, post, del, graph } = await open();
    const joint = spend(
      31,
      [
        { address: hot, value: 30n },
        { address: cold, value: 20n },
      ],
      shop,
    );
    await ingestTransfers(graph, joint);
    const id = [hot, cold].map((one) => addressKey('bitcoin', one)).sort()[0]!;
    expect((await get(`/graph/entities/${id}`)).body).not.toHaveProperty('own_labels');
    const given = { chain: 'bitcoin', label: 'Purse of Mo', category: 'scam', reason: 'Seized phone' };
    const { label } = await post('/labels', { address: cold, ...given });
    const said = [{ ...given, id: label.id, basis: 'claimed', address: cold }];
    const change = ['', '?change=true'];
    for (const query of change) {
      expect((await get(`/graph/entities/${id}${query}`)).body, query).toMatchObject({ name: null, own_labels: said });
      expect((await get(`/graph/entity-of/${hot}${query}`)).body.entity, query).toMatchObject({ own_labels: said });
    }
    const other = await get(`/graph/entities/${id}`, 'pro');
    expect(other).toMatchObject({ status: 200, body: { id } });
    expect(other.body).not.toHaveProperty('own_labels');

    await del(`/labels/${label.id}`);
    expect((await get(`/graph/entities/${id}`)).body).not.toHaveProperty('own_labels');
  });

  it.skipIf(isDuckDbMissing)('show beside them the cluster that others computed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clusters-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const input = join(folder, 'of-others.csv');
    writeFileSync(input, `address,cluster_id\n${hot},5\n${cold},5\n`);
    await keepClusters(folder, { chain: 'bitcoin', input, source: 'of-others.csv', at: AT });
    const { get } = await open({ DATA_DIR: folder });
    const { body } = await get(`/graph/entity-of/${hot}`);
    const imported = { basis: 'imported', source: 'of-others.csv', day: '2026-01-05', cluster: '5', size: 2 };
    expect(body).toMatchObject({ entity: null, imported });
    expect(body.imported.members.sort()).toEqual([hot, cold].sort());
    expect((await get(`/graph/entity-of/${evm}?chain=ethereum`)).body).not.toHaveProperty('imported');
  });

  it('count what is change by two signs only where it is asked for', async () => {
    const { get, graph } = await open();
    const [paid, left, onward] = [47, 48, 49].map(bitcoin) as [string, string, string];
    const pay = (nth: number, from: string, value: bigint, outputs: UtxoParty[]) => {
      const place = {
        txHash: nth.toString(16).padStart(64, '0'),
        block: nth,
        blockHash: 'b'.repeat(64),
        coinbase: false,
      };
      const inputs = [{ address: from, value }];
      return utxoTransfers({ ...place, at: AT + nth * 1_000, inputs, outputs }).transfers.map((one) => ({
        ...one,
        usd: 1,
      }));
    };
    // The payee has another kind of script, and an even amount.
    await ingestTransfers(graph, [
      ...pay(21, paid, 1_000_000n, [
        { address: legacy, value: 300_000n },
        { address: left, value: 699_123n },
      ]),
      ...pay(22, left, 699_123n, [
        { address: onward, value: 197_321n },
        { address: legacy, value: 500_000n },
      ]),
    ]);
    const key = addressKey('bitcoin', paid);
    expect((await get(`/graph/entity-of/${left}`)).body).toMatchObject({ entity: null, membership: null });
    expect((await get(`/graph/entities/${key}`)).status).toBe(404);
    const of = (await get(`/graph/entity-of/${left}?change=true`)).body;
    expect(of.entity).toMatchObject({ size: 3, basis: 'change', overgrown: false });
    expect(of.membership).toMatchObject({ basis: 'change', tx_hash: '15'.padStart(64, '0'), confidence: null });
    const whole = (await get(`/graph/entities/${key}?change=true&limit=2`)).body;
    expect(whole).toMatchObject({ size: 3, total: 3, sent: { usd: 2, transfers: 2 }, received: { transfers: 0 } });
    expect(whole.members).toHaveLength(2);
    expect((await get(`/graph/entities/${key}?change=perhaps`)).status).toBe(422);
  });

  it('are taken for nothing once they hold wallets of two services', async () => {
    const { get, graph } = await open();
    const named = (name: string) => nodeLabel({ category: 'exchange', label: `${name}: Wallet`, entity_id: name });
    const labels = new Map([
      [addressKey('bitcoin', native), named('Coinhall')],
      [addressKey('bitcoin', other), named('Tradegate')],
    ]);
    const together = spend(
      3,
      [
        { address: native, value: 30n },
        { address: other, value: 20n },
      ],
      shop,
    );
    await ingestTransfers(graph, together, labels);
    const { body } = await get(`/graph/entity-of/${native}`);
    expect(body.entity).toMatchObject({ overgrown: true, name: null, category: 'unknown', size: 2 });
    const whole = await get(`/graph/entities/${body.entity.id}`);
    expect([whole.body.sent, whole.body.received, whole.body.members.length]).toEqual([null, null, 2]);
    // Change adds nothing to strangers: none of their addresses is asked for it.
    const asked = vi.spyOn(graph, 'read');
    expect((await get(`/graph/entities/${body.entity.id}?change=true`)).body).toEqual(whole.body);
    expect((await get(`/graph/entity-of/${native}?change=true`)).body).toEqual(body);
    expect(asked.mock.calls.map(([statement]) => statement)).not.toContain('entities/change-links');
  });

  it('are one party, and deal with holders, where answers are grouped by entity', async () => {
    const { get, post, graph } = await open();
    const value = 60_000n;
    const exchange = nodeLabel({ category: 'exchange', label: 'Coinhall: Hot', entity_id: null });
    await ingestTransfers(graph, spend(1, [{ address: shop, value: 2n * value }], native));
    await ingestTransfers(graph, spend(2, [{ address: native, value }], other));
    // One wallet of two addresses, by a payment of its own; and the exchange's two.
    const both = (a: string, b: string) => [a, b].map((address) => ({ address, value: 5n }));
    await ingestTransfers(graph, spend(3, both(native, other), bitcoin(50)));
    await ingestTransfers(
      graph,
      spend(4, both(hot, cold), bitcoin(51)),
      new Map([[addressKey('bitcoin', hot), exchange]]),
    );
    await ingestTransfers(graph, spend(5, [{ address: native, value: value - 5n }], hot));
    await ingestTransfers(graph, spend(6, [{ address: other, value: value - 5n }], cold));

    const alone = (await get(`/exposure/${native}?max_hops=1`)).body;
    expect(alone).not.toHaveProperty('entity');
    expect((await get(`/exposure/${native}?max_hops=1&group=address`)).body).toEqual(alone);
    const [[first, second], [hotKey]] = [
      [native, other].map((one) => addressKey('bitcoin', one)).sort(),
      [hot, cold].map((one) => addressKey('bitcoin', one)).sort(),
    ] as [[string, string], [string]];
    const entity = { id: first, name: null, category: 'unknown', basis: 'co_spent', size: 2, followed: 2 };

    for (const asked of [first, second].map((key) => key.slice('bitcoin:'.length))) {
      const { status, body } = await get(`/exposure/${asked}?group=entity`);
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body).toMatchObject({ entity, received_usd: 120_000, sent_usd: 120_000 });
      expect(body.direct).toEqual([
        expect.objectContaining({ direction: 'sent', category: 'exchange', usd: 119_990, address_count: 1 }),
      ]);
      expect(body.direct[0].top).toEqual([
        expect.objectContaining({ usd: 119_990, label: 'Coinhall', entity_id: hotKey, entity_name: 'Coinhall' }),
      ]);
    }
    const { body: terminals } = await get(`/exposure/${native}/terminals?group=entity`);
    expect(terminals).toMatchObject({ entity, total: 1, terminals: [{ usd: 119_990, entity_name: 'Coinhall' }] });
    const { body: funds } = await get(`/graph/funds/${native}?group=entity`);
    expect(funds).toMatchObject({ entity, total_usd: 120_000 });
    expect(funds.rows.find(({ kind }: { kind: string }) => kind === 'party')).toMatchObject({
      usd: 119_990,
      entity_id: hotKey,
      entity_name: 'Coinhall',
    });
    const { id } = (await post('/cases', { title: 'Case' })).case;
    await post(`/cases/${id}/addresses`, { chain: 'bitcoin', address: native });
    const ofCase = async (query: string) => (await get(`/cases/${id}/funds${query}`)).body;
    const partiesOf = ({ rows }: { rows: { kind: string }[] }) => rows.filter(({ kind }) => kind === 'party');
    const byHolder = await ofCase('?group=entity');
    expect(byHolder).toMatchObject({ party: { size: 2, followed: 2 } });
    expect(partiesOf(byHolder)).toEqual([
      expect.objectContaining({ usd: 119_990, hops: 1, entity_id: hotKey, entity_name: 'Coinhall' }),
    ]);
    const byAddress = await ofCase('');
    expect(byAddress).not.toHaveProperty('party');
    for (const row of partiesOf(byAddress)) expect(row).not.toHaveProperty('entity_id');
    const { body: single } = await get(`/graph/counterparties/${native}`);
    expect(single).not.toHaveProperty('entity');
    expect(single.counterparties.find(({ address }: { address: string }) => address === hot)).toMatchObject({
      entity_id: hotKey,
      entity_name: 'Coinhall',
    });
    const { body: dealt } = await get(`/graph/counterparties/${native}?group=entity`);
    expect(dealt.entity).toEqual(entity);
    expect(dealt.counterparties.map((one: object) => one)).toEqual([
      expect.objectContaining({
        address: shop,
        entity_id: null,
        address_count: 1,
        received: expect.objectContaining({ usd: 120_000 }),
      }),
      expect.objectContaining({
        entity_id: hotKey,
        address_count: 2,
        sent: expect.objectContaining({ usd: 119_990, tx_count: 2 }),
      }),
      expect.objectContaining({ address: bitcoin(50), sent: expect.objectContaining({ usd: 10 }) }),
    ]);
    // Of an address without a label the name of its holder counts.
    await ingestTransfers(graph, spend(7, [{ address: bitcoin(52), value: 9n }], cold));
    await ingestTransfers(graph, spend(8, [{ address: bitcoin(52), value: 99n }], bitcoin(53)));
    const named = { address: cold, label: null, entity_name: 'Coinhall' };
    const { body: byName } = await get(`/graph/counterparties/${bitcoin(52)}?group=entity&order=name`);
    expect(byName.counterparties).toMatchObject([named, { address: bitcoin(53) }]);
    const { body: found } = await get(`/graph/counterparties/${bitcoin(52)}?group=entity&search=coinHALL`);
    expect(found).toMatchObject({ total: 1, counterparties: [named] });
  });

  it('are one row of an account of money each, though no label names them, with the number of their addresses', async () => {
    const { get, post, graph } = await open();
    const ends = [54, 55].map(bitcoin) as [string, string];
    await ingestTransfers(graph, spend(1, [{ address: shop, value: 300n }], native));
    for (const [nth, to] of ends.entries()) {
      await ingestTransfers(graph, spend(2 + nth, [{ address: native, value: 30n }], to));
    }
    const both = ends.map((address) => ({ address, value: 5n }));
    await ingestTransfers(graph, spend(4, both, bitcoin(56)));
    for (const address of [native, ...ends]) await markRead(graph, { ...READ_WHOLE, chain: 'bitcoin', address });
    const { id } = (await post('/cases', { title: 'Case' })).case;
    await post(`/cases/${id}/addresses`, { chain: 'bitcoin', address: native });
    const entity_id = ends.map((one) => addressKey('bitcoin', one) as string).sort()[0]!;
    for (const path of [`/graph/funds/${native}`, `/cases/${id}/funds`]) {
      const rowsOf = async (query: string) =>
        (await get(`${path}${query}`)).body.rows.filter((row: { address: string }) => ends.includes(row.address));
      const single = (await rowsOf('')) as { kind: string; usd: number; transfers: number }[];
      const { kind } = single[0]!;
      expect(single.map((row) => row.kind)).toEqual([kind, kind]);
      const sum = (of: 'usd' | 'transfers') => single.reduce((total, row) => total + row[of], 0);
      expect(await rowsOf('?group=entity')).toEqual([
        expect.objectContaining({
          ...{ kind, label: null, usd: sum('usd'), transfers: sum('transfers'), count: 2 },
          ...{ entity_id, entity_name: null },
        }),
      ]);
    }
    const suggested = async (query: string) => (await get(`/cases/${id}/suggestions${query}`)).body;
    const usdOf = ({ suggestions }: { suggestions: { address: string; usd: number }[] }) =>
      suggestions.filter(({ address }) => ends.includes(address)).map(({ usd }) => usd);
    expect(usdOf(await suggested(''))).toEqual([25, 25]);
    expect(usdOf(await suggested('?group=entity'))).toEqual([50]);
    // A holder of which the case has an address is in it already.
    await post(`/cases/${id}/addresses`, { chain: 'bitcoin', address: ends[0] });
    expect(usdOf(await suggested(''))).toHaveLength(1);
    expect(usdOf(await suggested('?group=entity'))).toEqual([]);
  });

  it('are suggested once with all that ended at them on several chains, of the subject whose money came there', async () => {
    const { get, post, graph } = await open();
    const [payer, far] = ['8', '9'].map((digit) => '0x'.padEnd(42, digit)) as [string, string];
    const paid = (chain: 'ethereum' | 'polygon', from: string, usd: number, nth: number) =>
      transfer({ chain, from, to: evm, usd, amount: String(usd), at: AT + nth }, nth);
    await ingestTransfers(graph, [
      ...[40, 20].map((usd, nth) => paid('ethereum', payer, usd, nth)),
      paid('polygon', far, 50, 2),
    ]);
    const reading = { chain: 'bitcoin' as const, address: legacy, at: AT, intervals: [], isHub: false, complete: null };
    const proven = { publicKey: Buffer.from(KEY).toString('hex'), txHash: 'f'.repeat(64), at: AT };
    await markRead(graph, { ...reading, isContract: null, proven });
    const { id } = (await post('/cases', { title: 'Case' })).case;
    await post(`/cases/${id}/addresses`, { chain: 'ethereum', address: payer });
    await post(`/cases/${id}/addresses`, { chain: 'polygon', address: far });
    const { body } = await get(`/cases/${id}/suggestions?group=entity`);
    expect(body.suggestions).toMatchObject([
      { chain: 'ethereum', address: evm, usd: 110, share: 1, of_chain: 'ethereum', of_address: payer },
    ]);
  });

  it('keep in a case what their addresses keep, in one row', async () => {
    const { get, post, graph } = await open();
    await ingestTransfers(graph, spend(1, [{ address: shop, value: 300n }], native));
    await ingestTransfers(graph, spend(2, [{ address: shop, value: 500n }], other));
    const both = [native, other].map((address) => ({ address, value: 5n }));
    await ingestTransfers(graph, spend(3, both, bitcoin(50)));
    for (const address of [native, other]) await markRead(graph, { ...READ_WHOLE, chain: 'bitcoin', address });
    const { id } = (await post('/cases', { title: 'Case' })).case;
    await post(`/cases/${id}/addresses`, { chain: 'bitcoin', address: native });
    const kept = async (query: string) => (await get(`/cases/${id}/funds${query}`)).body.kept;
    const row = { kind: 'held', chain: 'bitcoin', label: null, share: 1 };
    expect(await kept('')).toEqual([expect.objectContaining({ ...row, address: native, usd: 295, count: 1 })]);
    const entity_id = [native, other].map((one) => addressKey('bitcoin', one)).sort()[0];
    expect(await kept('?group=entity')).toEqual([
      expect.objectContaining({ ...row, address: other, usd: 790, followed_usd: 790, count: 2, entity_id }),
    ]);
  });

  it('are taken for nothing beyond 100,000 members', async () => {
    const { get, graph } = await open();
    const together = [native, other].map((address) => ({ address, value: 30n }));
    await ingestTransfers(graph, spend(3, together, shop));
    const id = [native, other].map((one) => addressKey('bitcoin', one)).sort()[0]!;
    const restated = { before: [id], id: [id], size: [100_001], basis: ['co_spent'] };
    await graph.write([{ statement: 'entities/restate', params: restated }]);
    const { body } = await get(`/graph/entities/${id}`);
    expect(body).toMatchObject({ overgrown: true, received: null, sent: null, size: 100_001 });
  });

  it('are none where the graph knows of one address alone, and 404 by an id that leads to none', async () => {
    const { get } = await open();
    expect((await get(`/graph/entity-of/${other}`)).body).toEqual({
      address: other,
      chain: 'bitcoin',
      entity: null,
      membership: null,
    });
    for (const id of [addressKey('bitcoin', other), 'Coinhall', 'bitcoin:']) {
      expect((await get(`/graph/entities/${encodeURIComponent(id)}`)).status).toBe(404);
    }
  });
});

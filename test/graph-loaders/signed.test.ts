import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { distrust } from '../../graph-loaders/labels/signed.ts';
import { load } from '../../graph-loaders/load.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import { iso } from '../../src/domain/time.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import type { GraphTransaction } from '../../src/graph/port.ts';
import { didOf, type SignedSet, signed } from '../../src/labels/signed-labels.ts';
import { shareLabels } from '../../src/operator/share-labels.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { OwnLabelRow } from '../../src/records/database/tables/lists.ts';
import { saveSigner } from '../../src/records/lists/label-signers.ts';
import { insertOwnLabel, removeOwnLabel } from '../../src/records/lists/own-labels.ts';
import { contents, transfer } from '../graph/world.ts';
import { fileOf, openLoading, START } from './loading.ts';

const folder = mkdtempSync(join(tmpdir(), 'signed-labels-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = new Uint8Array(32).fill(3);
const SIGNER = didOf(SECRET);
const [A, B, ZERO] = ['a1', 'b2', '00'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const HOUR = 3_600_000;

interface Given {
  address: string;
  at: number;
  neg?: boolean;
  val?: string;
  name?: string;
  exp?: string;
  nbf?: string;
}
const label = ({ address, at, val = 'scam', ...given }: Given) =>
  signed(SECRET, { ver: 1, src: SIGNER, uri: `eip155:1:${address}`, val, cts: iso(at), ...given });
const setOf = (labels: object[], secret = SECRET) =>
  signed(secret, { ver: 1, src: didOf(secret), cts: iso(START), labels }) as unknown as SignedSet;

async function open() {
  const loading = await openLoading();
  const trust = (confidence = 69) =>
    saveSigner(loading.records, { did: SIGNER, name: 'Partner', confidence, trusted_at: START });
  const load = (set: unknown) => loading.load('signed', fileOf('labels.json', JSON.stringify(set)));
  const say = (...given: Given[]) => load(setOf(given.map(label)));
  const held = async (address: string): Promise<Label[]> =>
    ((await loading.labels.findOnAllChains([address])).get(address) ?? []).filter(
      ({ validTo }) => validTo === null || validTo > START,
    );
  return { ...loading, trust, load, say, held };
}

it('labels of a signer are refused until it is trusted, with how to do that, and are never surer than the trust', async () => {
  const { trust, say, held } = await open();
  await expect(say({ address: A, at: START })).rejects.toThrow(`npx traceflow labels trust ${SIGNER} <name>`);
  expect(await held(A)).toEqual([]);
  await trust();
  expect(await say({ address: A, at: START, name: 'Mo\u202Edelta' })).toMatchObject({ read: 1, skipped: 0 });
  expect(await held(A)).toMatchObject([
    { source: 'signed:Partner', category: 'scam', label: 'Modelta', confidence: 69 },
  ]);
});

it('what was signed last counts in any order of files, and a retraction ends a label until it is said again', async () => {
  const said = [
    { address: A, at: START - 4 * HOUR, name: 'first' },
    { address: A, at: START - 3 * HOUR, name: 'second' },
    { address: A, at: START - 2 * HOUR, neg: true },
    { address: A, at: START - HOUR, name: 'again' },
  ];
  const orders = [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
    [1, 3, 0, 2],
  ];
  for (const order of orders) {
    const { trust, say, held } = await open();
    await trust();
    for (const nth of order) await say(said[nth]!);
    expect(
      (await held(A)).map(({ label: name }) => name),
      order.join(),
    ).toEqual(['again']);
  }
  const { trust, say, held } = await open();
  await trust();
  for (const nth of [2, 1, 0]) await say(said[nth]!);
  expect(await held(A)).toEqual([]);
  const late = await say(said[1]!);
  expect(late.errors).toMatchObject([{ reason: expect.stringContaining('something newer') }]);
  // The same file again changes nothing, and is not a fault.
  expect(await say(said[2]!)).toMatchObject({ skipped: 0 });
});

it('what is said again goes to the graph no more, but where the load before was cut off', async () => {
  const { trust, ...loading } = await open();
  await trust();
  await ingestTransfers(loading.graph, [transfer({ from: A, to: B }, 0)]);
  const file = fileOf('labels.json', JSON.stringify(setOf([{ address: A, at: START - HOUR }].map(label))));
  const transact = vi.spyOn(loading.graph, 'transact');
  const timesAsked = async (startedAt?: number) => {
    transact.mockClear();
    await load({ source: 'signed', input: file, startedAt }, loading);
    return transact.mock.calls.length;
  };
  expect(await timesAsked()).toBeGreaterThan(0);
  expect(await timesAsked()).toBe(0);
  expect(await timesAsked(START)).toBeGreaterThan(0);
});

it('a changed byte, a label taken out or put in, and the label of another signer refuse the whole file', async () => {
  const { trust, load, held } = await open();
  await trust();
  const good = setOf([label({ address: A, at: START }), label({ address: B, at: START })]);
  const other = new Uint8Array(32).fill(4);
  const foreign = signed(other, { ver: 1, src: didOf(other), uri: `eip155:1:${B}`, val: 'scam', cts: iso(START) });
  const [first, second] = good.labels;
  const changed: Record<string, unknown>[] = [
    { ...good, labels: [first] },
    { ...good, labels: [first, second, second] },
    { ...good, labels: [{ ...first, val: 'exchange' }, second] },
    { ...good, labels: [{ ...first, neg: true }, second] },
    { ...good, labels: [{ ...first, note: 'more' }, second] },
    { ...good, cts: iso(START + 1) },
    { ...good, src: didOf(other) },
    { ...good, sig: good.sig.slice(0, -2) },
    { ...good, sig: first!.sig },
    setOf([{ ...first, val: 'exchange' }]) as never,
    setOf([first!, foreign]) as never,
    setOf([first!], other) as never,
    { ...good, src: 'did:web:partner.example' },
    { ...good, src: 'did:key:z6Mk' },
  ];
  for (const set of changed) await expect(load(set), JSON.stringify(set).slice(0, 90)).rejects.toThrow('labels.json: ');
  // Every seventh character of the text.
  const text = JSON.stringify(good);
  for (let i = 0; i < text.length; i += 7) {
    const flipped = text.slice(0, i) + (text[i] === 'x' ? 'y' : 'x') + text.slice(i + 1);
    await expect(load(flipped), text.slice(i, i + 20)).rejects.toThrow('labels.json: ');
  }
  expect([await held(A), await held(B)]).toEqual([[], []]);
  await load(good);
  expect([await held(A), await held(B)]).toMatchObject([[{ category: 'scam' }], [{ category: 'scam' }]]);
});

it('skips what is signed for the future, for no address, for an address of nobody, with a category of none, and what trusts', async () => {
  const { trust, load, say, held } = await open();
  await trust();
  await say({ address: A, at: START });
  const odd = setOf([
    label({ address: B, at: START + HOUR }),
    label({ address: ZERO, at: START }),
    label({ address: B, at: START, val: 'naughty' }),
    signed(SECRET, { ver: 1, src: SIGNER, uri: 'at://did:plc:x/post/1', val: 'scam', cts: iso(START) }),
    label({ address: B, at: START, val: 'whitelist' }),
    label({ address: B, at: START, val: 'mixer' }),
  ]);
  expect(await load(odd)).toMatchObject({ read: 6, skipped: 5 });
  expect(await held(B)).toMatchObject([{ category: 'mixer' }]);
});

it('a signer that is no longer trusted has no label left, and may be trusted again', async () => {
  const loading = await open();
  const { trust, say, held } = loading;
  await trust(90);
  await say({ address: A, at: START });
  await say({ address: B, at: START, exp: '2090-01-01T00:00:00.000Z' });
  expect(await held(A)).toMatchObject([{ confidence: 80 }]);
  // Cut off before the graph has it: it is repeated.
  const full = new Proxy(loading.graph, { get: () => () => Promise.reject(new Error('No space left on device')) });
  await expect(distrust({ ...loading, graph: full }, SIGNER)).rejects.toThrow('No space');
  expect(await distrust(loading, SIGNER)).toMatchObject({ name: 'Partner' });
  expect([await held(A), await held(B)]).toEqual([[], []]);
  await expect(say({ address: A, at: START })).rejects.toThrow('not trusted');
  await trust();
  await say({ address: A, at: START });
  expect(await held(A)).toHaveLength(1);
});

it('while trust is taken away what is said is refused, so that it ends however often a list is loaded', async () => {
  const { trust, say, held, ...loading } = await open();
  await trust();
  await ingestTransfers(loading.graph, [transfer({ from: A, to: B }, 0)]);
  await say({ address: A, at: START - HOUR });
  const refused: unknown[] = [];
  const graph = {
    ...loading.graph,
    transact: async <T>(work: (tx: GraphTransaction) => Promise<T>) => {
      const done = await loading.graph.transact(work);
      const at = START - HOUR + refused.length + 1;
      refused.push(await say({ address: A, at }, { address: B, at, val: 'theft' }).catch(String));
      return done;
    },
  };
  expect(await distrust({ ...loading, graph }, SIGNER)).toEqual({ did: SIGNER, name: 'Partner', ended: 1 });
  expect(refused.length).toBeGreaterThan(0);
  for (const refusal of refused) expect(refusal).toContain('Not trusted');
  expect([await held(A), await held(B)]).toEqual([[], []]);
  expect((await contents(loading.graph)).addresses.map(({ category }) => category ?? null)).toEqual([null, null]);
});

it('trust that is given again while it is taken away stays', async () => {
  const { trust, say, held, ...loading } = await open();
  await trust();
  await ingestTransfers(loading.graph, [transfer({ from: A, to: B }, 0)]);
  await say({ address: A, at: START - HOUR });
  const graph = {
    ...loading.graph,
    transact: async <T>(work: (tx: GraphTransaction) => Promise<T>) => {
      const done = await loading.graph.transact(work);
      await trust();
      return done;
    },
  };
  expect(await distrust({ ...loading, graph }, SIGNER)).toMatchObject({ ended: 1 });
  await say({ address: B, at: START });
  expect([await held(A), await held(B)]).toMatchObject([[], [{ category: 'scam' }]]);
});

it('an account shares its labels without reason and author, and a later set retracts what it no longer says', async () => {
  const { records, trust, load, held } = await open();
  await trust();
  const { id: account_id } = await createAccount(records, { name: 'Desk', planId: 'free' }, START);
  const own = (id: string, address: string, category: Category): OwnLabelRow => ({
    ...{ id, account_id, chain: 'evm', address, category, label: `Name ${id}`, confidence: 60 },
    ...{ reason: 'A secret reason', valid_from: START - HOUR, valid_to: null, case_id: null, use_for_levels: 0 },
    ...{ author: 'Somebody Known', created_at: START - HOUR, changed_at: START - HOUR, removed_at: null },
  });
  await insertOwnLabel(records, own('one', A, 'scam'));
  await insertOwnLabel(records, own('two', B, 'exchange'));
  const share = (name: string, more: object = {}) =>
    shareLabels(records, SECRET, join(folder, name), { accountId: account_id, now: START, ...more });
  const first = await share('1.json');
  expect(first).toMatchObject({ signer: SIGNER, labels: 2, retracted: 0 });
  const text = readFileSync(first.file, 'utf8');
  expect(text).not.toMatch(/secret|Somebody/);
  await load(JSON.parse(text));
  expect(await held(A)).toMatchObject([{ chain: 'evm', label: 'Name one', confidence: 60, validFrom: START - HOUR }]);
  await expect(share('1.json')).rejects.toThrow('is there already');

  await removeOwnLabel(records, account_id, 'one', START);
  const second = await share('2.json', { before: first.file });
  expect(second).toMatchObject({ labels: 1, retracted: 1 });
  await load(JSON.parse(readFileSync(second.file, 'utf8')));
  expect([await held(A), await held(B)]).toMatchObject([[], [{ category: 'exchange' }]]);
  // The next set still says so to who has the first one alone.
  expect(await share('3.json', { before: second.file })).toMatchObject({ labels: 1, retracted: 1 });
  const foreign = join(folder, 'foreign.json');
  writeFileSync(foreign, JSON.stringify(setOf([], new Uint8Array(32).fill(4))));
  await expect(share('4.json', { before: foreign })).rejects.toThrow('only its own signer');
});

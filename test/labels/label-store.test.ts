import { expect, it } from 'vitest';
import type { Category, Label } from '../../src/domain/label.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { saveListDay } from '../../src/labels/label-lists.ts';
import { type LabelStore, openLabelStore } from '../../src/labels/label-store.ts';
import { keepList, readKeptLists, removeKeptLists, saveListState } from '../../src/records/lists/kept-lists.ts';
import { onBothStores } from '../records/on-both-stores.ts';
import { labelOf } from './label-of.ts';

const START = Date.UTC(2026, 0, 1);
const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';
const label = (given: Partial<Label> = {}) => labelOf({ address: A, category: 'scam', confidence: 80, ...given });

onBothStores('the label store', (open) => {
  const opened = async () => {
    let at = START;
    const labels = openLabelStore(await open(), () => at);
    const setNow = (next: number) => {
      at = next;
    };
    return { labels, setNow };
  };
  const putList = async (labels: LabelStore, rows: Label[]) => {
    const stamp = await labels.beginLoad();
    const before = await labels.countLive('s');
    const changed = await labels.put(rows, { stamp, list: true });
    return { changed, ...(await labels.endAbsent('s', { stamp, before, endings: 'end', asOf: stamp })) };
  };

  it('labels of the chain and of all EVM chains are found, those of another chain are not', async () => {
    const { labels } = await opened();
    await putList(labels, [
      label(),
      label({ chain: 'evm', label: 'everywhere' }),
      label({ chain: 'bsc', label: 'there' }),
    ]);
    const found = (await labels.find('ethereum', [A, B])).get(A)!;
    expect(found.map((one) => one.label).sort()).toEqual(['everywhere', 'x']);
    expect([...(await labels.find('ethereum', [A, B])).keys()]).toEqual([A]);
    expect(await labels.find('bitcoin', [A])).toEqual(new Map());
  });

  it('of two loads of a list at once, neither ends what both state', async () => {
    const { labels } = await opened();
    const rows = [label(), label({ address: B })];
    const [first, second] = [await labels.beginLoad(), (await labels.beginLoad()) + 1];
    for (const stamp of [second, first]) await labels.put(rows, { stamp, list: true });
    for (const stamp of [second, first]) {
      const ended = await labels.endAbsent('s', { stamp, before: 2, endings: 'end', asOf: stamp });
      expect(ended).toEqual({ ended: [], lost: 0, kept: false });
    }
    expect((await labels.find('ethereum', [A, B])).size).toBe(2);
  });

  it('says what of the lists of sanctions is wanting, by the interval of each', async () => {
    const records = await open();
    let at = START;
    const labels = openLabelStore(records, () => at);
    const put = async (source: string, category: Category = 'sanctioned') =>
      labels.put([label({ source, category, address: A })], { stamp: await labels.beginLoad(), list: false });
    expect(await labels.gap()).toBe('no_lists');
    await put('darklist', 'scam');
    expect(await labels.gap()).toBe('no_lists');
    // A desk's own list has no interval, nor has a copy in a public collection.
    await put('desk');
    at += 400 * DAY_MS;
    expect(await labels.gap()).toBeNull();
    await put('tagpack:copies / someone');
    await put('ofac');
    at += 2 * DAY_MS;
    expect(await labels.gap()).toBeNull();
    at += MINUTE_MS;
    expect(await labels.gap()).toBe('lists_stale');
    // One of both forms of the list of OFAC is enough; what the service keeps has an interval of its own.
    await put('ofac-list');
    expect(await labels.gap()).toBeNull();
    at += 3 * DAY_MS;
    await keepList(records, { source: 'ofac', place: '/lists/sdn.xml', every_ms: 7 * DAY_MS, as_of_header: 0 }, at);
    expect(await labels.gap()).toBeNull();
    at += 14 * DAY_MS + MINUTE_MS;
    expect(await labels.gap()).toBe('lists_stale');
    const [kept] = await readKeptLists(records);
    await saveListState(records, kept!, { state: 'current', loaded_at: at });
    expect(await labels.gap()).toBeNull();
    // A stated day says how old a list is, whenever it was loaded.
    await removeKeptLists(records, { source: 'ofac' }, at);
    await put('ofac');
    await saveListDay(records, 'ofac', at - 3 * DAY_MS);
    expect(await labels.gap()).toBe('lists_stale');
  });

  it('counts the labels that know each chain, those of all EVM chains on each', async () => {
    const { labels } = await opened();
    await putList(labels, [label(), label({ chain: 'evm', address: B }), label({ chain: 'tron', address: 'T1' })]);
    const counts = await labels.countByChain();
    expect(counts).toMatchObject({ ethereum: 2, kaia: 1, tron: 1, bitcoin: 0 });
  });

  it('labels in force are found by words of their name, entity or list, closest names first, each address once', async () => {
    const { labels, setNow } = await opened();
    const named = (address: string, name: string, given: Partial<Label> = {}) =>
      label({ address, label: name, category: 'exchange', ...given });
    await putList(labels, [
      named(A, 'Meridian Exchange: hot wallet 14', { entity: 'meridian' }),
      named(A, 'meridian hot wallet'),
      named(B, 'MERIDIAN'),
      named('0xc3', 'Hot wallet 2', { chain: 'evm', entity: 'Meridian' }),
      named('0xd4', '100%_full'),
      named('0xe5', '取引所メリディアン'),
      named('0xf6', 'Meridian: closed', { validTo: START }),
    ]);
    setNow(START + 1);
    const search = async (query: string, limit = 20) => {
      const { found, truncated } = await labels.search(query, limit);
      return [...found.map(({ address }) => address), ...(truncated ? ['more'] : [])];
    };
    expect(await search('meridian')).toEqual([B, A, '0xc3']);
    expect(await search('meridian', 2)).toEqual([B, A, 'more']);
    expect(await search('WALLET  meridian 14')).toEqual([A]);
    expect(await search('%_f')).toEqual(['0xd4']);
    expect(await search('メリディ')).toEqual(['0xe5']);
    expect(await search('Ｍｅｒｉｄｉａｎ closed')).toEqual([]);
    await putList(labels, []);
    expect(await search('meridian')).toEqual([]);
  });

  it('changes are counted where labels came, changed or went, and not where a load said the same again', async () => {
    const { labels } = await opened();
    const counts = [await labels.countChanges()];
    for (const rows of [[label()], [label()], [label({ confidence: 60 })], []]) {
      await putList(labels, rows);
      counts.push(await labels.countChanges());
    }
    expect(counts).toEqual([0, 1, 1, 2, 3]);
  });

  it('a copy of a designation ends when OFAC ends it, found by chain or not', async () => {
    const { labels, setNow } = await opened();
    const copy = label({ category: 'sanctioned', source: 'tagpack:a copy' });
    const official = label({ chain: 'evm', category: 'sanctioned', source: 'ofac', validTo: START + 10 });
    await labels.put([copy, official], { stamp: await labels.beginLoad(), list: false });
    setNow(START + 10);
    for (const found of [await labels.find('ethereum', [A]), await labels.findOnAllChains([A])]) {
      expect(found.get(A)!.map((one) => one.validTo)).toEqual([START + 10, START + 10]);
    }
  });

  it('labels of sister chains stand apart from those that hold on the chain', async () => {
    const { labels } = await opened();
    await putList(labels, [label({ chain: 'evm' }), label({ chain: 'ethereum' }), label({ chain: 'polygon' })]);
    const { own, sisters } = await labels.findWithSisters('ethereum', [A]);
    expect(own).toEqual(await labels.find('ethereum', [A]));
    expect(
      own
        .get(A)!
        .map(({ chain }) => chain)
        .sort(),
    ).toEqual(['ethereum', 'evm']);
    expect(sisters.get(A)!.map(({ chain }) => chain)).toEqual(['polygon']);
  });

  it('an adverse label of an EVM wallet holds on all EVM chains, of a contract or against an own label it does not', async () => {
    const { labels } = await opened();
    const adverse = { chain: 'ethereum', category: 'theft' } as const;
    await putList(labels, [label(adverse), label({ ...adverse, address: B, maliciousContract: true })]);
    const on = async (address: string) =>
      (await labels.find('polygon', [address])).get(address)?.map((one) => one.category);
    expect(await on(A)).toEqual(['theft']);
    expect(await on(B)).toBeUndefined();
    expect((await labels.findWithSisters('polygon', [B])).sisters.get(B)).toHaveLength(1);
    await putList(labels, [label({ chain: 'polygon', category: 'exchange' })]);
    expect(await on(A)).toEqual(['exchange']);
  });

  it('two thousand addresses are found in one call', async () => {
    const { labels } = await opened();
    const rows = Array.from({ length: 2_000 }, (_, n) => label({ address: `0x${n.toString(16).padStart(40, '0')}` }));
    await putList(labels, rows);
    expect(
      (
        await labels.find(
          'ethereum',
          rows.map((row) => row.address),
        )
      ).size,
    ).toBe(2_000);
  });

  it('the same list again changes nothing and says so; whatever else it says of an address is a change', async () => {
    const { labels, setNow } = await opened();
    expect((await putList(labels, [label(), label({ address: B })])).changed).toHaveLength(2);
    setNow(START + 1_000);
    const changes = await labels.countChanges();
    expect(await putList(labels, [label(), label({ address: B })])).toMatchObject({ changed: [], ended: [], lost: 0 });
    expect(await labels.countChanges()).toBe(changes);
    let said = {};
    for (const more of [{ confidence: 7 }, { entity: 'E' }, { maliciousContract: true }, { programme: 'P' }]) {
      said = { ...said, ...more };
      const { changed } = await putList(labels, [label(said), label({ address: B })]);
      expect(changed, JSON.stringify(more)).toHaveLength(1);
    }
  });

  it('what is listed again after its end starts again, and the old days stay', async () => {
    const { labels, setNow } = await opened();
    await putList(labels, [label(), label({ address: B })]);
    setNow(START + 1_000);
    expect((await putList(labels, [label({ address: B })])).ended).toEqual([{ chain: 'ethereum', address: A }]);
    setNow(START + 2_000);
    await putList(labels, [label(), label({ address: B })]);
    expect((await labels.find('ethereum', [A])).get(A)).toMatchObject([
      { validFrom: START + 2_000, validTo: null },
      { validFrom: null, validTo: START + 1_000 },
    ]);
    setNow(START + 3_000);
    expect((await putList(labels, [label(), label({ address: B })])).changed).toEqual([]);
  });

  it('a list that lost more than a tenth keeps all but what it says in other words', async () => {
    const { labels } = await opened();
    const rows = Array.from({ length: 10 }, (_, n) => label({ address: `0x${n.toString(16).padStart(40, '0')}` }));
    await putList(labels, rows);
    const stamp = await labels.beginLoad();
    await labels.put([...rows.slice(0, 7), label({ ...rows[7], label: 'renamed' })], { stamp, list: true });
    const result = await labels.endAbsent('s', { stamp, before: 10, endings: 'wait', asOf: stamp });
    expect(result).toMatchObject({ lost: 2, kept: true, ended: [{ address: rows[7]!.address }] });
    expect(await labels.countLive('s')).toBe(10);
    // Exactly a tenth is an ordinary day.
    await labels.put([...rows.slice(0, 7), label({ ...rows[7], label: 'renamed' }), rows[8]!], {
      stamp: stamp + 1,
      list: true,
    });
    const next = await labels.endAbsent('s', { stamp: stamp + 1, before: 10, endings: 'wait', asOf: stamp + 1 });
    expect(next).toMatchObject({ lost: 1, kept: false, ended: [{ address: rows[9]!.address }] });
  });

  it('changes are found by chain and time: what came, ended, began or ran out', async () => {
    const { labels, setNow } = await opened();
    const stamp = await labels.beginLoad();
    await labels.put([label({ chain: 'evm' }), label({ address: B, validFrom: START + 500, validTo: START + 900 })], {
      stamp,
      list: false,
    });
    // What is adverse on one EVM chain holds on the others.
    expect(await labels.changedSince('polygon', START)).toEqual(new Set([A, B]));
    expect(await labels.changedSince('bitcoin', START)).toEqual(new Set());
    expect(await labels.changedSince('ethereum', START)).toEqual(new Set([A, B]));
    expect(await labels.changedSince('ethereum', START + 1)).toEqual(new Set());
    setNow(START + 600);
    expect(await labels.changedSince('ethereum', START + 1)).toEqual(new Set([B]));
    expect(await labels.changedSince('ethereum', START + 1, [A])).toEqual(new Set());
    expect(await labels.changedSince('ethereum', START + 501)).toEqual(new Set());
    setNow(START + 1_000);
    expect(await labels.changedSince('ethereum', START + 501, [A, B])).toEqual(new Set([B]));
  });

  it('single rows keep their own days: two terms of one statement are two rows', async () => {
    const { labels } = await opened();
    const stamp = await labels.beginLoad();
    const terms = [label({ validFrom: 1, validTo: 2 }), label({ validFrom: 3 })];
    expect(await labels.put(terms, { stamp, list: false })).toHaveLength(2);
    expect(await labels.put([label({ validFrom: 1, validTo: 5 })], { stamp, list: false })).toHaveLength(1);
    const found = (await labels.find('ethereum', [A])).get(A)!;
    expect(found.map(({ validFrom, validTo }) => [validFrom, validTo])).toEqual([
      [3, null],
      [1, 5],
    ]);
  });
});

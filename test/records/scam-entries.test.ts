import { expect, it } from 'vitest';
import type { Label } from '../../src/domain/label.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import type { Records } from '../../src/records/database/database.ts';
import { saveScamDomains } from '../../src/records/scamdb/domains.ts';
import { findScamAddress, findScamDomain, findScamHistory, listScamEntries } from '../../src/records/scamdb/entries.ts';
import { findByReading, searchScamEntries } from '../../src/records/scamdb/search.ts';
import { addScamEntries, refreshScamEntries } from '../../src/records/scamdb/write-entries.ts';
import { putLabels } from '../labels/label-of.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.UTC(2026, 10, 20);
const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';
const label = (given: Partial<Label>): Label => ({
  chain: 'ethereum',
  address: A,
  category: 'scam',
  label: 'Fake_Phishing7',
  source: 'darklist',
  confidence: 70,
  entity: null,
  validFrom: null,
  validTo: null,
  maliciousContract: false,
  ...given,
});

async function put(records: Records, rows: Label[], at = NOW): Promise<void> {
  const labels = openLabelStore(records, () => at);
  await putLabels(labels, rows);
  await refreshScamEntries(records, rows, at);
}

const PAGE = { limit: 20, offset: 0 };
const everything = async (records: Records) => (await listScamEntries(records, {}, { limit: 100, offset: 0 })).rows;

onBothStores('scam entries', (open) => {
  it('merge several sources of one address space into one entry, and a second time into the same', async () => {
    const records = await open();
    const rows = [
      label({}),
      label({ chain: 'evm', category: 'drainer', source: 'scamsniffer', label: 'Drainer of claim.example' }),
      label({ chain: 'bsc', source: 'forta:56/x', label: 'Phishing address' }),
      label({
        chain: 'bitcoin',
        address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
        source: 'tagpack:t / a',
        label: 'Ponzi',
      }),
      label({ address: B, source: 'operator', label: 'private suspicion' }),
      label({ address: B, source: 'darklist', category: 'exchange' }),
    ];
    await put(records, rows);
    const first = await everything(records);
    expect(first.map((row) => [row.family, row.type, row.severity, row.verified]).sort()).toEqual([
      ['bitcoin', 'investment', 'HIGH', 1],
      ['evm', 'drainer', 'CRITICAL', 1],
    ]);
    const entry = (await findScamAddress(records, 'evm', A))!;
    expect(JSON.parse(entry.chains)).toHaveLength(8);
    expect(JSON.parse(entry.sources)).toEqual(['darklist', 'forta:56/x', 'scamsniffer']);
    await put(records, rows, NOW + 1_000);
    expect(await everything(records)).toEqual(first);
    expect((await findScamHistory(records, [entry.id])).get(entry.id)).toHaveLength(3);
  });

  it('are no longer verified when the last source drops them, and keep id, words and history', async () => {
    const records = await open();
    await put(records, [label({}), label({ source: 'forta:1/x', label: 'Phishing address' })]);
    const before = (await findScamAddress(records, 'evm', A))!;
    await put(records, [label({ validTo: NOW + 1 })], NOW + 1);
    expect(await findScamAddress(records, 'evm', A)).toMatchObject({ id: before.id, sources: '["forta:1/x"]' });
    await put(records, [label({ source: 'forta:1/x', label: 'Phishing address', validTo: NOW + 2 })], NOW + 2);
    expect(await findScamAddress(records, 'evm', A)).toBeUndefined();
    const row = await records.selectFrom('scam_entries').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ id: before.id, verified: 0, method: 'Phishing address', first_seen: NOW });
    await put(records, [label({ validTo: null })], NOW + 3);
    expect(await findScamAddress(records, 'evm', A)).toMatchObject({ id: before.id, verified: 1 });
    const history = (await findScamHistory(records, [before.id])).get(before.id)!;
    expect(history.map(({ at, action, source }) => [at - NOW, action, source])).toEqual([
      [0, 'listed', 'darklist'],
      [0, 'listed', 'forta:1/x'],
      [1, 'delisted', 'darklist'],
      [2, 'delisted', 'forta:1/x'],
      [3, 'listed', 'darklist'],
    ]);
  });

  it('are found by any part of their words in any script, names of two kanji included', async () => {
    const records = await open();
    await put(records, [
      label({ label: '佐藤 投資詐欺グループ' }),
      label({ address: B, label: '100%_Payout "guaranteed" \\ AND OR NEAR(' }),
      label({ chain: 'bitcoin', address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', label: 'Ｆａｋｅ Wallet 😈 Straße' }),
    ]);
    const find = async (query: string) =>
      (await searchScamEntries(records, query, PAGE)).rows.map((row) => row.address).sort();
    expect(await find('佐藤')).toEqual([A]);
    expect(await find('詐欺グ')).toEqual([A]);
    expect(await find('投資 佐藤')).toEqual([A]);
    expect(await find('田中')).toEqual([]);
    expect(await find('fake wallet')).toHaveLength(1);
    // Each three characters of it are in one text, and it is not.
    expect(await find('payouayout')).toEqual([]);
    expect(await find('guarantaranteed')).toEqual([]);
    expect(await find('😈')).toHaveLength(1);
    expect(await find('STRASSE')).toEqual([]);
    expect(await find('straße')).toHaveLength(1);
    expect(await find('0_pa')).toEqual([]);
    expect(await find('%')).toEqual([B]);
    expect(await find('_')).toEqual([B]);
    expect(await find('\\')).toEqual([B]);
    expect(await find('"guaranteed"')).toEqual([B]);
    expect(await find('near(')).toEqual([B]);
    expect(await find('AND OR')).toEqual([B]);
    expect(await find("'; drop table scam_entries; --")).toEqual([]);
    expect(await find(A.toUpperCase())).toEqual([A]);
    expect(await find('00000000a')).toEqual([A]);
    expect(await find('darklist')).toHaveLength(3);
    expect(await searchScamEntries(records, 'darklist', { limit: 1, offset: 1 })).toMatchObject({
      total: 3,
      rows: [expect.anything()],
    });
    // Part by part, as words that many entries have.
    expect(await findByReading(records, ['darklist'], 1)).toHaveLength(3);
    expect(await findByReading(records, ['darklist', '%'], 2)).toHaveLength(1);
    expect(await everything(records)).toHaveLength(3);
  });

  it('are found before the index holds them and after, in the words they have now', async () => {
    const records = await open();
    const total = async (query: string) => (await searchScamEntries(records, query, PAGE)).total;
    const many = Array.from({ length: 5_000 }, (_, n) =>
      label({ address: `0x${n.toString(16).padStart(40, '0')}`, label: `number${n}x` }),
    );
    const word = (n: number, text: string) => ({ ...many[n]!, label: text });
    await put(records, many.slice(0, 10));
    expect([await total('number7x'), await total('ber7'), await total('darklist')]).toEqual([1, 1, 10]);
    await put(records, [{ ...many[7]!, validTo: NOW + 1 }, word(7, 'later words')], NOW + 1);
    expect([await total('number7x'), await total('later words')]).toEqual([0, 1]);
    await put(records, many.slice(10), NOW + 2);
    expect([await total('number4999x'), await total('number7x'), await total('later words')]).toEqual([1, 0, 1]);
    await put(records, [{ ...many[8]!, validTo: NOW + 3 }, word(8, 'yet later words')], NOW + 3);
    await put(records, [label({ address: `0x${'f'.repeat(40)}`, label: 'newest words' })], NOW + 3);
    expect([await total('number8x'), await total('later words'), await total('newest words')]).toEqual([0, 2, 1]);
    expect(await total('darklist')).toBe(5_001);
  });

  it('of a new list say the same as if all that is known of them had been read', async () => {
    const rows = [
      label({ category: 'drainer', source: 'scamsniffer', label: 'Drainer of claim.example' }),
      label({ address: B, chain: 'evm', source: 'forta:1/x', label: 'Phishing', maliciousContract: true }),
      label({ address: B, chain: 'bsc', source: 'forta:56/x', label: 'Phishing' }),
      label({ address: `${B.slice(0, -1)}3`, source: 'operator' }),
      label({ address: `${B.slice(0, -1)}4`, validTo: NOW - 1 }),
      label({ address: `${B.slice(0, -1)}5`, validFrom: NOW + 1 }),
      label({ address: `${B.slice(0, -1)}6`, validFrom: NOW, label: 'FAKE giveaway' }),
    ].map((row, n) => ({ ...row, domains: n % 2 === 0 ? [`b${n}.example`, `a${n}.example`] : [] }));
    const reports = [];
    for (const add of [addScamEntries, refreshScamEntries]) {
      const records = await open();
      const labels = openLabelStore(records, () => NOW);
      await labels.put(rows, { stamp: NOW, list: false });
      const domains = rows.flatMap(({ domains, source, address }) =>
        domains.map((domain) => ({ domain, source, address, family: 'evm' as const })),
      );
      await saveScamDomains(records, domains, NOW);
      await records.transaction().execute((transaction) => add(transaction, rows, NOW));
      const entries = await everything(records);
      const history = await findScamHistory(
        records,
        entries.map(({ id }) => id),
      );
      reports.push(
        entries
          .map(({ id, seq: _, ...entry }) => ({
            ...entry,
            history: history.get(id)!.map(({ entry_id: _e, seq: _s, ...line }) => line),
          }))
          .sort((a, b) => (a.address < b.address ? -1 : 1)),
      );
    }
    expect(reports[0]).toHaveLength(3);
    expect(reports[0]).toEqual(reports[1]);
  });

  it('search follows what entries say later, and leaves out what is no longer verified', async () => {
    const records = await open();
    await put(records, [label({ label: 'first words' })]);
    await put(records, [label({ label: 'first words', validTo: NOW + 1 }), label({ label: 'second words' })], NOW + 1);
    const total = async (query: string) => (await searchScamEntries(records, query, PAGE)).total;
    expect([await total('first'), await total('second')]).toEqual([0, 1]);
    await put(records, [label({ label: 'second words', validTo: NOW + 2 })], NOW + 2);
    expect(await total('second')).toBe(0);
  });

  it('are met at their domains, the gravest one first', async () => {
    const records = await open();
    const domain = { domain: 'evil.example', family: 'evm' as const };
    await saveScamDomains(records, [{ ...domain, address: A, source: 'darklist' }], NOW);
    await saveScamDomains(records, [{ ...domain, address: B, source: 'scamsniffer' }], NOW);
    await put(records, [label({}), label({ address: B, category: 'drainer', source: 'scamsniffer' })]);
    expect(await findScamDomain(records, ['a.evil.example', 'evil.example'])).toMatchObject({
      address: B,
      domains: '["evil.example"]',
    });
    await put(records, [label({ address: B, category: 'drainer', source: 'scamsniffer', validTo: NOW + 1 })], NOW + 1);
    expect(await findScamDomain(records, ['evil.example'])).toMatchObject({ address: A });
    expect(await findScamDomain(records, ['good.example'])).toBeUndefined();
  });
});

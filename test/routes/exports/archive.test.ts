import { hash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import { createTransfer } from '../../../src/domain/transfers/transfer.ts';
import { transferId } from '../../../src/domain/transfers/transfer-id.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { insertScan } from '../../../src/records/scans/scans.ts';
import { NOW, openTestApp } from '../../app/test-app.ts';
import { expectStoredBytesCounted } from '../../records/sound-records.ts';
import '../../setup/seed.ts';

type Files = Record<string, string>;
const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const texts = (zip: Uint8Array): Files =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
const zipOf = (files: Files) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))));

/** An archive of these files, with a manifest that fits them. */
function sealed({ 'manifest.json': _old, ...files }: Files): Buffer {
  const listed = Object.entries(files).map(([name, text]) => {
    return { name, bytes: Buffer.byteLength(text), sha256: hash('sha256', text) };
  });
  return zipOf({ 'manifest.json': JSON.stringify({ format: 'traceflow-case', version: 1, files: listed }), ...files });
}

async function openHouse() {
  const test = await openTestApp();
  const { key, accountId } = await test.issue('enterprise');
  const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object | Buffer, as = key) => {
    const type = Buffer.isBuffer(payload) ? { 'content-type': 'application/zip' } : {};
    const reply = await test.app.inject({
      method,
      url: `/api/v1${url}`,
      payload,
      headers: { 'x-api-key': as, ...type },
    });
    return { status: reply.statusCode, raw: reply.rawPayload, json: () => reply.json() };
  };
  return { ...test, accountId, send };
}
type House = Awaited<ReturnType<typeof openHouse>>;

const label = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => /^[\p{L}\p{N}][\p{L}\p{N} ]*$/u.test(text));
const story = fc.record({
  title: label,
  addresses: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 5 }),
  notes: fc.array(label, { maxLength: 4 }),
  boards: fc.array(label, { maxLength: 2 }),
  payments: fc.array(fc.record({ to: fc.integer({ min: 1, max: 9 }), equals: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 4,
  }),
  scans: fc.integer({ min: 0, max: 2 }),
});

/** A case as people make it, by the API; returns its id. */
async function plant(house: House, given: typeof story extends fc.Arbitrary<infer T> ? T : never): Promise<string> {
  const { send, ctx, accountId, time } = house;
  const { id } = (await send('POST', '/cases', { title: given.title, description: 'a\n\tb "c"' })).json().case;
  for (const n of given.addresses) {
    time.at += 1_000;
    const body = {
      address: addressOf(n),
      chain: 'ethereum',
      label: `L${n}`,
      investigator_notes: 'x,\ny',
      hop_distance: n,
    };
    expect((await send('POST', `/cases/${id}/addresses`, body)).status).toBe(200);
  }
  for (const content of given.notes) expect((await send('POST', `/cases/${id}/notes`, { content })).status).toBe(200);
  for (const title of given.boards)
    expect((await send('POST', '/boards', { title, case_id: id, scene: EMPTY_SCENE })).status).toBe(200);
  const transfers = given.payments.flatMap(({ to, equals }, nth) => {
    const one = createTransfer({
      ...{
        chain: 'ethereum',
        txHash: `0x${String(nth).padStart(64, '0')}`,
        at: NOW - 1e6,
        kind: 'native',
        decimals: 18,
      },
      ...{
        from: addressOf(given.addresses[0]!),
        to: addressOf(to + 100),
        asset: 'ETH',
        amount: '1',
        amountRaw: `1${'0'.repeat(18)}`,
      },
    });
    return Array.from({ length: equals }, (_, n) => ({ ...one, id: transferId(one, n) }));
  });
  await ingestTransfers(ctx.graph, transfers, new Map());
  for (const n of given.addresses.slice(0, given.scans)) {
    await insertScan(ctx.records, {
      ...{
        id: `${String(n).padStart(8, '0')}-0000-4000-8000-${id.slice(-12)}`,
        account_id: accountId,
        chain: 'ethereum',
      },
      ...{ address: addressOf(n), source: 'sync', lang: 'en', risk_level: 'HIGH', risk_score: 70, detection_count: 0 },
      ...{ rule_set_version: '1', result: '{"success":true,"n":[1,{"ü":null}]}', created_at: time.at, units: 1 },
    });
  }
  return id;
}

const withoutMarks = (files: Files) => {
  const { 'manifest.json': _manifest, ...rest } = files;
  return Object.fromEntries(Object.entries(rest).map(([name, text]) => [name, text.replaceAll('imported: ', '')]));
};

it('a case that another installation imports is the same there, but for the mark of its authors', async () => {
  const [here, there] = [await openHouse(), await openHouse()];
  there.time.at = here.time.at += 1e6;
  await fc.assert(
    fc.asyncProperty(story, async (given) => {
      const id = await plant(here, given);
      const { raw: sent, status } = await here.send('GET', `/cases/${id}/archive.zip`);
      expect(status).toBe(200);
      expect(Buffer.compare(sent, (await here.send('GET', `/cases/${id}/archive.zip`)).raw)).toBe(0);
      there.time.at = here.time.at + 60_000;
      const got = (await there.send('POST', '/cases/import', sent)).json();
      expect(got).toMatchObject({
        imported: true,
        case: { title: given.title, address_count: given.addresses.length },
      });
      const back = await there.send('GET', `/cases/${got.case.id}/archive.zip`);
      expect(withoutMarks(texts(back.raw))).toEqual(withoutMarks(texts(sent)));
      const { notes } = (await there.send('GET', `/cases/${got.case.id}`)).json();
      const writers = notes.filter(({ event }: { event?: { kind: string } }) => !event?.kind.startsWith('case_'));
      for (const { author } of writers) expect(author).toMatch(/^imported: /);
    }),
    { numRuns: 8 },
  );
  await expectStoredBytesCounted(there.ctx.records);
});

it('the same archive is imported once by an account, and lends no level to anything', async () => {
  const house = await openHouse();
  const id = await plant(house, {
    title: 'A',
    addresses: [1],
    notes: ['n'],
    boards: [],
    payments: [{ to: 1, equals: 1 }],
    scans: 1,
  });
  const { raw } = await house.send('GET', `/cases/${id}/archive.zip`);
  const other = await openHouse();
  const first = (await other.send('POST', '/cases/import', raw)).json();
  expect((await other.send('POST', '/cases/import', raw)).json()).toEqual({ ...first, imported: false });
  const { addresses } = (await other.send('GET', `/cases/${first.case.id}`)).json();
  expect(addresses[0]).toMatchObject({ last_scan_id: null, last_risk_level: null });
  expect((await other.send('GET', '/public/scans')).json().total).toBe(0);
  const second = await other.issue('enterprise');
  expect((await other.send('POST', '/cases/import', raw, second.key)).json().case.id).not.toBe(first.case.id);
  expect((await other.send('GET', `/cases/${first.case.id}/archive.zip`, undefined, second.key)).status).toBe(404);
});

it('a judgement that came with a case counts once an analyst here judges', async () => {
  const [here, there] = [await openHouse(), await openHouse()];
  const given = { title: 'A', addresses: [1], notes: [], boards: [], payments: [], scans: 0 };
  const id = await plant(here, given);
  const found = { detector_id: 'pass_through', details: { evidence: ['a#0'], labels: [] } };
  const scan = async ({ ctx, accountId, time }: House) =>
    insertScan(ctx.records, {
      ...{ id: randomUUID(), account_id: accountId, chain: 'ethereum', address: addressOf(1), source: 'sync' },
      ...{ lang: 'en', risk_level: 'HIGH', risk_score: 70, detection_count: 1, rule_set_version: '1', units: 1 },
      ...{ result: JSON.stringify({ detections: [found] }), created_at: time.at },
    });
  const judged = async ({ send }: House, caseId: string) => (await send('GET', `/cases/${caseId}`)).json();
  await scan(here);
  const [{ id: address_id }] = (await judged(here, id)).addresses;
  const own = { detector_id: 'pass_through', disposition: 'dismissed', reason: 'his own wallet' };
  expect((await here.send('PUT', `/cases/${id}/dispositions`, { ...own, address_id })).status).toBe(200);
  there.time.at = here.time.at;
  const { raw } = await here.send('GET', `/cases/${id}/archive.zip`);
  const { case: got } = (await there.send('POST', '/cases/import', raw)).json();
  await scan(there);
  const came = await judged(there, got.id);
  expect(came.dispositions[0]).toMatchObject({ ...own, author: 'imported: test', imported: true, in_force: false });
  const confirmed = { ...own, address_id: came.addresses[0].id };
  expect((await there.send('PUT', `/cases/${got.id}/dispositions`, confirmed)).status).toBe(200);
  const { dispositions } = await judged(there, got.id);
  expect(dispositions).toEqual([expect.objectContaining({ author: 'test', imported: false, in_force: true })]);
});

it('an archive that is not as it is written leaves no trace', async () => {
  const house = await openHouse();
  const id = await plant(house, {
    title: 'A',
    addresses: [1, 2],
    notes: ['n'],
    boards: ['b'],
    payments: [{ to: 1, equals: 1 }],
    scans: 1,
  });
  const good = texts((await house.send('GET', `/cases/${id}/archive.zip`)).raw);
  const other = await openHouse();
  const empty = async () => (await other.send('GET', '/cases')).json().total;
  const change = (name: string, from: string | RegExp, to: string) => {
    expect(good[name]).toMatch(from);
    return sealed({ ...good, [name]: good[name]!.replace(from, to) });
  };
  const bomb = zipOf({ ...good, 'notes.jsonl': '\n'.repeat(60 * 2 ** 20) });
  const lying = Buffer.from(bomb);
  // Headers that say one byte for each entry.
  for (let at = lying.indexOf('PK\u0001\u0002'); at !== -1; at = lying.indexOf('PK\u0001\u0002', at + 4))
    lying.writeUInt32LE(1, at + 24);
  const hostile: [archive: Buffer, says: RegExp][] = [
    [Buffer.from('no zip'), /is damaged/],
    [Buffer.alloc(0), /is damaged/],
    [sealed(good).subarray(0, -30), /is damaged/],
    [bomb, /too large/],
    [lying, /too large/],
    [zipOf({ ...good, '../../etc/cron.d/x': 'x' }), /too large|nothing else/],
    [zipOf({ ...good, 'case.json': good['case.json']!.replace('"A"', '"B"') }), /digest/],
    [sealed(Object.fromEntries(Object.entries(good).filter(([name]) => name !== 'boards.jsonl'))), /nothing else/],
    [change('case.json', '"open"', '"won"'), /case\.json: line 1: status/],
    [change('case.json', '"title"', '"account_id":"x","title"'), /case\.json/],
    [change('addresses.jsonl', addressOf(1), '0xAB'), /no address/],
    [change('addresses.jsonl', addressOf(1), addressOf(2)), /twice/],
    [change('notes.jsonl', /"created_at":"\d+/, '"created_at":"2999'), /notes\.jsonl: line 1: created_at/],
    [change('scans.jsonl', addressOf(1), addressOf(77)), /outside of the case/],
    [change('scans.jsonl', '[1,', `${'['.repeat(3_000)}1${']'.repeat(3_000)},[`.slice(0, -1)), /scans\.jsonl/],
    [change('boards.jsonl', '"nodes":[]', '"nodes":[{"key":"x"}]'), /boards\.jsonl/],
    [change('transfers.csv', /,ETH,1,/, ',ETH,-1,'), /transfers\.csv: line 2/],
    [change('transfers.csv', new RegExp(addressOf(1), 'g'), addressOf(98)), /touches no address/],
  ];
  for (const [archive, says] of hostile) {
    const reply = await other.send('POST', '/cases/import', archive);
    expect([reply.status, String(reply.json().detail)]).toEqual([400, expect.stringMatching(says)]);
    expect(await empty()).toBe(0);
  }
  expect((await other.send('POST', '/cases/import', { a: 1 })).status).toBe(422);
  expect((await other.send('POST', '/cases/import', Buffer.alloc(9 * 2 ** 20))).status).toBe(413);
  const small = await other.issue('free');
  const many = sealed({ ...good, 'boards.jsonl': good['boards.jsonl']!.repeat(6) });
  expect((await other.send('POST', '/cases/import', many, small.key)).status).toBe(403);
  expect((await other.send('GET', '/cases', undefined, small.key)).json().total).toBe(0);
  // A text that not every store keeps does not refuse the rest.
  const odd = await other.send('POST', '/cases/import', change('case.json', '"A"', String.raw`"A\u0000\ud83d"`));
  expect(odd.json().case.title).toBe('A\ufffd\ufffd');
});

import { expect, it } from 'vitest';
import type { Label } from '../../../src/domain/label.ts';
import { createTransfer } from '../../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { openTestApp } from '../../app/test-app.ts';
import { putLabels } from '../../labels/label-of.ts';

const SUBJECT = `0x${'a1'.repeat(20)}`;
const VICTIM = `0x${'b2'.repeat(20)}`;
const UNKNOWN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const PAYEE = `0x${'e5'.repeat(20)}`;
const EXCHANGE: Label = {
  ...{ chain: 'ethereum', address: '', category: 'exchange', label: 'Harbour Exchange: Hot 2', source: 'desk' },
  ...{ confidence: 90, entity: null, validFrom: null, validTo: null, maliciousContract: false },
};
const V5 = /[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function openCase() {
  const test = await openTestApp();
  const key = await test.headers('business');
  const call = async (url: string, payload?: object, headers = key) => {
    const sent = payload ? ({ method: 'POST', payload } as const) : { method: 'GET' as const };
    const reply = await test.app.inject({ ...sent, url: `/api/v1${url}`, headers });
    return { status: reply.statusCode, type: reply.headers['content-type'], body: reply.json() };
  };
  const label: Label = {
    chain: 'evm',
    address: SUBJECT,
    category: 'ransomware',
    label: "O'Neil <b>\\",
    source: 'desk',
    confidence: 85,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: false,
  };
  await putLabels(test.ctx.labels, [label]);
  const { id } = (await call('/cases', { title: 'Theft "of" May' })).body.case;
  for (const [address, role, chain] of [
    [SUBJECT, 'subject', 'ethereum'],
    [VICTIM, 'victim', 'ethereum'],
    [UNKNOWN, 'intermediary', 'bitcoin'],
  ]) {
    test.time.at += 1_000;
    expect((await call(`/cases/${id}/addresses`, { address, role, chain })).status).toBe(200);
  }
  return { test, call, id, key };
}

it('gives the addresses of a case as STIX 2.1, marked, with one id for ever, and no victim', async () => {
  const { test, call, id } = await openCase();
  const first = await call(`/cases/${id}/indicators.stix.json?tlp=red`);
  expect(first).toMatchObject({ status: 200, type: expect.stringMatching(/^application.stix.json; *version="?2.1/) });
  const objects = first.body.objects as Record<string, never>[];
  expect(objects.map(({ type }) => type)).toEqual([
    'identity',
    'marking-definition',
    'indicator',
    'indicator',
    'report',
  ]);
  expect(JSON.stringify(first.body)).not.toContain(VICTIM);
  expect(objects[2]).toMatchObject({
    confidence: 85,
    indicator_types: ['malicious-activity'],
    pattern: `[cryptocurrency-wallet:address = '${SUBJECT}']`,
    object_marking_refs: [objects[1]!.id],
    external_references: [{ external_id: id }],
  });
  expect(objects[3]).toMatchObject({ indicator_types: ['unknown'], labels: ['bitcoin', 'unknown'] });
  expect(objects[3]).not.toHaveProperty('confidence');
  for (const one of objects.filter(({ type }) => type !== 'marking-definition')) expect(one.id).toMatch(V5);
  test.time.at += 60_000;
  const again = await call(`/cases/${id}/indicators.stix.json`);
  const idsOf = (found: Record<string, never>[]) =>
    found.flatMap(({ type, id: of }) => (type === 'indicator' ? [of] : []));
  expect(idsOf(again.body.objects)).toEqual(idsOf(objects));
  expect(again.body.objects[2].modified > objects[2]!.modified!).toBe(true);
  const { notes } = (await call(`/cases/${id}`)).body;
  expect(notes.at(-1).event).toEqual({ kind: 'case_exported', file: 'indicators.stix.json' });
});

it('gives them as a MISP event that goes to no other organisation, and alerts on adverse ones alone', async () => {
  const { call, id } = await openCase();
  const { status, body } = await call(`/cases/${id}/indicators.misp.json`);
  expect(status).toBe(200);
  const { Event: event } = body;
  expect(event).toMatchObject({
    info: 'Theft "of" May',
    distribution: '0',
    published: false,
    Tag: [{ name: 'tlp:amber' }],
  });
  expect(event.uuid).toMatch(V5);
  const addresses = event.Object.map(({ Attribute }: { Attribute: Record<string, unknown>[] }) => {
    const { object_relation, type, value, to_ids } = Attribute[0]!;
    return [object_relation, type, value, to_ids];
  });
  expect(addresses).toEqual([
    ['address-crypto', 'text', SUBJECT, true],
    ['address', 'btc', UNKNOWN, false],
  ]);
});

it('gives no case of another account', async () => {
  const { test, call, id } = await openCase();
  const other = await test.headers('business');
  for (const form of ['stix', 'misp']) {
    expect((await call(`/cases/${id}/indicators.${form}.json`, undefined, other)).status).toBe(404);
    expect((await call(`/cases/${id}/indicators.${form}.json?tlp=pink`)).status).toBe(422);
  }
});

it('gives its transfers as payloads and a report to complete, and makes none without a filer', async () => {
  const { test, call, id, key: own } = await openCase();
  await test.ctx.labels.put([{ ...EXCHANGE, address: PAYEE }], {
    stamp: await test.ctx.labels.beginLoad(),
    list: false,
  });
  const paid = createTransfer({
    ...{ chain: 'ethereum', txHash: `0x${'c3'.repeat(32)}`, at: test.time.at - 1_000, kind: 'native', decimals: 18 },
    ...{ from: SUBJECT, to: PAYEE, asset: 'ETH', amount: '1.5', amountRaw: '1500000000000000000', usd: 4_500 },
  });
  const toVictim = createTransfer({ ...paid, id: undefined, txHash: `0x${'d4'.repeat(32)}`, from: PAYEE, to: VICTIM });
  await ingestTransfers(test.ctx.graph, [paid, toVictim], new Map());
  test.time.at += 1_000;
  const { status, body } = await call(`/cases/${id}/ivms101.json`);
  expect(status).toBe(200);
  const [{ transfer, ivms101, missing }, ...others] = body.messages;
  expect(others).toEqual([]);
  expect(transfer).toMatchObject({ tx_hash: paid.txHash, amount: '1.5', usd: 4_500 });
  expect(ivms101.beneficiaryVASP.legalPerson.name.nameIdentifier[1].legalPersonName).toBe('Harbour Exchange');
  expect(missing).toContain('originatingVASP');
  const unasked = await call(`/cases/${id}/goaml.xml`);
  expect(unasked.status).toBe(422);
  expect(unasked.body.detail).toMatchObject([
    { type: 'missing', loc: ['query', 'rentity_id'] },
    { type: 'missing', loc: ['query', 'indicator'] },
  ]);
  const other = await test.headers('business');
  const url = `/api/v1/cases/${id}/goaml.xml?rentity_id=71&indicator=ML001`;
  expect((await test.app.inject({ url, headers: other })).statusCode).toBe(404);
  const { notes } = (await call(`/cases/${id}`)).body;
  expect(notes.at(-1).event).toEqual({ kind: 'case_exported', file: 'ivms101.json' });
  const report = await test.app.inject({ url, headers: own });
  expect([report.statusCode, report.headers['content-type']]).toEqual([200, 'application/xml']);
  for (const part of ['<rentity_id>71<', '<amount_local>4500.00<', `<account>${PAYEE}<`])
    expect(report.body).toContain(part);
  expect(report.body).not.toContain(VICTIM);
});

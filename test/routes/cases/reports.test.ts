import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainServers, startChainServers } from '../../../fixtures/chain-servers/start.ts';
import type { World } from '../../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../../fixtures/demo/world.ts';
import { renderAddressReport } from '../../../reports/address-report.ts';
import { iso } from '../../../src/domain/time.ts';
import { PLANS } from '../../../src/plans.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import { gatherAddressReport } from '../../../src/questions/cases/report/gather-address-report.ts';
import type { ScanAnswer } from '../../../src/questions/scans/record-scan.ts';
import { moment } from '../../../words/figures.ts';
import { LANGUAGES } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';
import { putLabels } from '../../labels/label-of.ts';
import { missingReader, rawTextOf, textOf } from '../../reports/pdf-text.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

async function openDesk() {
  const test = await openTestApp(chains.env);
  await savePrices(test.ctx.records, world.prices);
  await putLabels(test.ctx.labels, world.labels);
  test.time.at += 1_000;
  const issued = await test.issue('business');
  const headers = { 'x-api-key': issued.key };
  const address = roleOf(world, 'ethereum', 'laundering', 'layer_4').address;
  return { test, headers, issued, address };
}

async function scan(test: TestApp, headers: Record<string, string>, address: string): Promise<ScanAnswer> {
  const reply = await test.app.inject({ url: `/api/v1/public/scan?address=${address}`, headers });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

async function getPdf(test: TestApp, headers: Record<string, string>, url: string): Promise<Buffer> {
  const reply = await test.app.inject({ url: `/api/v1${url}`, headers });
  expect(reply.statusCode, reply.body.slice(0, 200)).toBe(200);
  expect(reply.headers['content-type']).toBe('application/pdf');
  expect(reply.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  return reply.rawPayload;
}

describe.skipIf(missingReader)(`the risk report${missingReader ? ` (skipped: ${missingReader})` : ''}`, () => {
  it.each(LANGUAGES)('in %s names the level and holds every address and hash of the scan in full', async (language) => {
    const { test, headers, address } = await openDesk();
    const answer = await scan(test, headers, address);
    const text = textOf(await getPdf(test, headers, `/risk-report/${address}?language=${language}`));
    const expected = [
      address,
      WORDS[language].story.levels[answer.risk_level],
      ...answer.top_counterparties.map((party) => party.address),
      ...answer.detections.flatMap(({ details }) => details.evidence.map((transfer) => transfer.split('#')[0]!)),
    ];
    for (const one of expected) expect(text).toContain(one);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  it.each([
    ['ja', '制裁対象者との間接的なつながり', '全履歴', '資金の連続的な転送（リレー）', '定型の規則で作成'],
    ['es', 'Exposiciónindirectaasanciones', 'todoelhistorial', 'Cadenadereenvíos', 'seredactóconreglasfijas'],
  ])('in %s writes findings, patterns and what the level rests on in that language', async (language, ...texts) => {
    const { test, headers, address } = await openDesk();
    await scan(test, headers, address);
    const text = textOf(await getPdf(test, headers, `/risk-report/${address}?language=${language}`));
    for (const one of texts) expect(text).toContain(one);
    expect(text).not.toMatch(/Indirectexposure|Relaychain|inflow/);
  });

  it('shows what was found and does not count, and what counts elsewhere', async () => {
    const { test, headers, issued, address } = await openDesk();
    await scan(test, headers, address);
    const tenant = { ...issued, planId: 'business', plan: PLANS.business } as const;
    const { input } = await gatherAddressReport(test.ctx, tenant, {
      chain: 'ethereum',
      address,
      maxHops: 3,
      language: 'en',
    });
    const found = input.scan!;
    const [first, second] = found.detections;
    const { detector_name: _name, description: _text, ...rest } = second!;
    const changed = {
      ...found,
      detections: [first!, { ...second!, details: { ...second!.details, counted_in: first!.detector_id } }],
      metadata: { ...found.metadata, suppressed: [{ ...rest, suppressed_by: 'service_label' as const }] },
    };
    const text = rawTextOf(await renderAddressReport({ ...input, scan: changed })).replace(/\s+/g, ' ');
    expect(text).toContain(`The same transfers count in "${first!.detector_name}"`);
    expect(text).toContain('Found and not counted');
    expect(text).toContain('a label names the address as a service');
  });

  it('says where a likely match on its ways was decided on after the scan, and only then', async () => {
    const { test, headers, issued, address } = await openDesk();
    await scan(test, headers, address);
    const tenant = { ...issued, planId: 'business', plan: PLANS.business } as const;
    const request = { chain: 'ethereum', address, maxHops: 3, language: 'en' } as const;
    const { input } = await gatherAddressReport(test.ctx, tenant, request);
    expect(input.decidedAt).toBeNull();
    const textWith = async (at: number) =>
      rawTextOf(await renderAddressReport({ ...input, decidedAt: iso(at) })).replace(/\s+/g, ' ');
    const scannedAt = Date.parse(input.scan!.created_at);
    expect(await textWith(scannedAt + 1_000)).toContain('was decided on after this scan');
    expect(await textWith(scannedAt - 1_000)).not.toContain('was decided on after this scan');
  });

  it('is Japanese where no language is given, and shows every glyph of it', async () => {
    const { test, headers, address } = await openDesk();
    await scan(test, headers, address);
    const text = textOf(await getPdf(test, headers, `/risk-report/${address}`));
    expect(text).toContain('リスクレポート');
    expect(text).not.toContain('[U+');
  });

  it('of an address that was never scanned says so and names no level', async () => {
    const { test, headers, address } = await openDesk();
    const text = rawTextOf(await getPdf(test, headers, `/risk-report/${address}?language=en`));
    expect(text).toContain('No scan of this address is recorded for you');
    expect(text).not.toContain('Risk level');
    await scan(test, await test.headers('business'), address);
    expect(rawTextOf(await getPdf(test, headers, `/risk-report/${address}?language=en`))).not.toContain('Risk level');
  });

  it('names what the lists say of the address, and the day of each list, scanned or not', async () => {
    const { test, headers } = await openDesk();
    const { address } = roleOf(world, 'ethereum', 'sanctioned', 'sanctioned');
    const listed = world.labels.find((label) => label.address === address && label.category === 'sanctioned');
    const text = textOf(await getPdf(test, headers, `/risk-report/${address}?language=en`));
    expect(text).toContain('Whatthelistsandyousayoftheaddress');
    expect(text).toContain(listed!.label.replaceAll(' ', ''));
    for (const { source } of await test.ctx.labels.lists()) expect(text).toContain(source);
  });

  it.each([
    ['en', 'ofwhatwasreceived:knownorigin100%,lookedat100%', 'fromlabelledpartiesuptohop1:0.0%'],
    ['ja', '受取額のうち出所が判明しているのは100%、確認したのは100%', '1ホップ以内のラベルのある相手方から：0.0%'],
    ['es', 'delorecibido:origenconocido100%,examinado100%', 'departesetiquetadashastaelsalto1:0,0%'],
  ])(
    'in %s says what share the scan knows the origin of, and how far its own goes',
    async (language, byScan, bySection) => {
      const { test, headers, address } = await openDesk();
      const { metadata } = await scan(test, headers, address);
      const { trace } = metadata.coverage as { trace: { attributed: { received: number } } };
      const near = (await test.app.inject({ url: `/api/v1/exposure/${address}?max_hops=1`, headers })).json();
      // Its own origin lies further away than this exposure goes.
      expect([trace.attributed.received, near.coverage.attributed.received]).toEqual([1, 0]);
      const text = textOf(await getPdf(test, headers, `/risk-report/${address}?max_hops=1&language=${language}`));
      expect(text).toContain(byScan);
      expect(text).toContain(bySection);
    },
  );

  it('names what labels and own scans know of a counterparty, and nothing of the scans of others', async () => {
    const { test, headers } = await openDesk();
    const { address } = roleOf(world, 'ethereum', 'bridge_likely', 'causeway_1');
    const thief = roleOf(world, 'ethereum', 'bridge_theft', 'vault_thief').address;
    const answer = await scan(test, headers, address);
    // The closed list of a scan has no word for a theft.
    expect(answer.top_counterparties.find((party) => party.address === thief)!.category).toBe('other');
    const sections = async () => {
      const text = textOf(await getPdf(test, headers, `/risk-report/${address}?language=en`));
      const from = text.indexOf('CounterpartiesLabel');
      return { text, counterparties: text.slice(from, text.indexOf('Whatwaslookedat', from)) };
    };
    await scan(test, await test.headers('business'), thief);
    const before = await sections();
    expect(before.counterparties).toContain('KelpVaultexploiter');
    expect(before.counterparties).toContain('theft');
    expect(before.counterparties).not.toMatch(/other|CRITICAL/);
    expect(before.text).toContain('KelpVaultexploiter(theft)');
    const { risk_level, risk_score } = await scan(test, headers, thief);
    expect((await sections()).counterparties).toContain(`${risk_level}${risk_score}`);
  });

  it('has the same bytes for the same input, in every time zone', async () => {
    const { test, headers, issued, address } = await openDesk();
    await scan(test, headers, address);
    const tenant = { ...issued, planId: 'business', plan: PLANS.business } as const;
    const request = { chain: 'ethereum', address, maxHops: 3, language: 'ja' } as const;
    const { input } = await gatherAddressReport(test.ctx, tenant, request);
    const zone = process.env.TZ;
    const digests = new Set<string>();
    for (const TZ of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      process.env.TZ = TZ;
      digests.add(
        createHash('sha256')
          .update(await renderAddressReport(structuredClone(input)))
          .digest('hex'),
      );
    }
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    expect(digests.size).toBe(1);
  });

  it('refuses what is not an address, chain, language or number of hops', async () => {
    const { test, headers, address } = await openDesk();
    for (const [url, status] of [
      ['/risk-report/nonsense', 400],
      [`/risk-report/${address}?chain=bitcoin`, 400],
      [`/risk-report/${address}?chain=bnb`, 400],
      [`/risk-report/${address}?language=fr`, 422],
      [`/risk-report/${address}?max_hops=6`, 422],
    ] as const) {
      expect((await test.app.inject({ url: `/api/v1${url}`, headers })).statusCode, url).toBe(status);
    }
    expect((await test.app.inject({ url: `/api/v1/risk-report/${address}` })).statusCode).toBe(401);
  });
});

describe.skipIf(missingReader)(`the report of a case${missingReader ? ` (skipped: ${missingReader})` : ''}`, () => {
  it('covers every address, shows foreign text safely, and stands in the timeline', async () => {
    const { test, headers, address } = await openDesk();
    const call = async (method: 'GET' | 'POST', url: string, payload?: object) =>
      (await test.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) })).json();
    const { id } = (await call('POST', '/cases', { title: 'Theft 盗難 한' })).case;
    const url = `/cases/${id}/report.pdf?language=en`;
    const empty = await test.app.inject({ url: `/api/v1${url}`, headers });
    expect({ status: empty.statusCode, body: empty.json() }).toMatchObject({
      status: 400,
      body: { detail: 'Case has no addresses' },
    });
    const other = roleOf(world, 'bitcoin', 'peel_chain', 'peel_1').address;
    await scan(test, headers, address);
    await call('POST', `/cases/${id}/addresses`, { address });
    await call('POST', `/cases/${id}/addresses`, { address: other, role: 'intermediary', investigator_notes: 'memo' });
    await call('POST', `/cases/${id}/notes`, { content: 'first line\nsecond line' });
    test.time.at += 1_000;
    const text = textOf(await getPdf(test, headers, url));
    for (const one of [address, other, 'Theft盗難[U+D55C]', 'intermediary', 'memo', 'firstlinesecondline']) {
      expect(text).toContain(one);
    }
    const { notes } = await call('GET', `/cases/${id}`);
    expect(notes.at(-1)).toMatchObject({ author: 'test', content: 'Report downloaded as PDF' });
    for (const foreign of [id, randomUUID()]) {
      const reply = await test.app.inject({
        url: `/api/v1/cases/${foreign}/report.pdf`,
        headers: await test.headers(),
      });
      expect(reply.statusCode).toBe(404);
    }
  });

  it('lays out a part of a full case, subjects first, and says what it leaves out', async () => {
    const { test, headers } = await openDesk();
    const call = async (url: string, payload: object) =>
      (await test.app.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload })).json();
    const { id } = (await call('/cases', { title: 'Full' })).case;
    const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
    const row = { case_id: id, chain: 'ethereum', label: null, investigator_notes: '', hop_distance: 1 } as const;
    for (let i = 1; i <= 104; i++) {
      const role = i === 104 ? 'subject' : 'other';
      const own = { id: randomUUID(), address: address(i), role, created_at: i } as const;
      await test.ctx.records
        .insertInto('case_addresses')
        .values({ ...row, ...own })
        .execute();
    }
    for (let i = 1; i <= 510; i++) {
      const note = {
        id: randomUUID(),
        case_id: id,
        content: `[note ${i}]`,
        note_type: 'comment',
        author: 'a',
      } as const;
      await test.ctx.records
        .insertInto('case_notes')
        .values({ ...note, created_at: i, event: null })
        .execute();
    }
    const text = textOf(await getPdf(test, headers, `/cases/${id}/report.pdf?lang=en`));
    for (let i = 1; i <= 104; i++) expect(text).toContain(address(i));
    const laidOut = (i: number) => text.includes(`Ethereum${address(i)}`);
    expect([99, 100, 103, 104].map(laidOut)).toEqual([true, false, false, true]);
    expect(text).toContain('laysout100ofthe104addresses');
    expect(text).toContain('Thenewest500of510entriesareprinted');
    expect([text.includes('[note10]'), text.includes('[note11]')]).toEqual([false, true]);
    for (const [language, words] of [
      ['ja', ['案件の104件のアドレスのうち100件', '全511件のうち、最新の500件']],
      ['es', ['detalla100delas104direcciones', '500entradasmásrecientesde512']],
    ] as const) {
      const translated = textOf(await getPdf(test, headers, `/cases/${id}/report.pdf?language=${language}`));
      for (const word of words) expect(translated).toContain(word);
    }
  });

  it.each([
    [
      'ja',
      [
        '対応中',
        '最優先',
        '中継',
        'コメント',
        '状態を「対応中」から「確認中」に変更',
        'ウォレット',
        '間接的なつながり',
      ],
      /\d\dUTC/,
      /\d\dJST/,
    ],
    [
      'es',
      [
        'enrevisión',
        'crítica',
        'intermediario',
        'Comentario:Lookedatit.',
        'Elestadopasódeabiertoaenrevisión',
        'billetera',
      ],
      /\d\dJST/,
      /\d\dUTC/,
    ],
  ] as const)(
    'in %s has its status, roles, notes and times in that language',
    async (language, words, foreign, own) => {
      const { test, headers, address } = await openDesk();
      const call = async (method: 'POST' | 'PATCH', url: string, payload: object) =>
        (await test.app.inject({ method, url: `/api/v1${url}`, headers, payload })).json();
      const { id } = (await call('POST', '/cases', { title: 'A case', priority: 'critical' })).case;
      const answer = await scan(test, headers, address);
      await call('POST', `/cases/${id}/addresses`, { address, role: 'intermediary' });
      await call('PATCH', `/cases/${id}`, { status: 'in_review' });
      await call('POST', `/cases/${id}/notes`, { content: 'Looked at it.' });
      const text = textOf(await getPdf(test, headers, `/cases/${id}/report.pdf?language=${language}`));
      for (const word of words) expect(text).toContain(word);
      expect(text).not.toMatch(/in_review|intermediary|Statuschanged|indirect_exposure/);
      expect(text).toMatch(own);
      expect(text).not.toMatch(foreign);
      expect(text).toContain(moment(answer.created_at, language).replaceAll(' ', ''));
    },
  );
});

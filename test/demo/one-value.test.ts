import { strFromU8, unzipSync } from 'fflate';
import papaparse from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofFunds } from '../../console/scene/additions.ts';
import type { ReportPackage } from '../../console/service/answers.ts';
import type { AddressFunds } from '../../console/service/tracing-answers.ts';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { roleOf, type World } from '../../fixtures/demo/world.ts';
import type { Hop } from '../../src/domain/tracing/answers.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { freezingRequests, requestText } from '../../src/questions/cases/freezing-requests.ts';
import { createCase } from '../../src/questions/cases/manage-cases.ts';
import { gatherCaseReport } from '../../src/questions/cases/report/gather-case-report.ts';
import { startPackage } from '../../src/questions/cases/report-package/start-package.ts';
import { scanAddress } from '../../src/questions/scans/scan-address.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { inquire } from '../../src/tracing/read/inquiry.ts';
import { amountText, usd as dollars, grouped } from '../../words/figures.ts';
import { LANGUAGES, type Language } from '../../words/language.ts';
import { missingReader, rawTextOf } from '../reports/pdf-text.ts';

describe('a theft of the demo', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED });
  });
  afterAll(() => demo?.close());

  const ask = async (path: string): Promise<Response> => {
    const reply = await fetch(`${demo.url}/api/v1${path}`, { headers: { 'x-api-key': demo.keys.enterprise } });
    expect(reply.status, path).toBe(200);
    return reply;
  };
  const bytes = async (path: string) => Buffer.from(await (await ask(path)).arrayBuffer());
  /** The papers of a case in a language, as their readers see the text. */
  const papersOf = async (id: string, language: Language) => {
    const { requests } = (await (await ask(`/cases/${id}/requests?language=${language}`)).json()) as {
      requests: { id: string; text: string }[];
    };
    const asked = { language, from: null, to: null };
    const { generation_id } = await startPackage(demo.ctx, demo.enterprise, id, asked);
    const path = `/cases/${id}/str-package`;
    await expect
      .poll(async () => {
        const { generations } = (await (await ask(`${path}/status`)).json()) as { generations: ReportPackage[] };
        return generations.find((one) => one.generation_id === generation_id)?.status;
      })
      .toBe('completed');
    const draft = unzipSync(await bytes(`${path}/${generation_id}/draft.docx`))['word/document.xml'];
    const papers = new Map([
      ['request as text', requests[0]!.text],
      ['request', rawTextOf(await bytes(`/cases/${id}/requests/${requests[0]!.id}.pdf?language=${language}`))],
      ['report', rawTextOf(await bytes(`/cases/${id}/report.pdf?language=${language}`))],
      ['evidence', rawTextOf(await bytes(`${path}/${generation_id}/download`))],
      ['draft', strFromU8(draft!).replace(/<[^>]+>/g, ' ')],
    ]);
    return { papers, csv: (await bytes(`${path}/${generation_id}/transactions.csv`)).toString('utf8') };
  };

  it('has one value in dollars for each quantity of a transaction in every answer, and fees explain the rest', {
    timeout: 120_000,
  }, async () => {
    const { ctx, enterprise, world } = demo;
    const thief = {
      chain: 'ethereum' as const,
      address: roleOf(world, 'ethereum', 'bridge_theft', 'vault_thief').address,
    };
    for (const one of [thief, ferryOf(world)])
      await scanAddress(ctx, enterprise, { chain: one.chain, address: one.address, lang: 'en', source: 'sync' });
    const { id: caseId } = await createCase(ctx, enterprise, { title: 'Kelp Vault' });
    await addCaseAddress(ctx, enterprise, caseId, { ...thief, role: 'subject' });
    const { input, tracedIn } = await gatherCaseReport(ctx, enterprise, { caseId, language: 'en' });
    const { sent, payers } = input.money!;

    const values = new Map<string, Set<string>>();
    const note = (tx: string | null, asset: string | null, quantity: string | null, usd: number | null) => {
      if (tx === null || usd === null) return;
      const key = `${tx} ${asset} ${Number(quantity)}`;
      values.set(key, (values.get(key) ?? new Set()).add(usd.toFixed(4)));
    };
    const noteHops = (hops: readonly Hop[]) => {
      for (const { tx_hash, asset, amount, usd } of hops) note(tx_hash, asset, amount, usd);
    };
    for (const { path, arrivals } of sent.rows) {
      noteHops(path);
      for (const one of arrivals)
        if (one.amount === one.moved_amount) note(one.tx_hash, one.asset, one.amount, one.usd);
    }
    for (const { transfers, bridge, arrived } of sent.flows) {
      for (const one of transfers)
        if (one.amount === one.moved_amount) note(one.tx_hash, one.asset, one.amount, one.usd);
      const there = bridge?.destination;
      if (there && arrived) note(there.tx_hash, there.asset, there.amount, arrived.usd);
    }
    for (const one of payers)
      note(one.transactions[0]!, Object.keys(one.assets)[0]!, Object.values(one.assets)[0]!, one.usd);
    // The column of the package's CSV, for both sides of each crossing.
    for (const { bridge } of sent.flows) {
      for (const side of bridge && bridge.reason === null ? [bridge.source, bridge.destination] : []) {
        const transfer = { ...side, id: '', txHash: side.tx_hash, from: side.address, to: side.address };
        note(side.tx_hash, side.asset, side.amount, tracedIn(transfer as never));
      }
    }
    const reached = await getTerminals(await inquire(ctx, enterprise.accountId), {
      ...thief,
      maxHops: 10,
      categories: ['exchange'],
      limit: 10,
    });
    for (const { path } of reached.terminals) noteHops(path);
    expect([...values].filter(([, different]) => different.size > 1)).toEqual([]);
    expect(values.size).toBeGreaterThanOrEqual(12);

    const [request] = freezingRequests(caseId, sent);
    const text = requestText({ request: request!, caseTitle: 'Kelp Vault', madeAt: input.madeAt, language: 'en' });
    const exchange = sent.rows.find(({ kind }) => kind === 'party')!;
    expect(exchange).toMatchObject({ assets: { USDT: '88000' }, usd: 88_000, share: 0.92827 });
    expect(text.match(/[\d,.]+ USD\b/g)!.filter((one) => one.startsWith('88,'))).toEqual(
      Array.from({ length: 3 }, () => dollars(88_000, 'en').replace('\u00a0', ' ')),
    );
    expect(reached.terminals.find(({ address }) => address === exchange.address)?.usd).toBeCloseTo(88_000, 6);
    const fees = sent.rows.filter(({ kind }) => kind === 'fees');
    expect(fees.map(({ usd, assets }) => [usd, assets])).toEqual([
      [100, { USDT: '100' }],
      [100, { USDT: '100' }],
    ]);
    expect(sent.rows.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(sent.total_usd, 6);
    expect(sent.rows.map(({ kind }) => kind)).not.toContain('price_change');
  });

  it('prints these values in report, evidence, draft, CSV, request and picture alike, in three languages', {
    timeout: 240_000,
    skip: missingReader !== null,
  }, async () => {
    const { ctx, enterprise, world } = demo;
    for (const [story, name] of [
      ['bridge_theft', 'vault_thief'],
      ['laundering', 'thief'],
    ] as const) {
      const thief = { chain: 'ethereum' as const, address: roleOf(world, 'ethereum', story, name).address };
      // The whole way is read: the exchange at its end is asked for the money.
      for (const one of story === 'laundering' ? layersOf(world) : [thief, ferryOf(world)])
        await scanAddress(ctx, enterprise, { chain: one.chain, address: one.address, lang: 'en', source: 'sync' });
      const { id } = await createCase(ctx, enterprise, { title: story });
      await addCaseAddress(ctx, enterprise, id, { ...thief, role: 'subject' });
      const funds = (await (await ask(`/cases/${id}/funds`)).json()) as AddressFunds;
      const said = [
        ...funds.rows.flatMap(({ assets, usd, arrivals }) => [...quantities(assets, usd), ...(arrivals ?? [])]),
        ...funds.flows.flatMap(({ transfers }) => transfers),
      ];
      // The picture takes its sums from the same flows: what it draws adds up to what the account says.
      const drawn = ofFunds(funds).flows;
      expect(drawn.map(({ usd, assets }) => [usd, assets])).toEqual(
        funds.flows.map(({ usd, assets }) => [usd, assets]),
      );
      for (const language of LANGUAGES) {
        const values = new Map<string, number[]>();
        for (const { amount, asset, usd } of said)
          for (const text of [`${grouped(amount, language)} ${asset}`, amountText(`${amount} ${asset}`, language)]) {
            const key = text.replace(/\s/g, '');
            values.set(key, [...(values.get(key) ?? []), usd]);
          }
        const { papers, csv } = await papersOf(id, language);
        for (const [paper, text] of papers) {
          const printed = printedValues(text.replace(/\s/g, ''), values, language);
          expect(printed.length, `${story} ${language} ${paper}`).toBeGreaterThan(0);
          expect(
            printed.filter(({ isSaid }) => !isSaid),
            `${story} ${language} ${paper}`,
          ).toEqual([]);
        }
        const rows = papaparse.parse<Record<string, string>>(csv, { header: true }).data;
        const same = funds.flows.flatMap(({ transfers }) =>
          transfers.flatMap((one) => {
            const row = rows.find(
              ({ tx_hash, amount }) => tx_hash === one.tx_hash && Number(amount) === Number(one.amount),
            );
            return row ? [[row.value_usd, one.usd.toFixed(2)]] : [];
          }),
        );
        expect(same.length, `${story} ${language} CSV`).toBeGreaterThan(0);
        for (const [written, value] of same) expect(written).toBe(value);
      }
    }
  });
});

/** The wallet behind the bridge from which the exchange is paid. */
const ferryOf = (world: World) => roleOf(world, 'optimism', 'bridge_theft', 'ferry_5');
const layersOf = (world: World) =>
  ['thief', 'layer_1', 'layer_2', 'layer_3', 'layer_4'].map((name) => roleOf(world, 'ethereum', 'laundering', name));

type Said = { amount: string; asset: string; usd: number };

/** The quantity of a sum of one asset; of several no one value is known. */
function quantities(assets: Record<string, string>, usd: number): Said[] {
  const [[asset, amount] = ['', ''], ...more] = Object.entries(assets);
  return asset === '' || more.length > 0 ? [] : [{ asset, amount, usd }];
}

/** The values in dollars that a text without blanks prints beside known quantities, and whether one of them was said. */
function printedValues(text: string, values: ReadonlyMap<string, number[]>, language: Language) {
  const number = String.raw`\d[\d.,]*`;
  return [...values].flatMap(([key, usds]) => {
    const quantity = key.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    const after = text.matchAll(new RegExp(`(?<![\\d.,、])${quantity}[（(]?(${number})USD`, 'g'));
    const before = text.matchAll(new RegExp(`(?<![\\d.,])(${number})USD[（(]${quantity}[)）]`, 'g'));
    return [...after, ...before].map(([, printed = '']) => {
      const plain = language === 'es' ? printed.replaceAll('.', '').replace(',', '.') : printed.replaceAll(',', '');
      const decimals = plain.split('.')[1]?.length ?? 0;
      return { key, printed, isSaid: usds.some((usd) => Number(usd.toFixed(decimals)) === Number(plain)) };
    });
  });
}

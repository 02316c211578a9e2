import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { renderEvidence } from '../../reports/package/evidence.ts';
import { type Chain, explorerLink } from '../../src/domain/chain.ts';
import type { PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import { unpackJson } from '../../src/records/packed-json.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { workFor } from '../app/work-for.ts';
import { markupOf } from './docx-text.ts';
import { missingReader, textOf } from './pdf-text.ts';
import { openReportDesk } from './report-desk.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

const wallet = (chain: Chain, name: string, story = 'bridge_theft') => roleOf(world, chain, story, name).address;

/** The four transactions of the two crossings: left and arrived of each. */
function crossings(): { tx: string[]; amounts: string[] } {
  const left = (chain: Chain, name: string) => world.moves[chain].find(({ from }) => from === wallet(chain, name))!;
  const arrived = (chain: Chain, name: string) => world.moves[chain].find(({ to }) => to === wallet(chain, name))!;
  const moves = [
    left('ethereum', 'ferry_1'),
    arrived('arbitrum', 'ferry_2'),
    left('arbitrum', 'ferry_3'),
    arrived('optimism', 'ferry_4'),
  ];
  return { tx: moves.map(({ txHash }) => txHash), amounts: ['89,500', '89,400', '88,800', '88,700'] };
}

describe.skipIf(missingReader)(`crossings of bridges${missingReader ? ` (skipped: ${missingReader})` : ''}`, () => {
  it('stand in every report with the protocol, both chains, both transactions and both amounts', {
    timeout: 240_000,
  }, async () => {
    const { call, file, ctx, time } = await openReportDesk(chains, world);
    const [chain, address] = ['optimism', wallet('optimism', 'ferry_5')];
    await call('GET', `/public/scan?address=${address}&chain=${chain}`);
    time.at += 1_000;
    const { tx, amounts } = crossings();
    const inWords = {
      en: ['BridgeAcross,EthereumtoArbitrum', 'LeftEthereum:89,500USDT', 'ArrivedonOptimism:88,700USDT'],
      ja: ['ブリッジAcross：EthereumからArbitrumへ', 'Optimismへの着金：88,700USDT', '両側の記録が同じメッセージ'],
      es: ['PuenteAcross,deEthereumaArbitrum', 'SaliódeArbitrum:88.800USDT', 'LlegóaOptimism:88.700USDT'],
    };
    /** A share that the rule compares, by its name, and the category of a counterparty in the summary. */
    const figures = {
      en: ['CRITICAL,fromshare25%', 'MeridianExchange:hotwallet(exchange)'],
      ja: ['「重大」とする割合25%', 'MeridianExchange:hotwallet（取引所）'],
      es: ['Crítico,desdelaparte25%', 'MeridianExchange:hotwallet(plataformadeintercambio)'],
    };
    for (const [language, words] of Object.entries(inWords)) {
      const url = `/risk-report/${address}?chain=${chain}&max_hops=5&language=${language}`;
      const text = textOf(await file(url, `risk-${language}.pdf`));
      const own = language === 'es' ? amounts.map((amount) => amount.replace(',', '.')) : amounts;
      for (const one of [...tx, ...own, ...words, ...figures[language as 'en']]) expect(text, language).toContain(one);
    }
    const near = textOf(await file(`/risk-report/${address}?chain=${chain}&language=en`, 'risk-near.pdf'));
    expect(near).toContain('USDwasnotfollowedbeyondhop3.');

    const { id } = (await call('POST', '/cases', { title: 'Kelp Vault' })).case;
    const ferry = { chain: 'ethereum', address: wallet('ethereum', 'ferry_1') } as const;
    await call('GET', `/public/scan?address=${ferry.address}&chain=${ferry.chain}`);
    await call('POST', `/cases/${id}/addresses`, ferry);
    await call('POST', `/cases/${id}/addresses`, { address, chain, role: 'intermediary' });
    const recipient = wallet('optimism', 'ferry_4');
    await call('POST', `/cases/${id}/addresses`, { address: recipient, chain, role: 'intermediary' });
    const printed = await file(`/cases/${id}/report.pdf?language=en`, 'case-en.pdf');
    const ofCase = textOf(printed);
    for (const one of [...tx, ...amounts, ...inWords.en]) expect(ofCase).toContain(one);
    // Each of them leads to the explorer of its own chain, in the timeline and in the section of crossings.
    const links = printed.toString('latin1').match(/(?<=\/URI \()[^)]+/g) ?? [];
    for (const [place, chainOf] of (['ethereum', 'arbitrum', 'arbitrum', 'optimism'] as const).entries()) {
      const link = explorerLink(chainOf, 'tx', tx[place] ?? '');
      expect(links.filter((one) => one === link).length, chainOf).toBeGreaterThan(1);
    }

    workFor(ctx);
    const { generation_id: generation } = await call('POST', `/cases/${id}/str-package`, {
      language: 'en',
      proofs: true,
    });
    const job = ctx.records.selectFrom('jobs').selectAll().where('id', '=', generation);
    await expect.poll(async () => (await job.executeTakeFirstOrThrow()).status, { interval: 20 }).toBe('completed');
    const evidence = textOf(await file(`/cases/${id}/str-package/${generation}/download`, 'evidence-en.pdf'));
    for (const one of [...tx, ...amounts, ...inWords.en]) expect(evidence).toContain(one);
    const frozen = await ctx.records.selectFrom('report_packages').selectAll().executeTakeFirstOrThrow();
    const inputs = await unpackJson<PackageInputs>(frozen.inputs!);
    const simple = textOf(await renderEvidence(inputs, [], { simple: true }));
    for (const one of [...tx, ...amounts, ...inWords.en]) expect(simple).toContain(one);

    const csv = await file(`/cases/${id}/str-package/${generation}/transactions.csv`, 'transactions.csv');
    const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true });
    const arrival = rows.find((row) => row.tx_hash === tx[3] && row.to_address === recipient)!;
    // All of it is on the way of the case's money.
    expect(arrival).toMatchObject({ exposure_tier: 'indirect' });
    expect(Number(arrival.tainted_value_usd) / 88_700).toBeCloseTo(1, 2);
    const draft = await file(`/cases/${id}/str-package/${generation}/draft.docx`, 'draft-en.docx');
    expect(markupOf(draft)).toContain(
      'W1 sends 89,500 USDT over Across from Ethereum; W2 receives 89,400 USDT on Arbitrum',
    );
    const notes = markupOf(draft, 'footnotes');
    for (const one of tx) expect(notes).toContain(one);
    // A footnote names the file by its number among the attachments.
    const numberIn = (text: string, form: RegExp) => text.replace(/<[^>]+>/g, '').match(form)?.[1];
    const attached = numberIn(markupOf(draft).replaceAll('</w:tc>', ' '), /(\d+) evidence\.pdf/);
    expect(numberIn(notes, /\[evidence (\d+)\] evidence\.pdf/)).toBe(attached);
  });

  it('stand in the draft and its table once confirmed, though no illicit party is behind them', {
    timeout: 120_000,
  }, async () => {
    const { call, file, ctx, time } = await openReportDesk(chains, world);
    const address = wallet('ethereum', 'causeway_1', 'bridge_likely');
    await call('GET', `/public/scan?address=${address}&chain=ethereum`);
    time.at += 1_000;
    const { id } = (await call('POST', '/cases', { title: 'Kelp Vault' })).case;
    await call('POST', `/cases/${id}/addresses`, { address, chain: 'ethereum' });
    workFor(ctx);
    const generate = async (language: string) => {
      const { generation_id: generation } = await call('POST', `/cases/${id}/str-package`, { language });
      const job = ctx.records.selectFrom('jobs').selectAll().where('id', '=', generation);
      await expect.poll(async () => (await job.executeTakeFirstOrThrow()).status, { interval: 20 }).toBe('completed');
      const at = `/cases/${id}/str-package/${generation}`;
      const draft = await file(`${at}/draft.docx`, `confirmed-${language}.docx`);
      const csv = await file(`${at}/transactions.csv`, `confirmed-${language}.csv`);
      const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true });
      return {
        draft: markupOf(draft),
        evidence: textOf(await file(`${at}/download`, `confirmed-${language}.pdf`)),
        reasonOf: (hash: string) => rows.find(({ tx_hash }) => tx_hash === hash)!.reason_ja,
      };
    };
    const { terminals } = await call('GET', `/exposure/${address}/terminals?chain=ethereum`);
    const { bridge } = terminals[0].path.at(-1);
    const [out, arrived] = [bridge.source.tx_hash, bridge.destination.tx_hash];
    const before = await generate('en');
    expect(before.draft).not.toContain(arrived);
    expect(before.reasonOf(out)).not.toContain(arrived);

    time.at += 1_000;
    const match = { address, chain: 'ethereum', crossing_id: bridge.crossing_id, tx_hash: arrived };
    await call('PUT', '/graph/bridge-matches', { ...match, decision: 'confirmed', reason: 'fits' });
    const confirmed = {
      en: /No message id joins the two transactions: test confirmed on 2026-\d\d-\d\d \d\d:\d\d:\d\d UTC/,
      ja: /同一の移転であることをtestが2026年\d+月\d+日 \d\d:\d\d:\d\d JSTに確認しました/,
      es: /test confirmó el \d\d\/\d\d\/2026 \d\d:\d\d:\d\d UTC que son la misma transferencia/,
    };
    for (const [language, words] of Object.entries(confirmed) as [Language, RegExp][]) {
      time.at += 1_000;
      const made = await generate(language);
      for (const one of [out, arrived, '790 USDT', '788 USDT', words]) expect(made.draft, language).toMatch(one);
      expect(made.draft.split(arrived), language).toHaveLength(2);
      for (const one of [out, arrived]) expect(made.evidence, language).toContain(one);
      expect(made.reasonOf(out), language).toContain(
        fill(WORDS[language].bridges.rowLeft, { chain: 'arbitrum', tx: arrived }),
      );
      expect(made.reasonOf(out), language).toMatch(words);
    }
  });

  it('say in words why the other side of a bridge is missing', { timeout: 120_000 }, async () => {
    const { call, file, time } = await openReportDesk(chains, world);
    const address = wallet('ethereum', 'strait', 'bridge_without_source');
    await call('GET', `/public/scan?address=${address}&chain=ethereum`);
    time.at += 1_000;
    const reasons = {
      en: ['Across,EthereumtoLinea:theotherchainisnotsupported', 'ArrivalonLinea:notknown'],
      ja: ['Across（EthereumからLineaへ）：相手チェーンは対応していない'],
      es: ['Across,deEthereumaLinea:laotracadenanoestásoportada'],
    };
    for (const [language, words] of Object.entries(reasons)) {
      const text = textOf(await file(`/risk-report/${address}?language=${language}`, `lost-${language}.pdf`));
      for (const one of words) expect(text, language).toContain(one);
      expect(text).not.toMatch(/bridge_chain_unsupported|coverage\.frontier/);
    }
  });
});

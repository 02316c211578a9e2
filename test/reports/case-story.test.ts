import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { type Chain, explorerLink } from '../../src/domain/chain.ts';
import { usd } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { LANGUAGES } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { workFor } from '../app/work-for.ts';
import { missingReader, rawTextOf, textOf } from './pdf-text.ts';
import { openReportDesk } from './report-desk.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

interface Listed {
  chain: Chain;
  address: string;
  role: string;
  label?: string;
}

async function openDesk() {
  const desk = await openReportDesk(chains, world);
  const { ctx, time, ask, call } = desk;
  const openCase = async (title: string, addresses: Listed[], description = '') => {
    const { id } = (await call('POST', '/cases', { title, description })).case;
    for (const { chain, address, ...given } of addresses) {
      await ask('GET', `/public/scan?address=${address}&chain=${chain}`);
      await call('POST', `/cases/${id}/addresses`, { chain, address, ...given });
    }
    time.at += 1_000;
    return id as string;
  };
  const generate = async (id: string, language: string) => {
    workFor(ctx);
    const { generation_id: generation } = await call('POST', `/cases/${id}/str-package`, { language });
    const job = ctx.records.selectFrom('jobs').selectAll().where('id', '=', generation);
    await expect.poll(async () => (await job.executeTakeFirstOrThrow()).status, { interval: 20 }).toBe('completed');
    return `/cases/${id}/str-package/${generation}`;
  };
  return { ...desk, openCase, generate };
}

const at = (chain: Chain, name: string, story = 'bridge_theft') => roleOf(world, chain, story, name).address;

/** The theft over two bridges, with whom it was taken from and where it went. */
function theft(): Listed[] {
  const thief = at('ethereum', 'vault_thief');
  const payer = world.moves.ethereum.find(({ to, kind }) => to === thief && kind === 'token')!.from;
  return [
    { chain: 'ethereum', address: thief, role: 'subject', label: 'Thief' },
    { chain: 'ethereum', address: payer, role: 'victim', label: 'Kelp Vault' },
    { chain: 'ethereum', address: at('ethereum', 'ferry_1'), role: 'intermediary' },
    { chain: 'arbitrum', address: at('arbitrum', 'ferry_2'), role: 'intermediary' },
    { chain: 'arbitrum', address: at('arbitrum', 'ferry_3'), role: 'intermediary' },
    { chain: 'optimism', address: at('optimism', 'ferry_4'), role: 'intermediary' },
    { chain: 'optimism', address: at('optimism', 'ferry_5'), role: 'intermediary' },
  ];
}

describe.skipIf(missingReader)(`the story of a case${missingReader ? ` (skipped: ${missingReader})` : ''}`, () => {
  it('says behind its cover on one page who lost what, which way it went and where it is, with the amounts of the account', {
    timeout: 120_000,
  }, async () => {
    const { call, file, openCase } = await openDesk();
    const id = await openCase('Kelp Vault theft', theft());
    const { rows, total_usd: total, kept } = await call('GET', `/cases/${id}/funds`);
    expect(kept).toMatchObject([{ kind: 'held', address: theft()[0]!.address, chain: 'ethereum' }]);
    const exchange = rows.find(({ kind }: { kind: string }) => kind === 'party');
    for (const language of LANGUAGES) {
      const pdf = await file(`/cases/${id}/report.pdf?language=${language}`, `theft-${language}.pdf`);
      const [cover = '', page = '', ...others] = rawTextOf(pdf).split('\f');
      const first = page.replace(/\s+/g, '');
      const say = WORDS[language].story;
      // Who declares what, for whom to sign, and each short name with its whole address, before they are used.
      const signed = cover.replace(/\s+/g, '');
      for (const one of [say.declarationTitle, say.declaration, say.checkedBy, say.keyTitle, theft()[0]!.address]) {
        expect(signed, language).toContain(one.replaceAll(/\s+/g, ''));
      }
      for (const one of [95_000, total, exchange.usd, kept[0].usd].map((amount) => usd(amount, language))) {
        expect(first, language).toContain(one.replaceAll(' ', ''));
      }
      for (const one of ['KelpVault', 'Thief(W1)', 'MeridianExchange', 'Across', say.whereTitle, say.pictureTitle]) {
        expect(first, language).toContain(one.replaceAll(' ', ''));
      }
      // Shares add up: the sum is that of the rows above it.
      const table = page.slice(page.indexOf(say.whereTitle));
      const shares = [...table.matchAll(/(\d+)[.,](\d)\s?%$/gm)].map(
        ([, whole, tenth]) => 10 * Number(whole) + Number(tenth),
      );
      const until = shares.indexOf(1_000);
      expect(shares.slice(0, until).reduce((sum, share) => sum + share, 0)).toBe(1_000);
      expect(others.length, language).toBeLessThan(language === 'ja' ? 12 : 11);
      // Money comes from a party, or goes to one.
      const [from = '', to = ''] = (['received', 'sent'] as const).map((way) =>
        WORDS[language].report.tracedHere[way].split('{')[0]!.replaceAll(' ', ''),
      );
      for (const one of [from, to]) expect(textOf(pdf), language).toContain(one);
      // What counts in another finding is named, so that there are as many as the scan says.
      expect(textOf(pdf), language).toContain(say.alsoFound.split('{')[0]!.replaceAll(' ', ''));
      // Where the vault's tokens came from is known: nobody paid them.
      const nobody = WORDS[language].ends.issued.replaceAll(/\s/g, '');
      expect(textOf(pdf), language).toContain(nobody);
      expect(textOf(pdf), language).not.toContain(WORDS[language].ends.unknown_origin.replaceAll(/\s/g, ''));
      // Each transaction below a finding leads to an explorer of its chain.
      const links = new Set(pdf.toString('latin1').match(/(?<=\/URI \()[^)]+/g));
      for (const { chain, address } of theft()) {
        const { detections } = (await call('GET', `/public/scan?address=${address}&chain=${chain}`)) as {
          detections: { details: { evidence: string[] } }[];
        };
        const [first] = detections.flatMap(({ details }) => details.evidence);
        expect(links, `${language} ${address}`).toContain(explorerLink(chain, 'tx', first!.split('#')[0]!));
      }
      // The longest title of a column stands whole on its line.
      expect(rawTextOf(pdf), language).toContain(WORDS[language].report.transactions);
      // The key holds both names where a list has another, which the findings use.
      const both = fill(say.listedAs, { name: 'Thief', label: 'Kelp Vault exploiter' });
      expect(signed, language).toContain(both.replaceAll(' ', ''));
      // No line begins or ends with the mark between two facts.
      for (const one of [page, ...others]) expect(one, language).not.toMatch(/^·|·$/m);
    }
  });

  it('reads what its parts share from the graph once; two parts that are gathered side by side may read it twice', async () => {
    const { ctx, file, openCase } = await openDesk();
    const id = await openCase(
      'Kelp Vault theft',
      theft().map((one) => ({ ...one, role: 'subject' })),
    );
    const reads = vi.spyOn(ctx.graph, 'read');
    await file(`/cases/${id}/report.pdf?language=en`, 'theft-of-all-en.pdf');
    const opened = reads.mock.calls
      .filter(([statement]) => statement === 'exposure/open')
      .flatMap(([, params]) => (params as { items: { key: string }[] }).items.map(({ key }) => key));
    const count = new Set(opened).size;
    expect(count).toBeGreaterThan(6);
    // Parts that share nothing read five times as many.
    expect(opened.length).toBeLessThanOrEqual(1.5 * count);
  });

  it('writes a request for each service, with the same id at every call', async () => {
    const { ask, call, file, openCase } = await openDesk();
    const id = await openCase('Kelp Vault theft', theft());
    const { rows } = await call('GET', `/cases/${id}/funds`);
    const arrived = rows.filter(({ kind }: { kind: string }) => kind === 'party');
    const { requests } = await call('GET', `/cases/${id}/requests?language=en`);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request).toMatchObject({
      service: 'Meridian Exchange: hot wallet',
      category: 'exchange',
      usd: arrived[0].usd,
      assets: arrived[0].assets,
      addresses: [{ chain: 'optimism', address: arrived[0].address }],
      transaction_count: 1,
    });
    const { requests: again } = await call('GET', `/cases/${id}/requests?language=es`);
    expect(again[0].id).toBe(request.id);
    const [{ tx_hash: hash, from, usd: worth }] = request.transactions;
    for (const language of LANGUAGES) {
      const pdf = await file(`/cases/${id}/requests/${request.id}.pdf?language=${language}`, `request-${language}.pdf`);
      const pages = rawTextOf(pdf)
        .split('\f')
        .filter((page) => page.trim() !== '');
      expect(pages, language).toHaveLength(1);
      const named = [request.reference, arrived[0].address, hash, from, usd(worth, language).replaceAll(' ', '')];
      for (const one of named) expect(textOf(pdf), language).toContain(one);
    }
    const named = [request.reference, arrived[0].address, hash, '88,000 USDT', from, usd(worth)];
    for (const one of named) expect(request.text).toContain(one);
    const { requests: spanish } = await call('GET', `/cases/${id}/requests?lang=es`);
    expect(spanish[0].text).toBe(again[0].text);
    expect(spanish[0].text).toContain(WORDS.es.requests.askedTitle);
    const { notes } = await call('GET', `/cases/${id}`);
    expect(notes.at(-1).event).toMatchObject({ kind: 'request_downloaded', reference: request.reference });
    expect((await ask('GET', `/cases/${id}/requests/${id}.pdf`)).statusCode).toBe(404);
  });

  it('stands in the draft with one amount, the words of the analyst, and evidence as footnotes', {
    timeout: 120_000,
  }, async () => {
    const { call, file, openCase, generate } = await openDesk();
    const id = await openCase('Kelp Vault theft', theft(), 'The vault reported the loss on the same day.');
    const { addresses } = await call('GET', `/cases/${id}`);
    const [subject] = addresses.filter(({ role }: { role: string }) => role === 'subject');
    const judge = (detector_id: string, disposition: string, reason: string) =>
      call('PUT', `/cases/${id}/dispositions`, { address_id: subject.id, detector_id, disposition, reason });
    await judge('pass_through', 'confirmed', 'The customer did not order it.');
    await judge('large_transfer', 'dismissed', 'The vault is that large.');
    const { total_usd: total, flows } = await call('GET', `/cases/${id}/funds`);
    for (const language of ['en', 'es', 'ja'] as const) {
      const url = await generate(id, language);
      const parts = unzipSync(await file(`${url}/draft.docx`, `draft-${language}.docx`));
      const text = strFromU8(parts['word/document.xml']!).replace(/<[^>]+>/g, ' ');
      const notes = strFromU8(parts['word/footnotes.xml']!);
      const expected = [
        'The vault reported the loss',
        'The customer did not order it.',
        'Meridian Exchange',
        usd(total, language),
        WORDS[language].packageWords.unjudged,
      ];
      for (const one of expected) expect(text, language).toContain(one);
      expect(text, language).not.toContain('The vault is that large.');
      // What is copied out of it has no hyphens or blanks that look like others.
      expect(text, language).not.toMatch(/[\u00ad\u2010-\u2012\u200b-\u200f\u202f\u2060]|[\d日]\u00a0\d/);
      // No line of its sentences ends between an amount and its unit.
      const prose = strFromU8(parts['word/document.xml']!).replace(/<w:tbl>.*?<\/w:tbl>/gs, '');
      expect(prose.replace(/<[^>]+>/g, ''), language).not.toMatch(/\d (?:USDT?|ETH)/);
      for (const flow of flows) expect(notes, language).toContain(flow.transfers[0].tx_hash);
      const pdf = textOf(await file(`${url}/download`, `evidence-${language}.pdf`));
      for (const one of ['Thecustomerdidnotorderit.', 'Thevaultisthatlarge.']) expect(pdf, language).toContain(one);
      const csv = await file(`${url}/transactions.csv`, `transactions-${language}.csv`);
      const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true });
      for (const { from, to, transfers, bridge } of flows) {
        const row = rows.find((one) => one.tx_hash === transfers[0].tx_hash && one.from_address === from);
        if (!row && bridge) continue;
        expect(row, `${from} ${to}`).toBeDefined();
        expect(Number(row!.tainted_value_usd)).toBeCloseTo(transfers[0].usd, 1);
      }
    }
    const { notes } = await call('GET', `/cases/${id}`);
    const kinds = notes.flatMap(({ event }: { event?: { kind: string } }) => event?.kind ?? []);
    expect(kinds).toEqual(
      expect.arrayContaining(['address_added', 'judged', 'package_generated', 'package_downloaded']),
    );
  });

  it('says so, within bounds, where nothing can be followed, and shows hostile text safely', {
    timeout: 120_000,
  }, async () => {
    const { file, openCase } = await openDesk();
    const hostile = `=SUM(A1) ${'A'.repeat(9_900)} \u05d0\u05d1`;
    const victim = {
      chain: 'ethereum',
      address: `0x${'12'.repeat(20)}`,
      role: 'victim',
      label: 'Customer 4711',
    } as const;
    const nothing = await openCase('A victim, nothing found', [victim], hostile);
    const unread = await openCase('On four chains', [
      { chain: 'ethereum', address: `0x${'34'.repeat(20)}`, role: 'subject' },
      { chain: 'base', address: `0x${'34'.repeat(20)}`, role: 'subject' },
      { chain: 'arbitrum', address: `0x${'34'.repeat(20)}`, role: 'subject' },
      { chain: 'bitcoin', address: at('bitcoin', 'peel_0', 'peel_chain'), role: 'subject' },
    ]);
    for (const language of LANGUAGES) {
      const text = textOf(await file(`/cases/${nothing}/report.pdf?language=${language}`, `nothing-${language}.pdf`));
      for (const one of ['Customer4711', WORDS[language].story.nowNothing, WORDS[language].report.nothingRead]) {
        expect(text, language).toContain(one.replaceAll(' ', ''));
      }
      expect(text, language).not.toMatch(/0[.,]0%|GET\/|POST\//);
      // Without short names the cover does not stand alone.
      const [cover] = rawTextOf(await file(`/cases/${nothing}/report.pdf?language=${language}`, 'x.pdf')).split('\f');
      expect(cover!.replace(/\s/g, ''), language).toContain(WORDS[language].story.nowNothing.replaceAll(' ', ''));
      const pages = rawTextOf(await file(`/cases/${unread}/report.pdf?language=${language}`, `four-${language}.pdf`));
      expect(pages.split('\f').length, language).toBeLessThan(9);
      expect(pages).not.toMatch(/undefined|NaN|\[object/);
    }
  });
});

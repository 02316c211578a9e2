import { Document, Packer } from 'docx';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../fixtures/demo/random.ts';
import { docxTable } from '../../reports/package/docx-blocks.ts';
import { noFinding } from '../../reports/package/narrative.ts';
import { closePdf, openPdf } from '../../reports/pdf/document.ts';
import { asksSection } from '../../reports/story/asks-section.ts';
import { endRows, rulesSentence } from '../../reports/story/ends.ts';
import { codesText, nameParties } from '../../reports/story/parties.ts';
import { threeSentences, unseenSentence } from '../../reports/story/sentences.ts';
import { stepsOf } from '../../reports/story/steps.ts';
import { wayOf } from '../../reports/story/way.ts';
import { whereRows } from '../../reports/story/where-rows.ts';
import type { FundsRow } from '../../src/domain/tracing/answers.ts';
import { byRule, rangeOf } from '../../src/domain/tracing/funds-row.ts';
import type { CaseMoney, CasePayer } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { LANGUAGES, type Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { seed } from '../setup/seed.ts';
import { missingReader, textOf } from './pdf-text.ts';

const AT = '2026-09-01T00:00:00Z';
const hex = (value: number) => `0x${value.toString(16).padStart(40, '0')}`;
const [ONE, TWO, VICTIM] = [hex(1), hex(2), hex(0xbeef)];

function end(kind: FundsRow['kind'], usd: number, more: Partial<FundsRow> = {}): FundsRow {
  const unlabelled = {
    category: null,
    label: null,
    entity: null,
    balance: null,
    path: [],
    arrivals: [],
    hops: 1,
  };
  const followed = { followed_usd: usd, share: usd / 1_000 };
  const moved = { assets: { USDT: String(usd) }, first_at: AT, last_at: AT, transfers: 1, count: 1 };
  return { kind, usd, chain: 'ethereum', address: hex(100), ...unlabelled, ...followed, ...moved, ...more };
}

function payer(address: string, usd: number, paid: string, isVictim = false): CasePayer {
  const known = { chain: 'ethereum', address, label: null, category: null, assets: { USDT: String(usd) } } as const;
  const moved = { first_at: AT, last_at: AT, transactions: [`0x${address.slice(2)}`], transfers: 1 };
  return { ...known, usd, ...moved, paid: [{ to: `ethereum:${paid}`, usd }], isVictim };
}

function caseOf(money: Partial<CaseMoney>, rows: FundsRow[], language: Language = 'en'): CaseReportInput {
  const record = (address: string, role: string, label = '') => ({
    record: { chain: 'ethereum', address, role, label },
    report: { labels: [] as object[] },
  });
  const total_usd = rows.reduce((sum, { usd }) => sum + usd, 0);
  const sent = { rows, flows: [], total_usd, note: null };
  const robbed = (money.payers ?? []).filter(({ isVictim }) => isVictim);
  const none = { usd: 0, assets: {}, unpriced: {} };
  const lost = { ...none, usd: robbed.reduce((sum, { usd }) => sum + usd, 0) };
  const victims = { lost, returned: none, complete: true };
  const victimsTotal = robbed.length;
  const all = { sent, kept: [], payers: [], payersTotal: 0, paidUsd: 0, victims, victimsTotal, labels: {}, ...money };
  const addresses = [record(ONE, 'subject'), record(TWO, 'subject'), record(VICTIM, 'victim', 'Ms Tanaka')];
  return { language, madeAt: AT, money: all, addresses, others: [] } as never;
}

/** Sixty who paid the first wallet, and a victim who paid the second one far less than any of them. */
function manyPayers(language: Language = 'en') {
  const others = Array.from({ length: 20 }, (_, i) => payer(hex(1_000 + i), 2_000, ONE));
  const payers = [payer(VICTIM, 120, TWO, true), ...others];
  const input = caseOf({ payers, payersTotal: 61, paidUsd: 120_120 }, [end('held', 10)], language);
  return { input, parties: nameParties(input) };
}

describe('the story of a case', () => {
  it('names as under investigation those whose money is followed, not all of more subjects', () => {
    const subjects = Array.from({ length: 150 }, (_, i) => ({
      chain: 'ethereum',
      address: hex(5_000 + i),
      role: 'subject',
    }));
    const input = {
      ...caseOf({ payers: [payer(VICTIM, 120, hex(5_000), true)], payersTotal: 1, paidUsd: 120 }, [end('held', 10)]),
      addresses: subjects.slice(0, 100).map((record) => ({ record, report: { labels: [] } })),
      others: subjects.slice(100),
    } as never;
    const parties = nameParties(input);
    expect(parties.all.filter(({ role }) => role === 'subject').map(({ address }) => address)).toEqual(
      subjects.slice(0, 100).map(({ address }) => address),
    );
    expect(threeSentences(input, parties, [])[1]).toContain('went on from 100 wallets (W1 to W100)');
  });

  it('names a subject as a list that is sure of it does, today and not as it was once reported or listed', () => {
    const label = (confidence: number, validTo: number | null = null) => ({
      ...{ label: 'Kelp Vault exploiter', category: 'theft', source: 'a list', confidence, validFrom: null, validTo },
    });
    const nameOf = (...labels: object[]) => {
      const input = caseOf({}, [end('held', 10)]);
      Object.assign(input.addresses[0]!.report, { labels });
      return nameParties(input).nameOf('ethereum', ONE);
    };
    expect(nameOf(label(90))).toBe('Kelp Vault exploiter (W1)');
    expect([nameOf(label(50)), nameOf(label(90, Date.parse(AT)))]).toEqual(['W1', 'W1']);
  });

  it('says where most of the money was last seen, though nobody is known to hold it there', () => {
    const rows = [
      end('max_hops', 900, { address: hex(7) }),
      end('party', 100, { category: 'exchange', label: 'Polar' }),
    ];
    const input = caseOf({}, rows);
    const parties = nameParties(input);
    const now = threeSentences(input, parties, endRows(input, parties))[2];
    expect(now).toContain('90.0% (900.00 USD) was last seen at W3, where it was not followed further');
  });

  it('names what a victim paid to which wallet among many payers, and how many more there are', () => {
    const { input, parties } = manyPayers();
    expect(threeSentences(input, parties, [])[0]).toContain('lost 120.00 USD');
    const returned = { usd: 20, assets: { USDT: '20' }, unpriced: { ABC: '7' } };
    Object.assign(input.money!.victims!, { returned });
    expect(threeSentences(input, parties, [])[0]).toMatch(
      /; the money went to W1, W2\. Of it 20\.00 USD \(20 USDT, 7 ABC\) was paid back\.$/,
    );
    const { steps, left } = stepsOf(input, parties);
    expect(steps.map(({ text }) => text)).toContain('Ms Tanaka (P1) pays W2: 120 USDT');
    expect(left).toEqual(['Further senders that paid W1, W2: 56, 112,000.00 USD in all.']);
    const { columns, edges } = wayOf(input, parties);
    expect(columns[0]?.map(({ title }) => title)).toEqual(['P2', 'P3', 'Ms Tanaka (P1)', 'and 58 more']);
    expect(edges.filter(({ from }) => from === `ethereum:${VICTIM}`).map(({ to }) => to)).toEqual([`ethereum:${TWO}`]);
  });

  it('adds up to the cent as it is printed, and cuts long names in sentences', () => {
    const { next } = createRandom(String(seed));
    for (let round = 0; round < 50; round++) {
      const rows = Array.from({ length: 1 + Math.floor(next() * 9) }, (_, i) =>
        end('party', next() * 1_000, {
          category: 'exchange',
          label: `Polar ${i} ${'long '.repeat(40)}`,
          address: hex(200 + i),
        }),
      );
      if (next() < 0.5) rows.push(end('price_change', next() - 0.5, { address: null, chain: null }));
      const input = caseOf({}, rows);
      const parties = nameParties(input);
      const ends = endRows(input, parties);
      const { ends: cells, sum } = whereRows(input, ends, parties);
      const cents = (cell: string) => Math.round(Number(cell.replace(/ USD|,/g, '').replace('−', '-')) * 100);
      expect(cells.reduce((total, row) => total + cents(row[3]!), 0)).toBe(cents(sum[0]![3]!));
      expect(cells[0]![0]!.length).toBeLessThan(70);
    }
    expect(codesText(['W1', 'W2', 'W3', 'W4'], 'en')).toBe('4 wallets (W1 to W4)');
    expect(codesText(['W1', 'W2', 'W3', 'W5'], 'en')).toBe('W1, W2, W3 and 1 more');
  });

  it('writes a share that is not nothing in one way, in table and sentences, in every language', () => {
    const rows = [
      end('party', 99_990, { category: 'exchange', label: 'Polar' }),
      end('not_read', 10, { address: TWO }),
    ];
    for (const language of LANGUAGES) {
      const input = caseOf({}, rows, language);
      const parties = nameParties(input);
      const ends = endRows(input, parties);
      const texts = [...threeSentences(input, parties, ends), unseenSentence(input, ends)].join(' ');
      const least = language === 'es' ? '< 0,1' : '< 0.1';
      const [most, last] = whereRows(input, ends, parties).ends;
      expect([most?.at(-1)?.slice(0, 1), last?.at(-1)?.slice(0, 1)], language).toEqual(['>', '<']);
      expect(last?.at(-1), language).toContain(least);
      expect(texts, language).not.toMatch(/100[.,]0\s?%/);
      expect(texts.split(least), language).toHaveLength(3);
      expect(texts, language).not.toMatch(/\b0[.,]0/);
    }
  });

  it('states each row by all rules of attribution, and in one sentence which rows depend on none', () => {
    const amounts = (pro: number, fifo: number) =>
      rangeOf(byRule((rule) => ({ usd: rule === 'pro_rata' ? pro : fifo, assets: {} })));
    const rows = (fifo: number) => [
      end('party', 300, { category: 'exchange', label: 'Polar', range: amounts(300, fifo) }),
      end('party', 200, { category: 'exchange', label: 'Polar', chain: 'base', range: amounts(200, 200) }),
      end('held', 400, { address: TWO, range: amounts(400, 700 - fifo) }),
      end('returned', 100, { address: ONE, range: amounts(100, 100) }),
      end('party', 0, { category: 'mixer', label: 'Fog', address: hex(8), range: amounts(0, 0) }),
    ];
    const tableOf = (all: FundsRow[], language: Language = 'en') => {
      const input = caseOf({}, all, language);
      const parties = nameParties(input);
      const ends = endRows(input, parties);
      return { rules: rulesSentence(ends, language), ...whereRows(input, ends, parties) };
    };
    const mixed = tableOf(rows(100));
    expect(mixed.ends.map((cells) => cells.slice(3, 5))).toEqual([
      ['500.00 USD', '300.00 USD –\n500.00 USD'],
      ['400.00 USD', '400.00 USD –\n600.00 USD'],
      ['100.00 USD', 'the same'],
    ]);
    expect(mixed.rules).toMatch(/^1 of the 3 rows of this table, 10.0%/);
    const same = tableOf(rows(300));
    expect([same.hasRange, same.ends[0]?.length]).toEqual([false, 5]);
    expect(same.rules).toContain('No row of this table depends');
    for (const language of LANGUAGES) {
      const widths = tableOf(rows(100), language);
      expect(new Set([...widths.ends, ...widths.sum].map((cells) => cells.length)), language).toEqual(new Set([6]));
    }
    const unranged = tableOf([end('held', 10)]);
    expect([unranged.hasRange, unranged.rules, unranged.ends[0]?.length]).toEqual([false, null, 5]);
  });

  it('has one row for all wallets that hold some of the money, which names the largest', () => {
    const held = [400, 300, 200, 60, 40].map((usd, n) => end('held', usd, { address: hex(0x100 + n) }));
    const input = caseOf({}, held);
    const [row, ...others] = endRows(input, nameParties(input));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      name: 'W3, W4, W5 and 2 more',
      usd: 1_000,
      assets: { USDT: '1000' },
      tenths: 1_000,
    });
  });

  it('says what the subjects themselves did not send on, below the sum and where nothing was sent', () => {
    const kept = [end('held', 200, { address: ONE })];
    const sent = caseOf({ kept }, [end('held', 800)]);
    const parties = nameParties(sent);
    const ends = endRows(sent, parties);
    expect(whereRows(sent, ends, parties).kept).toMatchObject([
      ['W1', expect.any(String), '200 USDT', '200.00 USD', ''],
    ]);
    const sentence = '200.00 USD (200 USDT) of the money received had not left W1 at the last reading.';
    expect(threeSentences(sent, parties, ends).at(-1)).toContain(sentence);
    const nothing = caseOf({ kept }, []);
    expect(threeSentences(nothing, nameParties(nothing), []).at(-1)).toBe(sentence);
  });

  it.skipIf(missingReader)('asks at once where money was still in a wallet at the last reading', async () => {
    const rows = [end('held', 800, { address: TWO }), end('party', 100), end('held', 0, { address: VICTIM })];
    const input = { ...caseOf({ kept: [end('held', 200, { address: ONE })] }, rows), case: { id: 'theft' } };
    const info = { title: '', language: 'en' as const, madeAt: Date.parse(AT), footer: '' };
    const pdf = openPdf(info);
    asksSection(
      { pdf, words: WORDS.en.report, language: 'en', outline: pdf.outline },
      input as never,
      nameParties(input as never),
    );
    const text = textOf(await closePdf(pdf, info));
    expect(text).toContain('Stillthereatthelastreading:1,000.00USD');
    expect(text.indexOf(TWO)).toBeGreaterThan(0);
    expect(text.indexOf(ONE)).toBeGreaterThan(text.indexOf(TWO));
    expect(text).not.toContain(VICTIM);
  });
});

it('names parties in a text about an address of their chain, and leaves strangers and other chains alone', () => {
  const { namedIn } = nameParties(caseOf({ payers: [payer(VICTIM, 900, ONE, true)] }, [end('held', 900)]));
  const stranger = hex(0xdead);
  const text = `With ${VICTIM}, ${ONE} and ${stranger}.`;
  expect(namedIn('ethereum', text)).toBe(`With Ms Tanaka (P1), W1 and ${stranger}.`);
  expect(namedIn('base', text)).toBe(text);
});

it('writes a name as it is, whatever its signs mean to a pattern', () => {
  const named = { ...payer(hex(0xfeed), 900, ONE, true), label: "A$$AP $& $'" };
  const { namedIn } = nameParties(caseOf({ payers: [named] }, [end('held', 900)]));
  expect(namedIn('ethereum', `With ${hex(0xfeed)}.`)).toBe("With A$$AP $& $' (P1).");
});

it('a draft writes hashes in 7.5 points or more, however narrow their column, and never breaks one by itself', async () => {
  const hash = `0x${'ab12'.repeat(16)}`;
  const columns = [
    { title: 'From', width: 0.1, mono: true },
    { title: 'Transaction', width: 0.9, mono: true },
  ];
  const document = new Document({ sections: [{ children: [docxTable(columns, [[hash, hash]])] }] });
  const xml = strFromU8(unzipSync(await Packer.toBuffer(document))['word/document.xml']!);
  expect(xml.split(hash)).toHaveLength(3);
  const halfPoints = [...xml.matchAll(/<w:sz w:val="(\d+)"/g)].map(([, size]) => Number(size));
  expect(halfPoints.length).toBeGreaterThan(3);
  expect(Math.min(...halfPoints)).toBeGreaterThanOrEqual(15);
});

it('a draft does not call addresses clean that were never scanned', () => {
  const scanned = (scan: object | null) => ({ addresses: [{ report: { scan } }] }) as never;
  expect(noFinding(scanned(null), 'en')).toContain('None of the addresses named above was scanned');
  expect(noFinding(scanned({ detections: [] }), 'en')).toBe('No detection was found on the addresses named above.');
});

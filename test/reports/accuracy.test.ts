import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accuracyPage } from '../../bench/accuracy/page.ts';
import { pdfHeading } from '../../reports/pdf/blocks.ts';
import { closePdf, openPdf } from '../../reports/pdf/document.ts';
import { accuracyCells, accuracySection, rulesUsed, wilson } from '../../reports/sections/accuracy.ts';
import { ACCURACY } from '../../reports/sections/accuracy-results.ts';
import { LANGUAGES } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { missingReader, rawTextOf, textOf } from './pdf-text.ts';

describe('the known error rates', () => {
  it('stand in docs/accuracy.md as they were measured', () => {
    expect(readFileSync('docs/accuracy.md', 'utf8')).toBe(accuracyPage(ACCURACY));
  });

  it("have Wilson's interval", () => {
    for (const [count, of, low, high] of [
      [0, 10, 0, 0.278],
      [5, 10, 0.237, 0.763],
      [10, 10, 0.722, 1],
      [1, 1_000, 0.0002, 0.0056],
    ] as const) {
      const [least, most] = wilson({ count, of });
      expect([least, most].map((share) => Math.round(share * 1e3) / 1e3)).toEqual(
        [low, high].map((share) => Math.round(share * 1e3) / 1e3),
      );
    }
  });

  it('are named in every language, and what is not tested is too', () => {
    for (const language of LANGUAGES) {
      const { accuracy: say } = WORDS[language].report;
      for (const row of ACCURACY.rows) {
        const [name, ...figures] = accuracyCells(row, language);
        expect([name, ...figures].join(' '), row.id).not.toMatch(/undefined|NaN|[{}]/);
        expect(name, language).not.toBe(row.id);
        // A set of data has a name in each language.
        if (row.data) expect(say.dataSets[row.data.name], `${language} ${row.data.name}`).toBeTruthy();
      }
      for (const id of ACCURACY.notTested) expect(say.untested[id], `${language} ${id}`).toBeTruthy();
    }
  });

  it.skipIf(missingReader)('are printed for the rules that a report used, and for no others', async () => {
    const info = { title: 'x', language: 'en', madeAt: 0, footer: '' } as const;
    const annex = async (used: readonly string[]) => {
      const pdf = openPdf(info);
      const outline = pdfHeading(pdf, 1, 'x');
      accuracySection({ pdf, words: WORDS.en.report, language: 'en', outline }, new Set(used));
      return textOf(await closePdf(pdf, info));
    };
    const mixed = await annex(['coinjoin', 'bridge_id', 'typology:fan_out']);
    for (const shown of ['CoinJoinsoftheknown', 'Bridgesbymessage', 'Distributiontomanyreceivers', 'recordedpairs'])
      expect(mixed).toContain(shown);
    for (const other of ['Levels', 'bylikelihood', 'poisoning', 'prices']) expect(mixed).not.toContain(other);
    expect(await annex(['nothing'])).not.toContain('Methodandknown');
  });

  it.skipIf(missingReader)('never leave what was not tested alone on a page', async () => {
    const info = { title: 'x', language: 'en', madeAt: 0, footer: '' } as const;
    for (let left = 60; left < 400; left += 12) {
      const pdf = openPdf(info);
      const outline = pdfHeading(pdf, 1, 'x');
      pdf.y = pdf.page.height - pdf.page.margins.bottom - left;
      accuracySection({ pdf, words: WORDS.en.report, language: 'en', outline }, new Set(['attribution', 'prices']));
      const pages = rawTextOf(await closePdf(pdf, info)).split('\f');
      const page = pages.find((one) => one.includes('Not tested: prices'));
      expect(page, String(left)).toContain('Attribution: cash-outs');
    }
  });

  it('are those of what its answers rest on', () => {
    const entity = { basis: 'co_spent', evidence: { basis: 'same_key' } };
    const detections = [{ detector_id: 'fan_out' }, { detector_id: 'address_poisoning' }];
    const scan = { detections, metadata: { entity } };
    const bridge = (match: string | null) => ({ from: 'a', to: 'b', bridge: { match } });
    const sent = {
      rows: [{ usd: 5, path: [], address: 'coinjoin:ab', deposits: [] }],
      flows: [bridge('likely'), bridge(null)],
    };
    expect([...rulesUsed([{ scan, funds: null }] as never, sent as never)].sort()).toEqual(
      [
        'attribution',
        'bridge_likely',
        'co_spending',
        'coinjoin',
        'deposits',
        'levels',
        'poisoning',
        'prices',
        'same_key',
        'typology:fan_out',
      ].sort(),
    );
    expect(rulesUsed([{ scan: null, funds: null }] as never).size).toBe(0);
  });
});

import { expect, it } from 'vitest';
import { changeNodes } from '../../console/scene/edits.ts';
import { boardPages, drawBoard } from '../../reports/board-picture.ts';
import { closePdf, openPdf, spaceLeft } from '../../reports/pdf/document.ts';
import { nameParties } from '../../reports/story/parties.ts';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { shownOf } from '../../src/domain/scene/shown.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { WORDS } from '../../words/words.ts';
import { flowOf, key, moved, sceneOf } from '../console/scene/scenes.ts';
import { missingReader, rawTextOf } from './pdf-text.ts';

const info = { title: 'Case', language: 'en', madeAt: 0, footer: '{page} of {pages}' } as const;

async function pagesOf(scenes: Scene[], total = scenes.length): Promise<string[]> {
  const shown = scenes.map((scene, i) => ({
    title: `Board ${i + 1}`,
    ...{ version: 3, saved_at: '2026-09-01T00:00:00Z', saved_by: 'Ana', scene },
  }));
  const input = { language: 'en', money: null, addresses: [], boards: { shown, total } } as never as CaseReportInput;
  const pdf = openPdf(info);
  boardPages({ pdf, words: WORDS.en.report, language: 'en', outline: pdf.outline }, input, nameParties(input));
  return rawTextOf(await closePdf(pdf, info))
    .split('\f')
    .slice(0, -1);
}

const flows = [
  flowOf('a', 'b', [moved(1, 900)], { share: 0.9 }),
  flowOf('a', 'secret', [moved(1, 100)], { share: 0.1 }),
];
const named = [{ key: key('b'), label: '<b>Meridian</b>', category: 'exchange' as const }];

it.skipIf(missingReader)(
  'a board is printed as the canvas shows it, with its notes and without what was hidden',
  async () => {
    const drawn = sceneOf('a', flows, named);
    const hidden = changeNodes([key('secret')], { hidden: true })(drawn);
    const scene = changeNodes([key('b')], { note: 'Answered on Monday' })(hidden);
    const [, picture = '', notes = '', ...rest] = await pagesOf([scene]);
    expect(picture).toContain('Board: Board 1');
    expect(picture).toContain('Version 3, saved 2026-09-01');
    expect(picture).toContain(WORDS.en.story.boardPart);
    for (const text of ['<b>Meridian</b>', 'Ethereum · exchange', '900.00 USD · 90', '2 of 3'])
      expect(picture).toContain(text);
    expect(picture).not.toContain('secret');
    expect(notes).toContain('<b>Meridian</b>: Answered on Monday');
    expect(rest).toEqual([]);
  },
);

it.skipIf(missingReader)('a report says how many boards it leaves out', async () => {
  const pages = await pagesOf([sceneOf('a', flows), sceneOf('a', [])], 12);
  expect(pages).toHaveLength(4);
  expect(pages.at(-1)).toContain('Of 12 boards the 2 that were saved last are printed.');
});

it.skipIf(missingReader)(
  'a board that is too wide to be read on one page is printed in parts too, each card whole on one',
  async () => {
    const names = Array.from({ length: 20 }, (_, n) => `w${String(n).padStart(2, '0')}`);
    const way = names.slice(1).map((to, n) => flowOf(names[n] as string, to, [moved(n + 1, 100)]));
    const labels = names.map((name) => ({ key: key(name), label: `Wallet ${name}`, category: 'unknown' as const }));
    const [, whole = '', ...others] = await pagesOf([sceneOf('w00', way, labels)]);
    // The page behind them is that of what follows.
    const parts = others.slice(0, -1);
    expect(whole).toContain('Board: Board 1');
    expect(parts.length).toBeGreaterThan(3);
    parts.forEach((page, n) => {
      expect(page).toContain(`Board 1, part ${n + 1} of ${parts.length}`);
    });
    for (const name of names) expect(parts.join('')).toContain(`Wallet ${name}`);
  },
);

it('a board is drawn in no parts on a page with less room than a card takes', () => {
  const pdf = openPdf(info);
  pdf.y += spaceLeft(pdf) - 20;
  const input = { language: 'en', money: null, addresses: [] } as never as CaseReportInput;
  const scene = sceneOf('a', flows);
  let parts = 0;
  drawBoard({ pdf, words: WORDS.en.report, language: 'en', outline: pdf.outline }, scene, {
    ...{ shown: shownOf(scene), parties: nameParties(input), figure: (draw: () => void) => draw() },
    turnPage: () => parts++,
  });
  expect(parts).toBe(0);
});

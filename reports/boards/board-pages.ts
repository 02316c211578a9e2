import { EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { shownOf } from '../../src/domain/scene/shown.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { FORMS, grouped, moment } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { WORDS } from '../../words/words.ts';
import { bullets, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { forcePage, tag } from '../pdf/document.ts';
import type { Section } from '../sections/section.ts';
import type { Parties } from '../story/parties.ts';
import { drawBoard } from './board-picture.ts';

/** Notes on addresses that are printed of one board. */
const NOTES_MAX = 100;

/** The boards of the case, each as a picture on a page of its own, then the notes on their addresses. */
export function boardPages(section: Section, { boards }: CaseReportInput, parties: Parties): void {
  if (!boards || boards.shown.length === 0) return;
  const { pdf, language } = section;
  const say = WORDS[language].story;
  for (const { title, version, saved_at, saved_by, scene } of boards.shown) {
    forcePage(pdf, 'landscape');
    pdfHeading(pdf, 2, fill(say.boardTitle, { title }));
    const facts = { version: String(version), at: moment(saved_at, language), author: saved_by };
    const isWhole = showsAll(scene) ? '' : ` ${say.boardPart}`;
    pdfParagraph(pdf, fill(say.boardFacts, facts) + isWhole, { faint: true });
    const shown = shownOf(scene);
    const counts = { nodes: grouped(shown.nodes.length, language), flows: grouped(shown.edges.length, language) };
    const alt = fill(say.boardAlt, { title, ...counts });
    const turnPage = (part: number, parts: number) => {
      forcePage(pdf, 'landscape');
      const texts = { title, part: grouped(part, language), parts: grouped(parts, language) };
      pdfParagraph(pdf, fill(say.boardPartOf, texts), { faint: true });
    };
    drawBoard(section, scene, { shown, parties, turnPage, figure: (draw) => tag(pdf, 'Figure', draw, { alt }) });
  }
  forcePage(pdf);
  for (const { title, scene } of boards.shown) {
    const notes = scene.nodes.filter(({ hidden, note }) => !hidden && note);
    if (notes.length === 0) continue;
    pdfHeading(pdf, 3, FORMS[language].labelled(say.boardNotes, title));
    bullets(
      pdf,
      notes
        .slice(0, NOTES_MAX)
        .map(({ chain, address, label, note }) => `${label ?? parties.nameOf(chain, address)}: ${note}`),
    );
  }
  const counts = { count: grouped(boards.total, language), shown: grouped(boards.shown.length, language) };
  if (boards.total > boards.shown.length) pdfParagraph(pdf, fill(say.boardsMax, counts), { faint: true });
}

function showsAll({ nodes, filters }: Scene): boolean {
  return nodes.every(({ hidden }) => !hidden) && JSON.stringify(filters) === JSON.stringify({ ...EMPTY_SCENE.filters });
}

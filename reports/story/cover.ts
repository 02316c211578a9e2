import { chainName, explorerLink } from '../../src/domain/chain.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { WORDS } from '../../words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { asArtifact, CONTENT_WIDTH, forcePage, INK, PAGE, tag, use } from '../pdf/document.ts';
import { phrased } from '../pdf/phrased.ts';
import { pdfTable } from '../pdf/table.ts';
import type { Section } from '../sections/section.ts';
import { dayText } from '../sections/texts.ts';
import { fullName, type Parties } from './parties.ts';

/** Names that the cover explains; the appendix has all of them. */
const KEYS_MAX = 14;
const SIGNATURE = { height: 44, gap: 30 };

/** Names who made the report, with lines to sign on and what its short names stand for; notes stand before those. Without names the story begins below. */
export function coverPage(
  section: Section,
  input: CaseReportInput,
  parties: Parties,
  { title, notes = [] }: { title: string; notes?: readonly string[] },
): void {
  const { pdf, language, words } = section;
  const say = WORDS[language].story;
  const { case: record, organisation, declaration } = input;
  pdf.y += 40;
  const outline = pdfHeading(pdf, 1, title);
  pdfFacts(section, [
    ...(organisation ? [{ name: say.organisation, value: organisation }] : []),
    { name: say.caseNumber, value: record.id },
    { name: say.author, value: input.author },
    ...(record.assignee ? [{ name: say.assignee, value: record.assignee }] : []),
    { name: words.made, value: dayText(input.madeAt, language) },
  ]);
  for (const note of notes) pdfParagraph(pdf, note, { faint: true });
  pdfHeading(pdf, 2, say.declarationTitle, outline);
  pdfParagraph(pdf, declaration ?? say.declaration);
  signatures(section, [fill(say.signedBy, { name: input.author }), say.checkedBy]);
  const named = parties.all.slice(0, KEYS_MAX);
  if (named.length > 0) {
    pdfHeading(pdf, 2, say.keyTitle, outline);
    pdfTable(
      pdf,
      [
        { title: say.shortName, width: 0.13 },
        { title: say.fullName, width: 0.32 },
        { title: words.chain, width: 0.13 },
        { title: words.address, width: 0.42, mono: true },
      ],
      named.map((party) => [
        party.code,
        fullName(party, language) ?? say.noName,
        chainName(party.chain),
        { text: party.address, link: explorerLink(party.chain, 'address', party.address) },
      ]),
    );
    const rest = parties.all.length - named.length;
    if (rest > 0) pdfParagraph(pdf, fill(say.moreKeys, { count: grouped(rest, language) }), { faint: true });
    forcePage(pdf);
  }
}

/** Lines to sign on, side by side, each over what it is for. */
function signatures({ pdf }: Section, names: readonly string[]): void {
  const width = (CONTENT_WIDTH - SIGNATURE.gap * (names.length - 1)) / names.length;
  const y = pdf.y + SIGNATURE.height;
  names.forEach((name, n) => {
    const x = PAGE.margin + n * (width + SIGNATURE.gap);
    asArtifact(pdf, () => {
      pdf
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.7)
        .stroke(INK.text);
    });
    use(pdf, 'regular', 8, INK.faint);
    tag(pdf, 'P', () => pdf.text(phrased(pdf, name, width), x, y + 3, { width }));
  });
  pdf.x = PAGE.margin;
  pdf.y = y + 30;
}

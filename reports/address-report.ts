import { chainName } from '../src/domain/chain.ts';
import type { AddressReportInput } from '../src/questions/cases/report/gather-address-report.ts';
import { FORMS, moment } from '../words/figures.ts';
import { WORDS } from '../words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from './pdf/blocks.ts';
import { drawPdf, type Pdf } from './pdf/document.ts';
import { accuracySection, rulesUsed } from './sections/accuracy.ts';
import { counterpartiesTable } from './sections/counterparties.ts';
import { coverageSection, listSection, methodSection } from './sections/coverage.ts';
import { findingsOfScan, suppressedSection } from './sections/findings.ts';
import { holderMoneySection, holdersSection } from './sections/holders.ts';
import { activityFacts, identitySection, labelsSection, summarySection } from './sections/identity.ts';
import { moneySection, patternsSection } from './sections/money.ts';
import type { Section } from './sections/section.ts';

const ENDS_MAX = 12;
const EVIDENCE_MAX = 50;
const COUNTERPARTIES_MAX = 20;

/** The PDF about one address: its level with what that rests on, its money, what was looked at. */
export async function renderAddressReport(input: AddressReportInput): Promise<Buffer> {
  const { language } = input;
  const words = WORDS[language].report;
  const info = {
    title: FORMS[language].labelled(words.title, `${chainName(input.chain)} ${input.address}`),
    language,
    madeAt: Date.parse(input.madeAt),
    footer: `${chainName(input.chain)} ${input.address}   ${moment(input.madeAt, language)}   ${words.page}`,
  };
  return drawPdf(info, (pdf) => drawAddress(pdf, input));
}

function drawAddress(pdf: Pdf, input: AddressReportInput): void {
  const { language, scan } = input;
  const words = WORDS[language].report;
  const outline = pdfHeading(pdf, 1, words.title);
  const section: Section = { pdf, words, language, outline };
  identitySection(section, input, [{ name: words.made, value: moment(input.madeAt, language) }]);
  if (scan) pdfFacts(section, activityFacts(section, scan));
  summarySection(section, input);
  labelsSection(section, input);
  if (scan) {
    const findings = { ...section, outline: pdfHeading(pdf, 2, words.findings, outline) };
    findingsOfScan(findings, scan, {
      dispositions: [],
      evidence: EVIDENCE_MAX,
      characters: Number.POSITIVE_INFINITY,
      inFull: true,
    });
    suppressedSection(findings, scan);
  }
  const money = { ...section, outline: pdfHeading(pdf, 2, WORDS[language].story.money, outline) };
  if (input.exposure)
    pdfParagraph(pdf, words.reach.replace('{hops}', String(input.exposure.max_hops)), { faint: true });
  moneySection(money, input, { rowsMax: ENDS_MAX, withWays: true });
  patternsSection(money, input);
  holderMoneySection(section, input, ENDS_MAX);
  if (scan && scan.top_counterparties.length > 0) {
    pdfHeading(pdf, 2, words.counterparties, outline);
    counterpartiesTable(section, scan, input, { max: COUNTERPARTIES_MAX });
  }
  coverageSection(section, input);
  listSection(section, input.lists);
  methodSection(section);
  holdersSection(section, input.holder ? [input.holder] : []);
  accuracySection(section, rulesUsed([input]));
}

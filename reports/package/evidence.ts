import { chainName, explorerLink } from '../../src/domain/chain.ts';
import {
  PACKAGE_FILES,
  type PackageFile,
  type PackageInputs,
} from '../../src/questions/cases/report-package/package-inputs.ts';
import type { PackageWords } from '../../words/en/reports.ts';
import { FORMS, grouped, moment } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { WORDS } from '../../words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { drawPdf } from '../pdf/document.ts';
import { pdfTable } from '../pdf/table.ts';
import { roomOf } from '../sections/room.ts';
import type { Section } from '../sections/section.ts';
import { appendices } from '../story/appendices.ts';
import { caseSections } from '../story/case-sections.ts';
import { coverPage } from '../story/cover.ts';
import { pageOne } from '../story/page-one.ts';
import { nameParties } from '../story/parties.ts';

interface Evidence extends Section {
  say: PackageWords;
  inputs: PackageInputs;
}

/**
 * The evidence report of a package as PDF: the report of the case with its transfers and the digests of the package.
 * `simple` leaves out what is drawn. The same inputs and files give the same bytes.
 */
export async function renderEvidence(
  inputs: PackageInputs,
  files: readonly PackageFile[],
  { simple }: { simple: boolean },
): Promise<Buffer> {
  const { language, report, generationId } = inputs;
  const words = WORDS[language].report;
  const say = WORDS[language].packageWords;
  const info = {
    title: FORMS[language].labelled(say.title, report.case.title),
    language,
    madeAt: Date.parse(report.madeAt),
    footer: `${generationId}   ${moment(report.madeAt, language)}   ${words.page}`,
  };
  const parties = nameParties(report);
  const room = roomOf(report);
  const notes = [say.confidential, ...(simple ? [say.simple] : [])];
  return drawPdf(info, (pdf) => {
    const section: Evidence = { pdf, words, language, outline: pdf.outline, say, inputs };
    coverPage(section, report, parties, { title: info.title, notes });
    pageOne(section, report, parties, { title: report.case.title, simple });
    caseSections(section, report, parties, room);
    transactions(section);
    appendices(section, report, parties, room);
    integrity(section, files);
    glossary(section);
  });
}

function transactions(section: Evidence): void {
  const { pdf, words, language, say, inputs } = section;
  const { totals } = inputs;
  pdfHeading(pdf, 2, say.transactions);
  pdfParagraph(pdf, fill(say.transactionsNote, { rows: grouped(totals.rows, language) }));
  pdfFacts(section, [
    { name: say.first, value: moment(totals.firstAt, language) },
    { name: say.last, value: moment(totals.lastAt, language) },
    { name: say.received, value: `${grouped(totals.inUsd, language)} USD` },
    { name: say.sent, value: `${grouped(totals.outUsd, language)} USD` },
    ...(totals.unpriced > 0 ? [{ name: say.unpriced, value: grouped(totals.unpriced, language) }] : []),
  ]);
  if (totals.cutAddresses.length > 0) {
    pdfParagraph(pdf, fill(say.cut, { addresses: totals.cutAddresses.join(FORMS[language].comma) }));
  }
  if (totals.truncated) pdfParagraph(pdf, say.truncated);
  if (totals.largest.length === 0) return;
  pdfHeading(pdf, 3, say.largest);
  pdfTable(
    pdf,
    [
      { title: say.row, width: 0.06 },
      { title: words.time, width: 0.16 },
      { title: `${words.from} / ${words.to} / ${words.chain} / ${words.transaction}`, width: 0.62, mono: true },
      { title: words.amount, width: 0.16, align: 'right' },
    ],
    totals.largest.map((one) => [
      String(one.rowNo),
      moment(one.at, language),
      {
        text: `${one.from}\n${one.to}\n${chainName(one.chain)}\n${one.txHash}`,
        link: explorerLink(one.chain, 'tx', one.txHash),
      },
      `${grouped(one.amount, language)} ${one.asset}\n${grouped(one.usd, language)} USD`,
    ]),
  );
}

function integrity(section: Evidence, files: readonly PackageFile[]): void {
  const { pdf, language, say, inputs } = section;
  const { from, to } = inputs;
  const period =
    from === null && to === null ? say.wholeHistory : `${moment(from, language)} – ${moment(to, language)}`;
  pdfHeading(pdf, 2, say.integrity);
  pdfFacts(section, [
    { name: say.generation, value: inputs.generationId },
    { name: say.asOf, value: moment(inputs.report.madeAt, language) },
    { name: say.period, value: period },
    { name: say.engine, value: `traceflow ${inputs.engineVersion}` },
    { name: WORDS[language].report.ruleSet, value: inputs.ruleSetVersion },
  ]);
  pdfParagraph(pdf, say.integrityNote);
  pdfParagraph(pdf, inputs.timestamped ? say.stampedClock : say.ownClock);
  if (files.some(({ name }) => name === PACKAGE_FILES.proofs)) pdfParagraph(pdf, say.proofsNote);
  pdfTable(
    pdf,
    [
      { title: say.file, width: 0.2 },
      { title: 'SHA-256', width: 0.65, mono: true },
      { title: say.bytes, width: 0.15, align: 'right' },
    ],
    files.map(({ name, sha256, bytes }) => [name, sha256, grouped(bytes, language)]),
  );
}

function glossary({ pdf, language, say }: Evidence): void {
  pdfHeading(pdf, 2, say.glossary);
  const { term, meaning } = WORDS[language].story;
  pdfTable(
    pdf,
    [
      { title: term, width: 0.25 },
      { title: meaning, width: 0.75 },
    ],
    say.glossaryTerms.map(([name = '', value = '']) => [name, value]),
  );
}

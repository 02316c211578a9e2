import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { PackageFile, PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import { SEVERITIES } from '../../src/risk/detection.ts';
import type { PackageWords } from '../../src/words/en/reports/package.ts';
import { grouped, moment } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import { WORDS } from '../../src/words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { closePdf, openPdf } from '../pdf/document.ts';
import { pdfTable } from '../pdf/table.ts';
import { methodSection, writeAddress } from '../sections/address-sections.ts';
import { dismissalOf } from '../sections/dismissal.ts';
import { dispositionTable } from '../sections/disposition-table.ts';
import { confirmedSection, crossingsSection } from '../sections/exposure-sections.ts';
import { leftOutAddresses } from '../sections/left-out.ts';
import { type Room, roomOf } from '../sections/room.ts';
import { findingsSection } from '../sections/scan-sections.ts';
import type { Section } from '../sections/section.ts';
import { tracedByScan, tracedColumn } from '../sections/traced-shares.ts';

const STRONGEST = 5;

interface Evidence extends Section {
  say: PackageWords;
  inputs: PackageInputs;
}

/** The evidence report of a package as PDF. The same inputs and files give the same bytes. */
export async function renderEvidence(
  inputs: PackageInputs,
  files: readonly PackageFile[],
  { simple }: { simple: boolean },
): Promise<Buffer> {
  const { language, report, generationId } = inputs;
  const words = WORDS[language].report;
  const say = WORDS[language].package;
  const info = {
    title: `${say.title}: ${report.case.title}`,
    madeAt: Date.parse(report.madeAt),
    footer: `${generationId}   ${moment(report.madeAt, language)}   ${words.page}`,
  };
  const pdf = openPdf(info);
  const section: Evidence = { pdf, words, language, outline: pdf.outline, say, inputs };
  cover(section, simple);
  conclusion(section);
  confirmedSection(section, report.confirmed);
  transactions(section);
  const room = roomOf(report);
  for (const address of report.addresses) {
    pdf.addPage();
    const { record, dispositions } = address;
    if (simple) simpleAddress(section, address, room);
    else writeAddress(pdf, address.report, `${record.chain} ${record.address}`, dispositions, room);
    dispositionTable(section, dispositions, room);
  }
  pdf.addPage();
  methodSection(section);
  integrity(section, files);
  glossary(section);
  return closePdf(pdf, info);
}

function cover({ pdf, words, language, say, inputs }: Evidence, simple: boolean): void {
  const { report, from, to } = inputs;
  const period =
    from === null && to === null ? say.wholeHistory : `${moment(from, language)} – ${moment(to, language)}`;
  pdfHeading(pdf, 1, say.title);
  pdfFacts(pdf, [
    { name: say.caseId, value: report.case.title },
    { name: `${say.caseId} (id)`, value: report.case.id, mono: true },
    { name: say.generation, value: inputs.generationId, mono: true },
    { name: say.asOf, value: moment(report.madeAt, language) },
    { name: say.period, value: period },
    { name: say.engine, value: `traceflow ${inputs.engineVersion}` },
    { name: words.ruleSet, value: inputs.ruleSetVersion },
    ...report.addresses.map(({ record }) => ({
      name: `${words.address} (${record.chain}, ${WORDS[language].cases.roles[record.role]})`,
      value: record.address,
      mono: true,
    })),
  ]);
  pdfParagraph(pdf, say.confidential);
  if (simple) pdfParagraph(pdf, say.simple);
}

function conclusion({ pdf, words, language, say, inputs, outline }: Evidence): void {
  pdfHeading(pdf, 2, say.conclusion, outline);
  const { addresses } = inputs.report;
  pdfTable(
    pdf,
    [
      { title: words.address, width: 0.4, mono: true },
      { title: words.chain, width: 0.11 },
      { title: words.role, width: 0.125 },
      { title: words.level, width: 0.115 },
      { title: words.score, width: 0.1, align: 'right' },
      { title: words.traced, width: 0.15, align: 'right' },
    ],
    addresses.map(({ record, report: { scan } }) => [
      record.address,
      record.chain,
      WORDS[language].cases.roles[record.role],
      scan?.risk_level ?? '–',
      scan ? String(scan.risk_score) : '–',
      tracedColumn(scan),
    ]),
  );
  pdfParagraph(pdf, words.tracedNote, { faint: true });
  if (inputs.report.others?.length) pdfParagraph(pdf, leftOutAddresses(words, inputs.report));
  const strongest = strongestFindings(inputs.report).slice(0, STRONGEST);
  if (strongest.length === 0) {
    pdfParagraph(pdf, words.noFindings);
    return;
  }
  pdfHeading(pdf, 3, say.strongest, outline);
  for (const { address, detection } of strongest) {
    const { detector_name: name, severity, description } = detection;
    pdfFacts(pdf, [{ name: words.address, value: address, mono: true }]);
    pdfParagraph(pdf, fill(words.finding, { name, severity }));
    pdfParagraph(pdf, description);
  }
}

/** The detections of all addresses that no analyst dismissed, gravest first, in the order of the case. */
export function strongestFindings({ addresses }: CaseReportInput) {
  return addresses
    .flatMap(({ record, report, dispositions }) =>
      (report.scan?.detections ?? [])
        .filter((detection) => !dismissalOf(detection, dispositions))
        .map((detection) => ({ address: record.address, detection })),
    )
    .sort((a, b) => SEVERITIES.indexOf(b.detection.severity) - SEVERITIES.indexOf(a.detection.severity));
}

function transactions({ pdf, words, language, say, inputs, outline }: Evidence): void {
  const { totals } = inputs;
  pdfHeading(pdf, 2, say.transactions, outline);
  pdfParagraph(pdf, fill(say.transactionsNote, { rows: grouped(totals.rows) }));
  pdfFacts(pdf, [
    { name: say.first, value: moment(totals.firstAt, language) },
    { name: say.last, value: moment(totals.lastAt, language) },
    { name: say.received, value: `${grouped(totals.inUsd)} USD` },
    { name: say.sent, value: `${grouped(totals.outUsd)} USD` },
    { name: say.unpriced, value: grouped(totals.unpriced) },
  ]);
  if (totals.cutAddresses.length > 0) {
    pdfParagraph(pdf, fill(say.cut, { addresses: totals.cutAddresses.join(', ') }));
  }
  if (totals.truncated) pdfParagraph(pdf, say.truncated);
  if (totals.largest.length === 0) return;
  pdfHeading(pdf, 3, say.largest, outline);
  pdfTable(
    pdf,
    [
      { title: say.row, width: 0.07, align: 'right' },
      { title: words.time, width: 0.11 },
      { title: `${words.chain} / ${words.transaction}`, width: 0.24, mono: true },
      { title: words.from, width: 0.2, mono: true },
      { title: words.to, width: 0.2, mono: true },
      { title: words.amount, width: 0.18, align: 'right' },
    ],
    totals.largest.map((one) => [
      String(one.rowNo),
      moment(one.at, language),
      `${one.chain}\n${one.txHash}`,
      one.from,
      one.to,
      `${grouped(one.amount)} ${one.asset}\n${grouped(one.usd)} USD`,
    ]),
  );
}

/** What the scan and the paths of money say, without what is drawn. */
function simpleAddress(
  section: Evidence,
  { record, dispositions, report: { scan, exposure } }: CaseReportInput['addresses'][number],
  room: Room,
): void {
  const { pdf, words, language } = section;
  const outline = pdfHeading(pdf, 1, `${record.chain} ${record.address}`);
  if (scan) {
    pdfFacts(pdf, [
      { name: words.scanned, value: moment(scan.created_at, language) },
      { name: words.level, value: scan.risk_level },
      ...tracedByScan(section, scan),
      { name: words.score, value: fill(words.outOf, { score: scan.risk_score }) },
    ]);
    findingsSection({ ...section, outline }, scan, dispositions, room);
  } else {
    pdfParagraph(pdf, words.neverScanned);
  }
  if (exposure) crossingsSection({ ...section, outline }, exposure);
}

function integrity({ pdf, say, outline }: Evidence, files: readonly PackageFile[]): void {
  pdfHeading(pdf, 2, say.integrity, outline);
  pdfParagraph(pdf, say.integrityNote);
  pdfTable(
    pdf,
    [
      { title: say.file, width: 0.2 },
      { title: 'SHA-256', width: 0.65, mono: true },
      { title: say.bytes, width: 0.15, align: 'right' },
    ],
    files.map(({ name, sha256, bytes }) => [name, sha256, grouped(bytes)]),
  );
}

function glossary({ pdf, say, outline }: Evidence): void {
  pdfHeading(pdf, 2, say.glossary, outline);
  pdfFacts(
    pdf,
    say.glossaryTerms.map(([name = '', value = '']) => ({ name, value })),
  );
}

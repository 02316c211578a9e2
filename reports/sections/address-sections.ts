import { dayOf, iso } from '../../src/domain/time.ts';
import type { DispositionRecord } from '../../src/questions/cases/dispositions.ts';
import type { AddressReportInput } from '../../src/questions/cases/report/gather-address-report.ts';
import { grouped, moment, usd } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import { WORDS } from '../../src/words/words.ts';
import { bullets, pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import type { Pdf } from '../pdf/document.ts';
import { pdfTable } from '../pdf/table.ts';
import { drawTimeline } from '../pdf/timeline.ts';
import { describeEnd } from './describe-bridge.ts';
import { exposureSection, terminalsSection } from './exposure-sections.ts';
import { type Room, UNBOUNDED } from './room.ts';
import {
  counterpartiesSection,
  coverageFacts,
  findingsSection,
  levelBasis,
  scoreSection,
  subjectSection,
  suppressedSection,
} from './scan-sections.ts';
import { type Section, wordFor } from './section.ts';
import { reachFacts, tracedByScan } from './traced-shares.ts';

/** All sections of one address below one heading; a finding that was dismissed in its case says so. */
export function writeAddress(
  pdf: Pdf,
  input: AddressReportInput,
  title: string,
  dispositions: readonly DispositionRecord[] = [],
  room: Room = UNBOUNDED,
): void {
  const { language, scan, exposure, funds, terminals } = input;
  const words = WORDS[language].report;
  const outline = pdfHeading(pdf, 1, title);
  const section: Section = { pdf, words, language, outline };
  pdfFacts(pdf, [
    { name: words.address, value: input.address, mono: true },
    { name: words.chain, value: input.chain },
    { name: words.made, value: moment(input.madeAt, language) },
    ...(scan
      ? [
          { name: words.scanned, value: moment(scan.created_at, language) },
          { name: words.ruleSet, value: scan.rule_set_version },
          { name: words.level, value: scan.risk_level },
          ...levelBasis(section, scan),
          ...tracedByScan(section, scan),
          { name: words.score, value: fill(words.outOf, { score: scan.risk_score }) },
        ]
      : []),
  ]);
  if (isDecidedSince(input)) pdfParagraph(pdf, words.decidedSince);
  labelSection(section, input);
  if (scan) {
    summarySection(section, input);
    subjectSection(section, scan);
    scoreSection(section, scan);
    findingsSection(section, scan, dispositions, room);
    suppressedSection(section, scan);
  } else {
    pdfParagraph(pdf, words.neverScanned);
  }
  if (exposure && funds) exposureSection(section, { scan, exposure, funds });
  else pdfParagraph(pdf, words.exposureOmitted);
  if (terminals) terminalsSection(section, terminals);
  else pdfParagraph(pdf, words.terminalsOmitted);
  if (scan) counterpartiesSection(section, scan, input.parties);
  timelineSection(section, input);
  coverageSection(section, input);
  listSection(section, input);
}

/** Whether the account decided on a likely match on the ways of the money after the scan. */
function isDecidedSince({ scan, decidedAt }: AddressReportInput): boolean {
  return scan !== null && decidedAt !== null && Date.parse(decidedAt) > Date.parse(scan.created_at);
}

/** What the address itself is listed as: the first thing that a reader must know. */
function labelSection(section: Section, { labels }: AddressReportInput): void {
  if (labels.length === 0) return;
  const { pdf, words, outline } = section;
  pdfHeading(pdf, 2, words.ownLabels, outline);
  pdfTable(
    pdf,
    [
      { title: words.category, width: 0.2 },
      { title: words.label, width: 0.4 },
      { title: words.labelSource, width: 0.2 },
      { title: words.since, width: 0.1 },
      { title: words.until, width: 0.1 },
    ],
    labels.map(({ category, label, source, validFrom, validTo }) => [
      wordFor(section, category),
      label,
      source,
      validFrom === null ? '–' : dayOf(validFrom),
      validTo === null ? '–' : dayOf(validTo),
    ]),
  );
}

function listSection({ pdf, words, outline }: Section, { lists }: AddressReportInput): void {
  if (!lists) return;
  pdfHeading(pdf, 2, words.lists, outline);
  if (lists.length === 0) pdfParagraph(pdf, words.none);
  else {
    pdfTable(
      pdf,
      [
        { title: words.listName, width: 0.5 },
        { title: words.entries, width: 0.2, align: 'right' },
        { title: words.asOf, width: 0.3 },
      ],
      lists.map(({ source, entries, as_of }) => [source, grouped(entries), as_of]),
    );
  }
}

function summarySection({ pdf, words, outline }: Section, { summary }: AddressReportInput): void {
  if (!summary) return;
  pdfHeading(pdf, 2, words.summary, outline);
  pdfParagraph(pdf, summary.summary);
  pdfParagraph(pdf, summary.source === 'model' ? words.writtenByModel : words.writtenByRules, { faint: true });
}

function timelineSection({ pdf, words, language, outline }: Section, { scan, exposure }: AddressReportInput): void {
  const spans = (scan?.detections ?? []).flatMap(({ detector_name, details: { window } }) =>
    window ? [{ title: detector_name, from: Date.parse(window.from), to: Date.parse(window.to) }] : [],
  );
  const hops = [...(exposure?.direct ?? []), ...(exposure?.indirect ?? [])].flatMap(({ top }) =>
    top.flatMap(({ path }) => path.map(({ at }) => Date.parse(at))),
  );
  if (spans.length + hops.length === 0) return;
  pdfHeading(pdf, 2, words.timeline, outline);
  pdfParagraph(pdf, words.timelineNote, { faint: true });
  drawTimeline(pdf, spans, [...new Set(hops)], (at) => moment(iso(at), language));
}

function coverageSection(section: Section, report: AddressReportInput): void {
  const { scan, exposure } = report;
  const { pdf, words, language, outline } = section;
  pdfHeading(pdf, 2, words.coverage, outline);
  pdfFacts(pdf, [...(scan ? coverageFacts(section, scan) : []), ...reachFacts(section, report)]);
  // The name of a field of the API says nothing to the reader of a report.
  if (exposure?.note) pdfParagraph(pdf, exposure.note.replace(/ ?[(（]max_hops[)）]/, ''));
  const frontier = exposure?.coverage.frontier ?? [];
  if (frontier.length === 0) return;
  pdfHeading(pdf, 3, words.frontier, outline);
  const count = exposure?.coverage.frontier_count ?? frontier.length;
  if (count > frontier.length) {
    pdfParagraph(pdf, fill(words.shownOf, { shown: frontier.length, count }), { faint: true });
  }
  pdfTable(
    pdf,
    [
      { title: words.address, width: 0.4, mono: true },
      { title: words.direction, width: 0.1 },
      { title: words.hops, width: 0.08, align: 'right' },
      { title: words.amount, width: 0.15, align: 'right' },
      { title: words.reason, width: 0.27 },
    ],
    frontier.map((end) => [
      end.chain === exposure?.chain ? end.address : `${end.chain}\n${end.address}`,
      words[end.direction],
      String(end.hop),
      usd(end.usd),
      describeEnd(end.reason, language, end.bridge),
    ]),
  );
}

export function methodSection({ pdf, words, outline }: Section): void {
  pdfHeading(pdf, 2, words.method, outline);
  bullets(pdf, words.methodNotes);
}

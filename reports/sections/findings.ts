import { type Chain, chainName, explorerLink } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import type { DispositionRecord } from '../../src/questions/cases/dispositions.ts';
import type { ScanAnswer } from '../../src/questions/scans/record-scan.ts';
import type { Detection, SuppressedDetection } from '../../src/risk/detection.ts';
import { detectorName } from '../../words/describe.ts';
import { type Figures, FORMS, figureText, grouped, moment, usd } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { lookUp } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';
import { pdfHashes, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { beginning } from './left-out.ts';
import { type Section, sourceText, wordFor } from './section.ts';

/** The part of each finding that a report shows. */
export interface FindingsShown {
  dispositions: readonly DispositionRecord[];
  /** Transfers that each finding names. */
  evidence: number;
  /** Characters of each reason. */
  characters: number;
  /** Also the figures and labels that a finding rests on. */
  inFull: boolean;
  /** Puts the names that a case gives to addresses into a text. */
  named?: (text: string) => string;
}

/** The findings of a scan, each with what analysts judged of it. */
export function findingsOfScan(section: Section, scan: ScanAnswer, shown: FindingsShown): void {
  const { pdf, words } = section;
  if (scan.detections.length === 0) pdfParagraph(pdf, words.noFindings);
  // In a case, what counts in another finding is named behind that unless an analyst judged it.
  const isJudged = (id: string) => shown.dispositions.some((one) => one.detector_id === id && !one.imported);
  const isPrinted = ({ detector_id, details }: Detection) =>
    shown.inFull || !details.counted_in || isJudged(detector_id);
  const printed = scan.detections.filter(isPrinted);
  // Of several by the same detector, with the one that rests on the same transfers.
  const within = groupBy(
    scan.detections.filter((one) => !isPrinted(one)),
    ({ details }) => {
      const alike = printed.filter(({ detector_id }) => detector_id === details.counted_in);
      return alike.find((one) => details.evidence.every((id) => one.details.evidence.includes(id))) ?? alike[0];
    },
  );
  for (const detection of printed)
    finding(section, detection, { ...shown, chain: scan.chain, within: within.get(detection) ?? [] });
}

/** `Pass-through (HIGH)` */
function nameOf({ words, language }: Section, { detector_name: name, severity }: Detection): string {
  return fill(words.finding, { name, severity: WORDS[language].story.levels[severity] });
}

function finding(
  section: Section,
  detection: Detection,
  shown: FindingsShown & { chain: Chain; within: readonly Detection[] },
): void {
  const { pdf, words, language } = section;
  const { detector_id, description, details } = detection;
  const say = WORDS[language].story;
  const lead = nameOf(section, detection);
  const judged = shown.dispositions.find((one) => one.detector_id === detector_id && one.in_force);
  const counted = details.counted_in && fill(words.countedIn, { name: detectorName(details.counted_in, language) });
  const judgement =
    judged &&
    fill(say.judgedBy, {
      judgement: WORDS[language].cases.dispositions[judged.disposition],
      author: judged.author,
      reason: beginning(words, judged.reason, shown.characters, language),
    });
  const names = shown.within.map((one) => nameOf(section, one)).join(FORMS[language].comma);
  const within = names && fill(say.alsoFound, { names });
  const text = [shown.named?.(description) ?? description, counted, within, judgement]
    .filter(Boolean)
    .join(FORMS[language].space);
  pdfParagraph(pdf, text, { lead, keep: details.evidence.length > 0 ? EVIDENCE_LINE : 0 });
  if (shown.inFull) {
    figuresTable(section, detection);
    labelsTable(section, detection);
    waysTable(section, detection, shown.chain);
  }
  evidenceLines(section, detection, shown);
  if (details.truncated && shown.inFull) pdfParagraph(pdf, words.truncated, { faint: true });
}

/** Points of a line of hashes with the note below it. */
export const EVIDENCE_LINE = 26;

/** Transactions of a chain that a finding rests on. */
export function evidenceLines(
  { pdf, language }: Section,
  { details }: Detection,
  { chain, evidence: max, inFull }: { chain: Chain; evidence: number; inFull: boolean },
): void {
  const names = [...new Set(details.evidence.map(hashOf))];
  if (names.length === 0) return;
  pdfHashes(pdf, names.slice(0, max), (hash) => explorerLink(chain, 'tx', hash));
  if (names.length <= max) return;
  const values = { shown: grouped(Math.min(max, names.length), language), count: grouped(names.length, language) };
  const shown = inFull ? WORDS[language].report.shownOf : WORDS[language].story.evidenceShown;
  pdfParagraph(pdf, fill(shown, values), { faint: true });
}

/** The transaction of a transfer; its place in there says nothing to a reader. */
function hashOf(transfer: string): string {
  return transfer.split('#')[0]!;
}

function figuresTable(section: Section, { details: { measured, thresholds } }: Detection): void {
  const { pdf, words, language } = section;
  const names = [...new Set([...Object.keys(measured), ...Object.keys(thresholds)])];
  const cells = names.map((name) => [
    lookUp(WORDS[language].measures, name),
    figure(section, measured, name),
    figure(section, thresholds, name),
  ]);
  // Two figures beside each other: the first half on the left.
  const half = Math.ceil(cells.length / 2);
  const columns = [
    { title: words.measure, width: 0.23 },
    { title: words.measured, width: 0.14, align: 'right' },
    { title: words.threshold, width: 0.115, align: 'right' },
  ] as const;
  pdfTable(
    pdf,
    [...columns, { title: '', width: 0.03 }, ...columns],
    cells.slice(0, half).map((left, row) => [...left, '', ...(cells[half + row] ?? [])]),
  );
}

function labelsTable(section: Section, { details }: Detection): void {
  const { pdf, words } = section;
  pdfTable(
    pdf,
    [
      { title: words.labelsBehind, width: 0.44, mono: true },
      { title: words.category, width: 0.16 },
      { title: words.label, width: 0.22 },
      { title: words.labelSource, width: 0.18 },
    ],
    details.labels.map(({ address, category, label, source }) => [
      address,
      wordFor(section, category),
      label,
      sourceText(section, source),
    ]),
  );
}

function waysTable({ pdf, words, language }: Section, { details }: Detection, ofScan: Chain): void {
  pdfTable(
    pdf,
    [
      { title: words.address, width: 0.395, mono: true },
      { title: words.hops, width: 0.08, align: 'right' },
      { title: words.amount, width: 0.16, align: 'right' },
      { title: words.evidence, width: 0.365, mono: true },
    ],
    (details.ways ?? []).map(({ address, chain, hops, usd: amount, path }) => [
      chain === undefined ? address : `${chainName(chain)}\n${address}`,
      String(hops),
      usd(amount, language),
      // Of a way over a bridge each step is on one of two chains.
      path.map((id) => ({
        text: hashOf(id),
        link: chain === undefined ? explorerLink(ofScan, 'tx', hashOf(id)) : null,
      })),
    ]),
  );
}

/** A value of a figure; empty where the rule does not state it. */
function figure(section: Section, figures: Figures, name: string): string {
  const { language } = section;
  const value = figures[name];
  const levels: Record<string, string> = WORDS[language].story.levels;
  if (typeof value === 'string' && Object.hasOwn(levels, value)) return levels[value]!;
  const forms = {
    comma: FORMS[language].comma,
    moment: (at: string) => moment(at, language),
    word: (code: string) => wordFor(section, code),
    number: FORMS[language].number,
  };
  return figureText(name, value, forms);
}

/** Findings that do not count, with the reason. */
export function suppressedSection({ pdf, words, language, outline }: Section, scan: ScanAnswer): void {
  const suppressed = (scan.metadata.suppressed ?? []) as SuppressedDetection[];
  if (suppressed.length === 0) return;
  pdfHeading(pdf, 3, words.suppressed, outline);
  pdfParagraph(pdf, words.suppressedNote, { faint: true });
  pdfTable(
    pdf,
    [
      { title: words.detectors, width: 0.4 },
      { title: words.severity, width: 0.14 },
      { title: words.reason, width: 0.46 },
    ],
    suppressed.map(({ detector_id, severity, suppressed_by }) => [
      detectorName(detector_id, language),
      WORDS[language].story.levels[severity],
      WORDS[language].coverage.suppressions[suppressed_by],
    ]),
  );
}

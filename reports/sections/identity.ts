import { chainName, explorerLink } from '../../src/domain/chain.ts';
import { dayOf } from '../../src/domain/time.ts';
import type { AddressReportInput } from '../../src/questions/cases/report/gather-address-report.ts';
import type { ScanAnswer } from '../../src/questions/scans/record-scan.ts';
import type { LevelBasis, RiskLevel } from '../../src/risk/detection.ts';
import { groundOf, levelNote } from '../../src/risk/scoring/level-note.ts';
import type { ScanTrace } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { FORMS, grouped, moment } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { WORDS } from '../../words/words.ts';
import { pdfAddress, pdfFacts, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { type Section, sourceText, type Wording, wordFor } from './section.ts';

interface Fact {
  name: string;
  value: string;
}

/** The address in full and its level with what that rests on. */
export function identitySection(section: Section, input: AddressReportInput, also: readonly Fact[] = []): void {
  const { pdf, words } = section;
  const { scan, chain, address } = input;
  pdfAddress(pdf, `${chainName(chain)} ${address}`, explorerLink(chain, 'address', address));
  pdfFacts(section, [...also, ...(scan ? levelFacts(section, scan) : [])]);
  if (!scan) pdfParagraph(pdf, words.neverScanned);
  if (isDecidedSince(input)) pdfParagraph(pdf, words.decidedSince);
}

/** Returns level and what it rests on; how much of the money has a known end is said by the account. */
export function levelFacts({ words, language }: Wording, scan: ScanAnswer): Fact[] {
  const basis = scan.metadata.level_basis as LevelBasis | undefined;
  const note = basis
    ? levelNote(groundOf(basis, scan.metadata.coverage as Parameters<typeof groundOf>[1]), language)
    : null;
  return [
    { name: words.addressType, value: WORDS[language].cases.addressTypes[scan.address_type] },
    {
      name: words.level,
      value: levelText({ words, language }, scan.risk_level, scan.metadata.labels_changed_since as string | undefined),
    },
    ...(basis
      ? [{ name: words.levelBasis, value: [words.bases[basis], ...(note ? [clause(note)] : [])].join(words.between) }]
      : []),
    { name: words.score, value: fill(words.outOf, { score: scan.risk_score }) },
    { name: words.scanned, value: moment(scan.created_at, language) },
  ];
}

/** A level, and since when labels or rules changed that it does not show. */
export function levelText(
  { words, language }: Wording,
  level: RiskLevel,
  changedSince: string | null | undefined,
): string {
  const shown = WORDS[language].story.levels[level];
  return changedSince
    ? FORMS[language].bracketed(shown, fill(words.labelsChanged, { at: moment(changedSince, language) }))
    : shown;
}

/** A sentence as a part of a list. */
function clause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/[.。]$/, '');
}

/** The trace of a scan behind its address; undefined for scans that do not say it. */
export function traceOf(scan: ScanAnswer | null): ScanTrace | undefined {
  return (scan?.metadata.coverage as { trace?: ScanTrace } | undefined)?.trace;
}

/** True where the account decided on a likely match on the ways of the money after the scan. */
function isDecidedSince({ scan, decidedAt }: AddressReportInput): boolean {
  return scan !== null && decidedAt !== null && Date.parse(decidedAt) > Date.parse(scan.created_at);
}

/** The labels of the address itself: the first thing that a reader must know. */
export function labelsSection(section: Section, { labels }: AddressReportInput): void {
  if (labels.length === 0) return;
  const { pdf, words, language } = section;
  const { date } = FORMS[language];
  const day = (at: number | null) => (at === null ? '–' : date(dayOf(at)));
  pdfTable(
    pdf,
    [
      { title: words.ownLabels, width: 0.3 },
      { title: words.label, width: 0.28 },
      { title: words.labelSource, width: 0.18 },
      { title: words.since, width: 0.12 },
      { title: words.until, width: 0.12 },
    ],
    labels.map(({ category, label, source, validFrom, validTo }) => [
      wordFor(section, category),
      label,
      sourceText(section, source),
      day(validFrom),
      day(validTo),
    ]),
  );
}

export function summarySection(
  { pdf, words }: Section,
  { summary }: AddressReportInput,
  { withOrigin = true }: { withOrigin?: boolean } = {},
): void {
  if (!summary) return;
  pdfParagraph(pdf, summary.summary);
  if (withOrigin)
    pdfParagraph(pdf, summary.source === 'model' ? words.writtenByModel : words.writtenByRules, { faint: true });
}

/** Kind, transactions and first and last day, as the scan saw them. */
export function activityFacts({ words, language }: Wording, scan: ScanAnswer): Fact[] {
  const coverage = scan.metadata.coverage as { from: string | null; to: string | null };
  return [
    { name: words.transactions, value: grouped(Number(scan.metadata.total_transactions ?? 0), language) },
    { name: words.firstSeen, value: moment(coverage.from, language) },
    { name: words.lastSeen, value: moment(coverage.to, language) },
    { name: words.ruleSet, value: scan.rule_set_version },
  ];
}

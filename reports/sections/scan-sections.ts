import type { DispositionRecord } from '../../src/questions/cases/dispositions.ts';
import type { KnownParty } from '../../src/questions/cases/report/known-parties.ts';
import type { ScanAnswer } from '../../src/questions/scans/record-scan.ts';
import type { Detection, LevelBasis, ScoreTerm, SuppressedDetection } from '../../src/risk/detection.ts';
import { detectorName } from '../../src/words/describe.ts';
import { type Figures, FORMS, figureText, grouped, moment, usd } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import { lookUp } from '../../src/words/look-up.ts';
import { WORDS } from '../../src/words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { dismissalOf } from './dismissal.ts';
import { beginning, firstRows } from './left-out.ts';
import { type Room, UNBOUNDED } from './room.ts';
import { type Section, wordFor } from './section.ts';

interface ScanCoverage {
  complete: boolean;
  sources: string[];
  transfers: number;
  from: string | null;
  to: string | null;
  reasons: string[];
}

export function subjectSection({ pdf, words, language, outline }: Section, scan: ScanAnswer): void {
  const coverage = scan.metadata.coverage as ScanCoverage;
  pdfHeading(pdf, 2, words.subject, outline);
  pdfFacts(pdf, [
    { name: words.addressType, value: WORDS[language].cases.addressTypes[scan.address_type] },
    { name: words.transactions, value: grouped(Number(scan.metadata.total_transactions ?? 0)) },
    { name: words.firstSeen, value: moment(coverage.from, language) },
    { name: words.lastSeen, value: moment(coverage.to, language) },
  ]);
  const { received, sent } = scan.flow_totals;
  const assets = [...new Set([...Object.keys(received), ...Object.keys(sent)])].sort();
  if (assets.length === 0) return;
  pdfTable(
    pdf,
    [
      { title: words.asset, width: 0.4 },
      { title: words.received, width: 0.3, align: 'right' },
      { title: words.sent, width: 0.3, align: 'right' },
    ],
    assets.map((asset) => [asset, grouped(received[asset] ?? 0), grouped(sent[asset] ?? 0)]),
  );
}

/** The terms from which the score can be computed again. */
export function scoreSection({ pdf, words, language, outline }: Section, scan: ScanAnswer): void {
  const terms = (scan.metadata.score_terms ?? []) as ScoreTerm[];
  if (terms.length === 0) return;
  pdfHeading(pdf, 2, words.scoreTerms, outline);
  pdfTable(
    pdf,
    [
      { title: words.family, width: 0.2 },
      { title: words.weight, width: 0.12, align: 'right' },
      { title: words.strength, width: 0.12, align: 'right' },
      { title: words.detectors, width: 0.56 },
    ],
    terms.map((term) => [
      WORDS[language].cases.families[term.family] ?? term.family,
      String(term.weight),
      String(term.strength),
      term.detections.map((id) => detectorName(id, language)).join(FORMS[language].comma),
    ]),
  );
}

export function findingsSection(
  section: Section,
  scan: ScanAnswer,
  dispositions: readonly DispositionRecord[],
  room: Room = UNBOUNDED,
): void {
  const { pdf, words, outline } = section;
  const entry = pdfHeading(pdf, 2, words.findings, outline);
  if (scan.detections.length === 0) pdfParagraph(pdf, words.noFindings);
  for (const detection of scan.detections) {
    finding({ ...section, outline: entry }, detection, dismissalOf(detection, dispositions), room);
  }
}

function finding(
  section: Section,
  { detector_name, severity, description, details }: Detection,
  dismissal: DispositionRecord | undefined,
  room: Room,
): void {
  const { pdf, words, language, outline } = section;
  pdfHeading(pdf, 3, fill(words.finding, { name: detector_name, severity }), outline);
  if (dismissal) {
    const reason = beginning(words, dismissal.reason, room.characters);
    pdfParagraph(pdf, fill(words.dismissed, { author: dismissal.author, reason }));
  }
  pdfParagraph(pdf, description);
  if (details.counted_in !== undefined) {
    pdfParagraph(pdf, fill(words.countedIn, { name: detectorName(details.counted_in, language) }), {
      faint: true,
    });
  }
  const names = [...new Set([...Object.keys(details.measured), ...Object.keys(details.thresholds)])];
  if (names.length > 0) {
    pdfTable(
      pdf,
      [
        { title: words.measure, width: 0.4 },
        { title: words.measured, width: 0.3, align: 'right' },
        { title: words.threshold, width: 0.3, align: 'right' },
      ],
      names.map((name) => [
        lookUp(WORDS[language].measures, name),
        figure(section, details.measured, name),
        figure(section, details.thresholds, name),
      ]),
    );
  }
  if (details.labels.length > 0) {
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
        source,
      ]),
    );
  }
  if (details.evidence.length > 0) {
    pdfTable(
      pdf,
      [{ title: words.evidence, width: 1, mono: true }],
      firstRows(
        words,
        details.evidence.map((one) => [one]),
        room.evidence,
      ),
    );
  }
  if (details.ways && details.ways.length > 0) {
    pdfTable(
      pdf,
      [
        { title: words.address, width: 0.34, mono: true },
        { title: words.hops, width: 0.08, align: 'right' },
        { title: words.amount, width: 0.16, align: 'right' },
        { title: words.evidence, width: 0.42, mono: true },
      ],
      details.ways.map(({ address, chain, hops, usd: amount, path }) => [
        chain === undefined ? address : `${chain}\n${address}`,
        String(hops),
        usd(amount),
        path.join('\n'),
      ]),
    );
  }
  if (details.truncated) pdfParagraph(pdf, words.truncated, { faint: true });
}

/** What was found and does not count, with the reason. */
export function suppressedSection({ pdf, words, language, outline }: Section, scan: ScanAnswer): void {
  const suppressed = (scan.metadata.suppressed ?? []) as SuppressedDetection[];
  if (suppressed.length === 0) return;
  pdfHeading(pdf, 2, words.suppressed, outline);
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
      severity,
      WORDS[language].coverage.suppressions[suppressed_by],
    ]),
  );
}

/** How much of the history the level rests on; nothing for scans that do not say so. */
export function levelBasis({ words }: Pick<Section, 'words'>, scan: ScanAnswer): { name: string; value: string }[] {
  const basis = scan.metadata.level_basis as LevelBasis | undefined;
  return basis ? [{ name: words.levelBasis, value: words.bases[basis] }] : [];
}

/** A value of a figure; empty where the rule does not state it. */
function figure(section: Section, figures: Figures, name: string): string {
  const { language } = section;
  const forms = {
    comma: FORMS[language].comma,
    moment: (at: string) => moment(at, language),
    word: (code: string) => wordFor(section, code),
  };
  return figureText(name, figures[name], forms);
}

export function counterpartiesSection(section: Section, scan: ScanAnswer, parties: readonly KnownParty[]): void {
  const { pdf, words, language, outline } = section;
  const known = new Map(parties.map((party) => [party.address, party]));
  pdfHeading(pdf, 2, words.counterparties, outline);
  const count = Number(scan.metadata.counterparty_count ?? scan.top_counterparties.length);
  const shown = scan.top_counterparties.length;
  if (count > shown) pdfParagraph(pdf, fill(words.shownOf, { shown, count }), { faint: true });
  pdfTable(
    pdf,
    [
      { title: words.address, width: 0.32, mono: true },
      { title: words.label, width: 0.18 },
      { title: words.category, width: 0.13 },
      { title: words.ownScan, width: 0.14 },
      { title: words.transactions, width: 0.135, align: 'right' },
      { title: words.asset, width: 0.095 },
    ],
    scan.top_counterparties.map((party) => {
      const { label = null, category = party.category, scan: own = null } = known.get(party.address) ?? {};
      return [
        party.address,
        label ? `${label.label}\n(${label.source})` : (party.label ?? ''),
        wordFor(section, category),
        own ? `${own.risk_level} ${own.risk_score}\n${moment(own.created_at, language)}` : '',
        String(party.tx_count),
        Object.keys(party.value_by_asset).slice(0, 5).join(', '),
      ];
    }),
  );
  if (scan.top_counterparties.length > 0) pdfParagraph(pdf, words.ownScanNote, { faint: true });
}

export function coverageFacts({ words, language }: Section, scan: ScanAnswer) {
  const coverage = scan.metadata.coverage as ScanCoverage;
  return [
    { name: words.transfersRead, value: grouped(coverage.transfers) },
    { name: words.complete, value: coverage.complete ? words.yes : words.no },
    ...(coverage.reasons.length > 0
      ? [
          {
            name: words.reasons,
            value: coverage.reasons.map((one) => lookUp(WORDS[language].coverage.readings, one)).join(words.between),
          },
        ]
      : []),
  ];
}

import { chainName } from '../../src/domain/chain.ts';
import type { AddressReportInput } from '../../src/questions/cases/report/gather-address-report.ts';
import { FORMS, grouped, percent, usd } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { lookUp, plainNote } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';
import { bullets, pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { describeEnd } from './describe-bridge.ts';
import { traceOf } from './identity.ts';
import { isUnread } from './money.ts';
import type { Section } from './section.ts';

interface ScanCoverage {
  transfers: number;
  complete: boolean;
  reasons: string[];
}

/** The reach of a report, and the addresses where the way ended. */
export function coverageSection(section: Section, report: AddressReportInput): void {
  const { exposure } = report;
  const { pdf, words, language, outline } = section;
  pdfHeading(pdf, 2, words.coverage, outline);
  pdfFacts(section, coverageFacts(section, report));
  if (isUnread(report)) return;
  if (exposure?.note) pdfParagraph(pdf, plainNote(exposure.note));
  const frontier = exposure?.coverage.frontier ?? [];
  if (frontier.length === 0) return;
  pdfHeading(pdf, 3, words.frontier, outline);
  pdfTable(
    pdf,
    [
      { title: words.address, width: 0.395, mono: true },
      { title: words.direction, width: 0.1 },
      { title: words.hops, width: 0.08, align: 'right' },
      { title: words.amount, width: 0.16, align: 'right' },
      { title: words.reason, width: 0.265 },
    ],
    frontier.map((end) => [
      end.chain === exposure?.chain ? end.address : `${chainName(end.chain)}\n${end.address}`,
      words[end.direction],
      String(end.hop),
      usd(end.usd, language),
      describeEnd(end.reason, language, end.bridge),
    ]),
  );
  const count = exposure?.coverage.frontier_count ?? frontier.length;
  if (count <= frontier.length) return;
  const shown = { shown: grouped(frontier.length, language), count: grouped(count, language) };
  pdfParagraph(pdf, fill(words.shownOf, shown), { faint: true });
}

function coverageFacts({ words, language }: Section, { scan, exposure, funds }: AddressReportInput) {
  const coverage = scan?.metadata.coverage as ScanCoverage | undefined;
  const trace = traceOf(scan);
  const ends = (reasons: readonly string[]) =>
    reasons.map((reason) => describeEnd(reason, language)).join(words.between) || words.none;
  const shares = (of: Record<'received' | 'sent', number | null>) =>
    fill(words.tracedShares, { received: percent(of.received, language), sent: percent(of.sent, language) });
  return [
    ...(coverage
      ? [
          { name: words.transfersRead, value: grouped(coverage.transfers, language) },
          { name: words.complete, value: coverage.complete ? words.yes : words.no },
          ...coverage.reasons.map((one) => ({
            name: words.reason,
            value: lookUp(WORDS[language].coverage.readings, one),
          })),
        ]
      : []),
    ...(trace
      ? [
          { name: fill(words.ofScan, { what: words.addressesRead }), value: grouped(trace.addresses_read, language) },
          { name: fill(words.ofScan, { what: words.endReasons }), value: ends(trace.reasons) },
        ]
      : []),
    ...(exposure
      ? [
          ...(!isUnread({ funds, exposure }) && exposure.coverage.through_unread
            ? [
                {
                  name: fill(words.ofExposure, { what: words.throughUnread }),
                  value: shares(exposure.coverage.through_unread),
                },
              ]
            : []),
          { name: fill(words.ofExposure, { what: words.endReasons }), value: ends(exposure.coverage.reasons) },
        ]
      : []),
  ];
}

/** The label lists, once a document. */
export function listSection({ pdf, words, language, outline }: Section, lists: AddressReportInput['lists']): void {
  if (!lists) return;
  pdfHeading(pdf, 2, words.lists, outline);
  if (lists.length === 0) pdfParagraph(pdf, WORDS[language].coverage.listGaps.no_lists);
  const { date } = FORMS[language];
  pdfTable(
    pdf,
    [
      { title: words.listName, width: 0.5 },
      { title: words.entries, width: 0.2, align: 'right' },
      { title: words.asOf, width: 0.3 },
    ],
    lists.map(({ source, entries, as_of }) => [source, grouped(entries, language), date(as_of.slice(0, 10))]),
  );
}

export function methodSection({ pdf, words, outline }: Section): void {
  pdfHeading(pdf, 2, words.method, outline);
  bullets(pdf, [...words.methodNotes, words.ownScanNote]);
}

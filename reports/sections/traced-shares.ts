import type { AddressReportInput } from '../../src/questions/cases/report/gather-address-report.ts';
import type { ScanAnswer } from '../../src/questions/scans/record-scan.ts';
import type { ExposureAnswer } from '../../src/questions/tracing/get-exposure.ts';
import type { ScanTrace } from '../../src/questions/tracing/indirect-exposure.ts';
import { grouped, moment, percent, usd } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import { pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { describeEnd } from './describe-bridge.ts';
import type { Section } from './section.ts';

type Shares = Record<'received' | 'sent', number | null>;
type Texts = Pick<Section, 'words'>;
/** All that a report knows of an address's money. */
export interface MoneyOfReport {
  scan: ScanAnswer | null;
  exposure: ExposureAnswer;
  funds: NonNullable<AddressReportInput['funds']>;
}

interface Fact {
  name: string;
  value: string;
}

/** What a scan says of the money behind its address; undefined for scans that do not say it. */
function traceOf(scan: ScanAnswer | null): ScanTrace | undefined {
  return (scan?.metadata.coverage as { trace?: ScanTrace } | undefined)?.trace;
}

/** The two shares of a scan for a column of a table: money received and sent that was traced to labelled parties. */
export function tracedColumn(scan: ScanAnswer | null): string {
  const trace = traceOf(scan);
  return trace ? `${percent(trace.attributed.received)} / ${percent(trace.attributed.sent)}` : '–';
}

/** The same two shares with how far the scan followed the money. */
export function tracedByScan({ words }: Texts, scan: ScanAnswer | null): Fact[] {
  const trace = traceOf(scan);
  if (!trace) return [];
  const value = fill(words.tracedWithin, { ...inPercent(trace.attributed), hops: trace.max_hops });
  return [{ name: words.tracedByScan, value }];
}

/** The money of an address, from its account: how much of it this report traced and to which hop, and the same of the scan. */
export function moneyTable({ pdf, words, language }: Section, { scan, exposure, funds }: MoneyOfReport): void {
  const trace = traceOf(scan);
  const hops = exposure.max_hops;
  const traced = { received: tracedUsd(funds.received), sent: tracedUsd(funds.sent) };
  const { attributed } = exposure.coverage;
  pdfTable(
    pdf,
    [
      { title: words.money, width: 0.5 },
      { title: words.received, width: 0.25, align: 'right' },
      { title: words.sent, width: 0.25, align: 'right' },
    ],
    [
      [words.known, usd(funds.received.totalUsd), usd(funds.sent.totalUsd)],
      [
        fill(words.tracedHere, { hops }),
        `${usd(traced.received)}\n${percent(attributed.received)}`,
        `${usd(traced.sent)}\n${percent(attributed.sent)}`,
      ],
      [
        fill(words.notTracedHere, { hops }),
        usd(difference(funds.received.totalUsd, traced.received)),
        usd(difference(funds.sent.totalUsd, traced.sent)),
      ],
      ...(trace
        ? [
            [
              fill(words.tracedThere, { hops: trace.max_hops }),
              percent(trace.attributed.received),
              percent(trace.attributed.sent),
            ],
          ]
        : []),
    ],
  );
  if (trace && scan) {
    const said = { hops: trace.max_hops, at: moment(scan.created_at, language) };
    pdfParagraph(pdf, fill(words.reachOfScan, said), { faint: true });
  }
  const untraced = Object.entries(exposure.coverage.unattributed ?? {});
  if (untraced.some(([reason]) => reason === 'own_money')) pdfParagraph(pdf, words.ownMoney, { faint: true });
  if (untraced.length === 0) return;
  pdfTable(
    pdf,
    [
      { title: words.notTraced, width: 0.75 },
      { title: words.amount, width: 0.25, align: 'right' },
    ],
    untraced.map(([reason, amount]) => [describeEnd(reason, language), usd(amount)]),
  );
}

/** What scan and exposure say of the way that the money took: addresses read, read in part, and why it ended. */
export function reachFacts({ words, language }: Pick<Section, 'words' | 'language'>, report: AddressReportInput) {
  const { scan, exposure } = report;
  const trace = traceOf(scan);
  const ends = (reasons: readonly string[]) =>
    reasons.map((reason) => describeEnd(reason, language)).join(words.between) || words.none;
  const through = (shares: Shares) => fill(words.tracedShares, inPercent(shares));
  const ofScan = (what: string) => fill(words.ofScan, { what });
  const ofExposure = (what: string) => fill(words.ofExposure, { what });
  return [
    ...(trace
      ? [
          { name: ofScan(words.addressesRead), value: grouped(trace.addresses_read) },
          { name: ofScan(words.throughUnread), value: through(trace.through_unread) },
          { name: ofScan(words.endReasons), value: ends(trace.reasons) },
        ]
      : []),
    ...(exposure?.coverage.through_unread
      ? [{ name: ofExposure(words.throughUnread), value: through(exposure.coverage.through_unread) }]
      : []),
    ...(exposure ? [{ name: ofExposure(words.endReasons), value: ends(exposure.coverage.reasons) }] : []),
  ];
}

function inPercent({ received, sent }: Shares): { received: string; sent: string } {
  return { received: percent(received), sent: percent(sent) };
}

/** The money of labelled parties. */
function tracedUsd({ rows }: MoneyOfReport['funds']['sent']): number {
  return rows.reduce((sum, { kind, usd: part }) => sum + (kind === 'party' ? part : 0), 0);
}

/** In whole cents, so that the rows of the table add up. */
function difference(whole: number, part: number): number {
  return Math.max(0, Math.round(whole * 100) - Math.round(part * 100)) / 100;
}

import { chainName, explorerLink } from '../../src/domain/chain.ts';
import type { FundsRow, Hop } from '../../src/domain/tracing/answers.ts';
import type { AddressReportInput, TracedMoney } from '../../src/questions/cases/report/gather-address-report.ts';
import type { FundsRows } from '../../src/tracing/answers/funds/rows.ts';
import { nobodyText } from '../../words/describe.ts';
import { FORMS, grouped, moment, percent, usd } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { endCode } from '../../words/look-up.ts';
import { shareTexts } from '../../words/shares.ts';
import { WORDS } from '../../words/words.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { ensureSpace } from '../pdf/document.ts';
import { pdfTable, type TableRow } from '../pdf/table.ts';
import { describeBridge, describeEnd } from './describe-bridge.ts';
import { type Section, wordFor } from './section.ts';
import { assetsText } from './texts.ts';

const DIRECTIONS = ['received', 'sent'] as const;
const WAYS_MAX = 5;
/** Points of the title of a way with the beginning of its table. */
const WAY_HEIGHT = 90;

/** Returns where the money of an address came from and went, as its account has it: rows that add up to all of it. */
export function moneySection(
  section: Section,
  { funds, exposure, chain }: TracedMoney & { chain: string | null },
  { rowsMax, withWays }: { rowsMax: number; withWays: boolean },
): void {
  const { pdf, words, language } = section;
  const say = WORDS[language].story;
  if (!funds || !exposure) {
    pdfParagraph(pdf, words.exposureOmitted);
    return;
  }
  const hops = exposure.max_hops;
  const { attributed } = exposure.coverage;
  if (isUnread({ funds, exposure })) {
    pdfParagraph(pdf, words.nothingRead);
    return;
  }
  const rowsOf = (direction: 'received' | 'sent'): TableRow[] => {
    const { rows, totalUsd } = funds[direction];
    if (totalUsd <= 0) return [];
    const moved = withShares(funds[direction], language);
    const name = direction === 'received' ? say.inFrom : say.outTo;
    return [
      ...moved.slice(0, rowsMax).map(({ row, share }) => [
        name,
        endName(section, withParty(row, direction, exposure), chain),
        assetsText(row.assets, language),
        usd(row.usd, language),
        // What prices gained on the way has an amount, and a share of nothing.
        row.usd < 0 ? '' : share,
      ]),
      ...(moved.length > rowsMax
        ? [{ note: fill(words.andMore, { count: grouped(moved.length - rowsMax, language) }) }]
        : []),
      {
        sum: [
          words[direction],
          rows.some(({ kind }) => kind !== 'not_read')
            ? fill(words.tracedHere[direction], { hops, share: percent(attributed[direction], language) })
            : words.inAll,
          '',
          usd(totalUsd, language),
          '',
        ],
      },
    ];
  };
  const table = DIRECTIONS.flatMap(rowsOf);
  if (table.length === 0) pdfParagraph(pdf, fill(words.noExposure, { hops }));
  pdfTable(
    pdf,
    [
      { title: words.direction, width: 0.13 },
      { title: words.whoOrWhy, width: 0.43 },
      { title: say.quantities, width: 0.17 },
      { title: words.amount, width: 0.17, align: 'right' },
      { title: words.share, width: 0.1, align: 'right' },
    ],
    table,
  );
  if (withWays) ways(section, funds);
}

/** Returns the ends that are worth a cent, each with its share as text. */
function withShares({ rows, totalUsd }: FundsRows, language: Language): { row: FundsRow; share: string }[] {
  if (totalUsd <= 0) return [];
  const shares = shareTexts(rows, language);
  return rows.map((row, i) => ({ row, share: shares[i]! })).filter(({ row }) => Math.abs(row.usd) >= 0.005);
}

/** True where no transfer of the address is known since it was not read. */
export function isUnread({ funds, exposure }: TracedMoney): boolean {
  const isNothing = funds !== null && funds.received.totalUsd + funds.sent.totalUsd <= 0;
  return isNothing && (exposure?.coverage.reasons.includes('not_read') ?? false);
}

/** One line of the same for an address that is not on the way. */
export function moneyLine({ words, language, ...section }: Section, { funds, exposure }: AddressReportInput): string {
  if (!funds || !exposure) return words.exposureOmitted;
  if (isUnread({ funds, exposure })) return words.nothingRead;
  return DIRECTIONS.map((direction) => {
    const parts = withShares(funds[direction], language)
      .slice(0, 3)
      .map(({ row, share }) => {
        const named = withParty(row, direction, exposure);
        return `${endName({ ...section, words, language }, named, named.chain)} ${share}`;
      });
    const all = `${words[direction]} ${usd(funds[direction].totalUsd, language)}`;
    return parts.length > 0 ? FORMS[language].bracketed(all, parts.join(FORMS[language].comma)) : all;
  }).join(words.between);
}

/** The row with the name of its party, where it is the only one of its category that the exposure found. */
function withParty(
  row: FundsRow,
  direction: 'received' | 'sent',
  exposure: NonNullable<AddressReportInput['exposure']>,
): FundsRow {
  if (row.label !== null || row.count !== 1 || row.category === null) return row;
  const parties = [...exposure.direct, ...exposure.indirect]
    .filter((bucket) => bucket.direction === direction && bucket.category === row.category)
    .flatMap(({ top }) => top);
  const [party, ...others] = parties;
  if (!party?.label || others.some(({ address }) => address !== party.address)) return row;
  return { ...row, label: party.label, chain: party.chain, address: party.address };
}

function endName(section: Section, row: FundsRow, chain: string | null): string {
  const { language } = section;
  const say = WORDS[language].story;
  const category = row.category ? wordFor(section, row.category) : null;
  const { bracketed, labelled } = FORMS[language];
  const what = row.bridge?.reason
    ? describeEnd(row.bridge.reason, language, row.bridge)
    : (category ?? say.kinds[row.kind] ?? describeEnd(endCode(row), language));
  if (row.address === null || nobodyText(row.address, language))
    return row.count > 1 ? bracketed(what, grouped(row.count, language)) : what;
  const elsewhere = row.chain !== null && row.chain !== chain ? chainName(row.chain) : null;
  const named = (name: string) => (elsewhere === null ? name : labelled(elsewhere, name));
  if (row.label) return bracketed(named(row.label), what);
  return `${named(what)}\n${row.address}`;
}

/** The largest ways to and from labelled parties, hop by hop. */
function ways(section: Section, funds: NonNullable<AddressReportInput['funds']>): void {
  const { pdf, words, language, outline } = section;
  const rows = DIRECTIONS.flatMap((direction) =>
    funds[direction].rows
      .filter(({ kind, path }) => path.length > 0 && (kind === 'party' || kind === 'held' || kind === 'bridge'))
      .map((row) => ({ direction, row })),
  );
  rows.sort((a, b) => b.row.usd - a.row.usd);
  // A way that is a part of another one is shown with that.
  const shown = rows.filter(({ row }) => !rows.some((other) => isPartOf(row.path, other.row.path))).slice(0, WAYS_MAX);
  if (shown.length === 0) return;
  pdfHeading(pdf, 2, words.paths, outline);
  const described = new Set<string>();
  for (const { direction, row } of shown) {
    const values = { direction: words[direction], end: endName(section, row, null), usd: usd(row.usd, language) };
    ensureSpace(pdf, WAY_HEIGHT);
    pdfParagraph(pdf, fill(words.pathTo, values), { bold: true });
    hopTable(section, row.path, described);
  }
}

function isPartOf(path: readonly Hop[], other: readonly Hop[]): boolean {
  const hops = new Set(other.map(({ tx_hash, from }) => `${tx_hash} ${from}`));
  return path.length < other.length && path.every(({ tx_hash, from }) => hops.has(`${tx_hash} ${from}`));
}

/** Shapes that the money moved in. */
export function patternsSection({ pdf, words, language, outline }: Section, { exposure }: AddressReportInput): void {
  if (!exposure || exposure.patterns.length === 0) return;
  pdfHeading(pdf, 3, words.patterns, outline);
  pdfParagraph(pdf, words.patternsNote, { faint: true });
  for (const { name, severity, description: text, usd: amount } of exposure.patterns) {
    const level = WORDS[language].story.levels[severity];
    pdfParagraph(pdf, fill(words.pattern, { name, severity: level, usd: usd(amount, language), text }));
  }
}

/** Hops in the order in which the money moved. What crossed a bridge is described once, below the first hop over it. */
function hopTable({ pdf, words, language }: Section, hops: readonly Hop[], described: Set<string>): void {
  pdfTable(
    pdf,
    [
      { title: words.time, width: 0.15 },
      { title: `${words.from} / ${words.to}`, width: 0.395, mono: true },
      { title: words.amount, width: 0.14, align: 'right' },
      { title: words.transaction, width: 0.315, mono: true },
    ],
    hops.flatMap((hop): TableRow[] => [
      [
        moment(hop.at, language),
        `${hop.from}\n${hop.to}`,
        `${grouped(hop.amount, language)} ${hop.asset}${hop.usd === null ? '' : `\n${usd(hop.usd, language)}`}`,
        { text: hop.tx_hash, link: explorerLink(hop.chain, 'tx', hop.tx_hash) },
      ],
      ...bridgeNotes(hop, described, language),
    ]),
  );
}

function bridgeNotes({ bridge }: Hop, described: Set<string>, language: Language): TableRow[] {
  const note = bridge ? describeBridge(bridge, language) : null;
  if (note === null || described.has(note)) return [];
  described.add(note);
  return [{ note }];
}

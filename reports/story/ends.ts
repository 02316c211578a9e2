import { sumByAsset } from '../../src/domain/amount.ts';
import { chainName } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import type { FundsRange, FundsRow } from '../../src/domain/tracing/answers.ts';
import { isOneAmount, isUnseen, sumOfRanges } from '../../src/domain/tracing/funds-row.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { wordOf } from '../../words/describe.ts';
import { FORMS, grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { tenthsOf, tenthsText } from '../../words/shares.ts';
import { WORDS } from '../../words/words.ts';
import { describeEnd, routeOf } from '../sections/describe-bridge.ts';
import type { Parties } from './parties.ts';

const ROWS_MAX = 10;
const TAGS_MAX = 3;

/** An end of the money in words. */
interface EndName {
  name: string;
  /** Category and chain of a party, else why the way ends. */
  what: string;
  /** True where the name is of addresses at which the money was last seen. */
  isPlace: boolean;
}

/** One line of the table "Where the money is". */
export interface EndRow extends EndName {
  kind: FundsRow['kind'] | 'others';
  usd: number;
  /** Part of the followed money, 0-1. */
  share: number;
  /** Part of it of which nothing is known beyond. */
  unseenUsd: number;
  /** The same as part of the followed money, 0-1. */
  unseenShare: number;
  /** Tenths of a percent: those of all rows add up to 1,000. */
  tenths: number;
  assets: Record<string, string>;
  /** Range by all rules of attribution; null where they were not worked out. */
  range: FundsRange | null;
}

/** The account of the case in at most ten rows that add up to all of it, addresses of one service together, and all wallets that hold some of it. */
export function endRows(input: CaseReportInput, parties: Parties): EndRow[] {
  const { money, language } = input;
  if (!money) return [];
  const say = WORDS[language].story;
  const groups = [
    ...groupBy(
      money.sent.rows.filter(({ usd, range }) => Math.max(Math.abs(usd), range?.most_usd ?? 0) >= 0.005),
      groupOf,
    ).values(),
  ].map((rows): EndRow => {
    const [first] = rows as [FundsRow, ...FundsRow[]];
    return {
      kind: first.kind,
      ...wordsOf(first, rows, input, parties),
      ...sumOf(
        rows.map((row) =>
          isUnseen(row)
            ? { range: null, ...row, unseenUsd: row.usd, unseenShare: row.share }
            : { range: null, ...row, unseenUsd: 0, unseenShare: 0 },
        ),
      ),
      tenths: 0,
    };
  });
  const isChange = ({ kind }: EndRow) => Number(kind === 'price_change');
  groups.sort((a, b) => isChange(a) - isChange(b) || b.usd - a.usd);
  const rows = groups.length <= ROWS_MAX ? groups : groups.slice(0, ROWS_MAX - 1);
  const rest = groups.slice(rows.length);
  if (rest.length > 0) {
    const what = fill(say.otherEnds, { count: grouped(rest.length, language) });
    rows.push({ kind: 'others', name: say.others, what, ...sumOf(rest), tenths: 0, isPlace: false });
  }
  return withTenths(withCents(rows, money.sent.total_usd, language));
}

/** Rounds what the table shows so that a reader who adds it up comes to its total: the change on the way takes the rest, else a row of its own. */
function withCents(rows: readonly EndRow[], totalUsd: number, language: Language): EndRow[] {
  const cents = (value: number) => Math.round(value * 100);
  const isRest = ({ kind }: EndRow) => kind === 'price_change' || kind === 'others';
  const last = rows.findLast(isRest);
  const rest = rows.reduce((left, row) => left - (row === last ? 0 : cents(row.usd)), cents(totalUsd)) / 100;
  if (rows.length === 0 || (!last && rest === 0)) return [...rows];
  if (last) return rows.map((row) => (row === last ? { ...row, usd: rest } : row));
  const rounding = { kind: 'price_change', name: '–', what: WORDS[language].story.rounding, isPlace: false } as const;
  return [...rows, { ...rounding, ...sumOf([]), usd: rest, tenths: 0 }];
}

/** Why money was not seen further, that of the largest row first. */
export function unseenReasons(rows: readonly FundsRow[], language: Language): string[] {
  const reasons = rows
    .filter(isUnseen)
    .map(({ kind, bridge }) =>
      bridge?.reason
        ? WORDS[language].ends[bridge.reason]
        : (WORDS[language].story.kinds[kind] ?? describeEnd(kind, language)),
    );
  return [...new Set(reasons)];
}

/** The share of some of the ends as every text of the report writes it: what is not nothing or all is never 0.0 or 100.0 %. */
export function shareOf(rows: readonly EndRow[], ends: readonly EndRow[], language: Language): string {
  const tenths = rows.reduce((sum, row) => sum + row.tenths, 0);
  return tenthsText(tenths, rows, ends, language);
}

function groupOf(row: FundsRow): string {
  if (row.kind === 'party') return `party ${row.entity ?? row.label ?? `${row.chain}:${row.address}`}`;
  if (row.bridge)
    return `bridge ${row.bridge.protocol} ${row.chain} ${row.bridge.destination.chain} ${row.bridge.reason}`;
  if (row.kind === 'returned' || row.kind === 'bridge') return `${row.kind} ${row.chain}:${row.address}`;
  return row.kind;
}

function wordsOf(first: FundsRow, rows: readonly FundsRow[], { language }: CaseReportInput, parties: Parties): EndName {
  const say = WORDS[language].story;
  const { bracketed, comma } = FORMS[language];
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const place = first.chain && first.address ? parties.nameOf(first.chain, first.address) : null;
  if (first.kind === 'party') {
    const category = first.category ? wordOf(first.category, language) : '';
    const name = place ?? fill(say.severalParties, { count: grouped(count, language), category });
    const chains = [...new Set(rows.flatMap(({ chain }) => (chain ? chainName(chain) : [])))];
    const what = [category, chains.join(comma), tagsText(rows, language)].filter(Boolean).join(comma);
    return { name, what, isPlace: false };
  }
  if (first.bridge) {
    const { protocol, from, to } = routeOf(first.bridge, language);
    const name = bracketed(protocol, `${from} → ${to}`);
    return { name, what: describeEnd(first.bridge.reason ?? 'bridge', language), isPlace: true };
  }
  const what = say.kinds[first.kind] ?? describeEnd(first.kind, language);
  const named = rows.flatMap((row) => (row.chain && row.address ? [parties.nameOf(row.chain, row.address)] : []));
  if (named.length === 0) {
    const name = count > 1 ? fill(say.severalAddresses, { count: grouped(count, language) }) : '–';
    return { name, what, isPlace: false };
  }
  const shown = named.slice(0, 3);
  const values = { named: shown.join(comma), count: grouped(count - shown.length, language) };
  const name = count <= 3 ? values.named : fill(say.andMore, values);
  return { name, what, isPlace: isUnseen(first) };
}

/** The customers that the transfers to a service name, largest first; '' where none do. */
function tagsText(rows: readonly FundsRow[], language: Language): string {
  const { tag: say } = WORDS[language].requests;
  const tags = rows.flatMap(({ tags = [] }) => tags).sort((a, b) => b.usd - a.usd);
  const named = tags.flatMap(({ tag }) => (tag === null ? [] : [fill(say, { tag })]));
  const shown = named.slice(0, TAGS_MAX).join(FORMS[language].comma);
  const more = rows.reduce((sum, { tag_count = 0 }) => sum + tag_count, 0) - Math.min(named.length, TAGS_MAX);
  if (named.length <= TAGS_MAX) return shown;
  return fill(WORDS[language].story.andMore, { named: shown, count: grouped(more, language) });
}

interface SummedRow {
  usd: number;
  share: number;
  assets: Record<string, string>;
  unseenUsd: number;
  unseenShare: number;
  range: FundsRange | null;
}

/** Says which rows of the table do not depend on the rule of attribution; null where the rules were not worked out. */
export function rulesSentence(ends: readonly EndRow[], language: Language): string | null {
  const say = WORDS[language].story;
  const same = ends.filter(({ range }) => range && isOneAmount(range));
  if (ends.length === 0 || ends.some(({ range }) => range === null)) return null;
  if (same.length === ends.length) return say.noRowDepends;
  const share = shareOf(same, ends, language);
  return fill(say.rowsDepend, { same: same.length, rows: ends.length, share });
}

function sumOf(rows: readonly SummedRow[]) {
  const ranges = rows.flatMap(({ range }) => range ?? []);
  return {
    usd: rows.reduce((sum, row) => sum + row.usd, 0),
    share: rows.reduce((sum, row) => sum + row.share, 0),
    unseenUsd: rows.reduce((sum, row) => sum + row.unseenUsd, 0),
    unseenShare: rows.reduce((sum, row) => sum + row.unseenShare, 0),
    assets: sumByAsset(rows.map(({ assets }) => assets)),
    range: ranges.length === rows.length ? sumOfRanges(ranges) : null,
  };
}

function withTenths(rows: readonly EndRow[]): EndRow[] {
  const total = rows.reduce((sum, { share }) => sum + share, 0);
  const tenths = tenthsOf(rows.map((row) => ({ ...row, share: total > 0 ? row.share / total : 0 })));
  return rows.map((row, i) => ({ ...row, tenths: tenths[i]! }));
}

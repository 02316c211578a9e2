import { createHash } from 'node:crypto';
import { FORMS, grouped, moment, percent, usd } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { quantitiesText, requestLines } from '../../../words/request-lines.ts';
import { WORDS } from '../../../words/words.ts';
import { rounded, roundUsd, sumByAsset } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, KNOW_CUSTOMERS, serviceName } from '../../domain/label.ts';
import { type RequestedMoney, requestedMoney } from '../../domain/scene/requested-money.ts';
import type { FundsRow } from '../../domain/tracing/answers.ts';
import { type EndReason, SETTLED_REASONS } from '../../domain/tracing/flow-portion.ts';
import { isOneAmount, sumOfRanges } from '../../domain/tracing/funds-row.ts';
import type { Funds } from '../../tracing/answers/funds/funds-of.ts';

/** A request to one service: the rows of the account that ended there. Its transactions are empty where the plan shows no ways. */
export interface FreezingRequest extends RequestedMoney {
  /** Id of the pair of case and service: the same in every answer. */
  id: string;
  reference: string;
  service: string;
  category: Category;
  usd: number;
  /** Least and greatest of what the rules of attribution say; null where not all were worked out. */
  range: { least_usd: number; most_usd: number } | null;
  /** Part of all the money, 0-1. */
  share: number;
  assets: Record<string, string>;
  /** Named or not: of each address at most 50 tags are. */
  address_count: number;
  /** Transactions that brought the money to the addresses, named or not. */
  transaction_count: number;
  cut: CutMoney;
}

/** Money of the case whose way was not followed to its end, and why: more of it may have come to the service. */
interface CutMoney {
  usd: number;
  reasons: EndReason[];
}

/** A request with all that its page states. */
export interface RequestPage {
  request: FreezingRequest;
  caseTitle: string;
  madeAt: string;
  language: Language;
}

/** The requests to the services where the money of a case arrived, largest first. */
export function freezingRequests(caseId: string, { rows }: { rows: Funds['rows'] }): FreezingRequest[] {
  const asked = rows.filter(
    (row): row is ServiceRow =>
      row.kind === 'party' &&
      row.category !== null &&
      KNOW_CUSTOMERS.includes(row.category) &&
      !(row.range && row.usd === 0) &&
      row.chain !== null &&
      row.address !== null,
  );
  const cut = cutMoney(rows);
  const requests = [...groupBy(asked, serviceOf)].map(([service, own]): FreezingRequest => {
    const id = requestId(caseId, service);
    const sorted = [...own].sort((a, b) => b.usd - a.usd || compare(a.address, b.address));
    const usd = roundUsd(sorted.reduce((sum, row) => sum + row.usd, 0));
    return {
      id,
      reference: `${caseId.slice(0, 8)}-${id.slice(0, 8)}`.toUpperCase(),
      service: sorted[0]!.label ?? service,
      category: sorted[0]!.category,
      usd,
      range: rangeOfAll(sorted),
      share: Math.min(1, rounded(sorted.reduce((sum, row) => sum + row.share, 0))),
      assets: sumByAsset(sorted.map(({ assets }) => assets)),
      ...requestedMoney(sorted),
      address_count: sorted.reduce((sum, { tag_count = 1 }) => sum + tag_count, 0),
      transaction_count: sorted.reduce((sum, { transfers }) => sum + transfers, 0),
      cut,
    };
  });
  return requests.sort((a, b) => b.usd - a.usd || compare(a.id, b.id));
}

function rangeOfAll(rows: readonly ServiceRow[]): FreezingRequest['range'] {
  const ranges = rows.flatMap(({ range }) => range ?? []);
  if (ranges.length < rows.length) return null;
  const { least_usd, most_usd } = sumOfRanges(ranges);
  return { least_usd, most_usd };
}

type ServiceRow = FundsRow & { category: Category; chain: Chain; address: string };

/** Addresses of one entity, or of one name, are one service. */
function serviceOf({ entity, label, chain, address }: ServiceRow): string {
  return entity ?? serviceName(label) ?? `${chain}:${address}`;
}

function requestId(caseId: string, service: string): string {
  const hex = createHash('sha256').update(`${caseId} ${service}`).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Adds up the ends where looking stopped, by a bound or because something was not read. */
function cutMoney(rows: readonly FundsRow[]): CutMoney {
  const reasonOf = ({ kind, bridge }: FundsRow) =>
    (kind === 'bridge' ? (bridge?.reason ?? 'bridge_not_looked_up') : kind) as EndReason;
  const isKnown = (row: FundsRow) =>
    ['party', 'returned', 'price_change'].includes(row.kind) || SETTLED_REASONS.includes(reasonOf(row));
  const cut = rows.filter((row) => row.usd > 0 && !isKnown(row));
  return {
    usd: roundUsd(cut.reduce((sum, { usd }) => sum + usd, 0)),
    reasons: [...new Set(cut.map(reasonOf))].sort(compare),
  };
}

/** The parts of a request, as page and text state them. */
interface RequestParts {
  title: string;
  facts: { name: string; value: string }[];
  intro: string;
  money: RequestedMoney;
  /** Counts of what the rows leave out, and where a missing tag may stand. */
  notes: string[];
  asked: string[];
  closing: string;
}

/** The content of a request. */
export function requestParts({ request, caseTitle, madeAt, language }: RequestPage): RequestParts {
  const say = WORDS[language].requests;
  const { deposit_addresses, addresses, transactions, cut, service } = request;
  const leftTransactions = request.transaction_count - transactions.length;
  const leftAddresses = request.address_count - addresses.length;
  return {
    title: fill(say.title, { service: request.service }),
    facts: [
      { name: say.reference, value: request.reference },
      { name: say.case, value: caseTitle },
      { name: say.date, value: moment(madeAt, language) },
    ],
    intro: fill(say.intro, {
      usd: usd(request.usd, language),
      share: percent(request.share, language),
      assets: quantitiesText(request.assets, language),
      service: request.service,
    }),
    money: { deposit_addresses, addresses, transactions },
    notes: [
      ...rangeText(request, language),
      ...(cut.usd > 0
        ? [fill(say.cut, { usd: usd(cut.usd, language), reasons: cutReasons(request, language), service })]
        : []),
      ...(leftAddresses > 0 ? [fill(say.moreAddresses, { count: grouped(leftAddresses, language) })] : []),
      ...(leftTransactions > 0 ? [fill(say.moreTransactions, { count: grouped(leftTransactions, language) })] : []),
      ...(addresses.some((one) => one.chain === 'xrp' && one.destination_tag === null) ? [say.noTag] : []),
    ],
    asked: say.asked,
    closing: say.closing,
  };
}

/** The sentence on the rules of attribution; empty where not all were worked out. */
export function rangeText({ range }: FreezingRequest, language: Language): string[] {
  const { sameByRule, rangeByRule } = WORDS[language].requests;
  if (!range) return [];
  if (isOneAmount(range)) return [sameByRule];
  return [fill(rangeByRule, { least: usd(range.least_usd, language), most: usd(range.most_usd, language) })];
}

function cutReasons({ cut }: FreezingRequest, language: Language): string {
  return cut.reasons.map((reason) => WORDS[language].ends[reason]).join(WORDS[language].report.between);
}

/** The request as plain text, ready to be sent. */
export function requestText(page: RequestPage): string {
  const say = WORDS[page.language].requests;
  const { labelled } = FORMS[page.language];
  const parts = requestParts(page);
  return [
    parts.title,
    ...parts.facts.map(({ name, value }) => labelled(name, value)),
    '',
    parts.intro,
    '',
    ...requestLines(parts.money, say, page.language),
    ...parts.notes,
    '',
    say.askedTitle,
    ...parts.asked.map((item, index) => `${index + 1}. ${item}`),
    '',
    parts.closing,
  ].join('\n');
}

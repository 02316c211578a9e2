import { FORMS, grouped, moment, percent, usd } from '../../../../words/figures.ts';
import { fill } from '../../../../words/fill.ts';
import type { Language } from '../../../../words/language.ts';
import { quantitiesText, requestLines } from '../../../../words/request-lines.ts';
import { WORDS } from '../../../../words/words.ts';
import type { RequestedMoney } from '../../../domain/scene/requested-money.ts';
import { isOneAmount } from '../../../domain/tracing/funds/row.ts';
import type { FreezingRequest, RequestPage } from './freezing-requests.ts';

/** The parts of a request, as page and text state them. */
export interface RequestParts {
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

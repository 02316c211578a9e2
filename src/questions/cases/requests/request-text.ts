import { FORMS, grouped, moment, percent, usd } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import { WORDS } from '../../../words/words.ts';
import type { RequestPage } from './freezing-requests.ts';

const TRANSACTIONS_MAX = 12;
const ADDRESSES_MAX = 6;

/** The parts of a request, as page and text state them. */
export interface RequestParts {
  title: string;
  facts: { name: string; value: string }[];
  intro: string;
  addresses: { chain: string; address: string; assets: string; usd: string }[];
  transactions: { chain: string; at: string; txHash: string; amount: string; to: string }[];
  /** Counts of what the rows leave out, and the place of tags. */
  notes: string[];
  asked: string[];
  closing: string;
}

/** The content of a request, bounded so that it fits on one page. */
export function requestParts({ request, caseTitle, madeAt, language }: RequestPage): RequestParts {
  const say = WORDS[language].requests;
  const { comma } = FORMS[language];
  const assetsText = (assets: Record<string, string>) =>
    Object.entries(assets)
      .slice(0, 5)
      .map(([asset, amount]) => `${grouped(amount, language)} ${asset}`)
      .join(comma);
  const transactions = request.transactions.slice(0, TRANSACTIONS_MAX);
  const addresses = request.addresses.slice(0, ADDRESSES_MAX);
  const leftTransactions = request.transaction_count - transactions.length;
  const leftAddresses = request.addresses.length - addresses.length;
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
      assets: assetsText(request.assets),
      service: request.service,
    }),
    addresses: addresses.map(({ chain, address, assets, usd: amount }) => {
      return { chain, address, assets: assetsText(assets), usd: usd(amount, language) };
    }),
    transactions: transactions.map(({ chain, at, tx_hash, amount, asset, to }) => {
      const quantity = `${grouped(amount, language)} ${asset}`;
      return { chain, at: moment(at, language), txHash: tx_hash, amount: quantity, to };
    }),
    notes: [
      ...(leftAddresses > 0 ? [fill(say.moreAddresses, { count: grouped(leftAddresses, language) })] : []),
      ...(leftTransactions > 0 ? [fill(say.moreTransactions, { count: grouped(leftTransactions, language) })] : []),
      ...(addresses.some(({ chain }) => chain === 'xrp') ? [say.tags] : []),
    ],
    asked: say.asked,
    closing: say.closing,
  };
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
    say.addresses,
    ...parts.addresses.map(({ chain, address, assets, usd: amount }) => `${chain} ${address}: ${assets} (${amount})`),
    ...(parts.transactions.length > 0 ? ['', say.transactions] : []),
    ...parts.transactions.map(({ chain, at, txHash, amount, to }) => `${at} ${chain} ${txHash}: ${amount} → ${to}`),
    ...parts.notes,
    '',
    say.askedTitle,
    ...parts.asked.map((item, index) => `${index + 1}. ${item}`),
    '',
    parts.closing,
  ].join('\n');
}

import { chainName } from '../domain/chain.ts';
import type { RequestWords } from './en/reports/requests.ts';
import { FORMS, grouped, moment, usd } from './figures.ts';
import { fill } from './fill.ts';
import type { Language } from './language.ts';

/** The money that a request names: where it is, and the transactions that brought it there. */
export interface RequestedMoney {
  addresses: readonly ReachedAddress[];
  transactions: readonly ReachingTransaction[];
}

export interface ReachedAddress {
  chain: string;
  address: string;
  /** The customer there, where one is named. */
  destination_tag?: number | null;
  usd: number;
  /** Quantities that arrived there, by asset symbol. */
  assets: Record<string, string>;
}

export interface ReachingTransaction {
  chain: string;
  tx_hash: string;
  at: string;
  from: string;
  to: string;
  destination_tag?: number;
  asset: string;
  /** The part of the traced money. */
  amount: string;
  usd: number | null;
}

const ASSETS_MAX = 5;

/** Addresses and transactions as lines of text, in the words of a language: of a request, and of what the canvas copies. */
export function requestLines(
  { addresses, transactions }: RequestedMoney,
  say: RequestWords,
  language: Language,
): string[] {
  return [
    say.addresses,
    ...addresses.map(
      ({ chain, address, assets, usd: amount, destination_tag }) =>
        `${chainName(chain)} ${withTag(address, destination_tag, say)}: ${quantitiesText(assets, language)} (${usd(amount, language)})`,
    ),
    ...(transactions.length > 0 ? ['', say.transactions] : []),
    ...transactions.map(({ chain, at, tx_hash, from, to, destination_tag, usd: amount, ...moved }) => {
      const what = `${quantitiesText({ [moved.asset]: moved.amount }, language)} (${usd(amount, language)})`;
      return `${moment(at, language)} ${chainName(chain)} ${tx_hash}: ${what}, ${from} → ${withTag(to, destination_tag, say)}`;
    }),
  ];
}

/** An address with the tag of the customer there, where one is named. */
export function withTag(address: string, tag: number | null | undefined, say: Pick<RequestWords, 'tag'>): string {
  return tag === null || tag === undefined ? address : `${address} (${fill(say.tag, { tag })})`;
}

/** Quantities by asset, the first five. */
export function quantitiesText(assets: Record<string, string>, language: Language): string {
  return Object.entries(assets)
    .slice(0, ASSETS_MAX)
    .map(([asset, amount]) => `${grouped(amount, language)} ${asset}`)
    .join(FORMS[language].comma);
}

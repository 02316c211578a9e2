import { compareAmounts } from '../domain/amount.ts';
import { chainName } from '../domain/chain.ts';
import type { RequestedAddress, RequestedTransaction } from '../domain/scene/requested-money.ts';
import type { RequestWords } from './en/reports/requests.ts';
import { FORMS, grouped, moment, usd } from './figures.ts';
import { fill } from './fill.ts';
import type { Language } from './language.ts';

/** The money that a request names: where it is, and the transactions that brought it there. */
export interface RequestedMoney {
  addresses: readonly RequestedAddress[];
  transactions: readonly RequestedTransaction[];
}

const ASSETS_MAX = 5;

/** Addresses and transactions as lines of text, in the words of a language: of a request, and of what the canvas copies. */
export function requestLines(
  { addresses, transactions }: RequestedMoney,
  say: RequestWords,
  language: Language,
): string[] {
  const arrived = transactions.filter(({ step }) => step === 'arrival');
  const handedOn = transactions.filter(({ step }) => step === 'handed_on');
  const lineOf = (one: RequestedTransaction) =>
    `${moment(one.at, language)} ${chainName(one.chain)} ${one.tx_hash}: ${amountText(one, say, language)}, ${one.from} → ${withTag(one.to, one.destination_tag, say)}`;
  return [
    say.addresses,
    ...addresses.map(
      (one) =>
        `${chainName(one.chain)} ${addressText(one, say)}: ${quantitiesText(one.assets, language)} (${usd(one.usd, language)})`,
    ),
    ...(arrived.length > 0 ? ['', say.transactions, ...arrived.map(lineOf)] : []),
    ...(handedOn.length > 0 ? ['', say.handedOn, ...handedOn.map(lineOf)] : []),
  ];
}

/** The address with the customer's tag, or with the address to which it handed on what it got. */
export function addressText(
  { address, destination_tag: tag, handed_on_to: next }: RequestedAddress,
  say: RequestWords,
): string {
  return next === undefined ? withTag(address, tag, say) : `${address} (${fill(say.deposit, { address: next })})`;
}

/** What the transaction moved, and the followed part where that is less. */
export function amountText(
  { asset, moved_amount, amount, usd: worth }: Pick<RequestedTransaction, 'asset' | 'moved_amount' | 'amount' | 'usd'>,
  say: RequestWords,
  language: Language,
): string {
  const part = `${quantitiesText({ [asset]: amount }, language)} (${usd(worth, language)})`;
  if (compareAmounts(amount, moved_amount) === 0) return part;
  return fill(say.partOf, { moved: quantitiesText({ [asset]: moved_amount }, language), part });
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

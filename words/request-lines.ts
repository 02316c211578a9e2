import { compareAmounts } from '../src/domain/amount.ts';
import { chainName } from '../src/domain/chain.ts';
import type { RequestedAddress, RequestedDeposit, RequestedMoney } from '../src/domain/scene/requested-money.ts';
import type { Arrival } from '../src/domain/tracing/answers.ts';
import type { requests } from './en/reports.ts';
import { FORMS, grouped, moment, usd } from './figures.ts';
import { fill } from './fill.ts';
import type { Language } from './language.ts';

const ASSETS_MAX = 5;

/** A transfer that a text names; of the flow of funds all that it moved. */
type NamedTransfer = Omit<Arrival, 'chain' | 'usd'> & { chain: string; usd: number | null };

/** Addresses and transactions as lines of text, in the words of a language: of a request, and of what the canvas copies. */
export function requestLines(
  { deposit_addresses, addresses, transactions }: RequestedMoney,
  say: typeof requests,
  language: Language,
): string[] {
  const heldAt = (place: string, { chain, assets, usd: worth, ...more }: RequestedAddress | RequestedDeposit) => {
    const line = `${chainName(chain)} ${place}: ${quantitiesText(assets, language)} (${usd(worth, language)})`;
    return 'frozen' in more && more.frozen
      ? [line, frozenText(more.frozen, say, language)].join(FORMS[language].comma)
      : line;
  };
  const lineOf = (one: NamedTransfer) => transferLine(one, say, language);
  return [
    ...(deposit_addresses.length > 0 ? [say.deposits] : []),
    ...deposit_addresses.flatMap((one) => [
      heldAt(`${one.address} → ${one.handed_on_to}`, one),
      ...one.transactions.map(lineOf),
    ]),
    ...(deposit_addresses.length > 0 ? [''] : []),
    say.addresses,
    ...addresses.map((one) => heldAt(withTag(one.address, one.destination_tag, say), one)),
    ...(transactions.length > 0 ? ['', say.transactions, ...transactions.map(lineOf)] : []),
  ];
}

/** Says which tokens issuers froze at an address, and since when. */
function frozenText(frozen: NonNullable<RequestedAddress['frozen']>, say: typeof requests, language: Language): string {
  const assets = frozen.map(({ asset, since }) =>
    since === null ? asset : fill(say.frozenSince, { asset, at: moment(since, language) }),
  );
  return fill(say.frozen, { assets: assets.join(FORMS[language].comma) });
}

export function transferLine(one: NamedTransfer, say: typeof requests, language: Language): string {
  const to = withTag(one.to, one.destination_tag, say);
  const place = `${moment(one.at, language)} ${chainName(one.chain)} ${one.tx_hash}`;
  return `${place}: ${amountText(one, say, language)}, ${one.from} → ${to}`;
}

/** Writes the amount that the transaction moved, and the followed part where that is less. */
export function amountText(
  { asset, moved_amount, amount, usd: worth }: NamedTransfer,
  say: typeof requests,
  language: Language,
): string {
  const part = `${quantitiesText({ [asset]: amount }, language)} (${usd(worth, language)})`;
  if (compareAmounts(amount, moved_amount) === 0) return part;
  return fill(say.partOf, { moved: quantitiesText({ [asset]: moved_amount }, language), part });
}

/** An address with the tag of the customer there, where one is named. */
export function withTag(address: string, tag: number | null | undefined, say: typeof requests): string {
  return tag === null || tag === undefined ? address : `${address} (${fill(say.tag, { tag })})`;
}

/** Quantities by asset, the first five. */
export function quantitiesText(assets: Record<string, string>, language: Language): string {
  return Object.entries(assets)
    .slice(0, ASSETS_MAX)
    .map(([asset, amount]) => `${grouped(amount, language)} ${asset}`)
    .join(FORMS[language].comma);
}

import { requestLines } from '../../src/words/request-lines.ts';
import { language, words } from '../browser/words.ts';
import type { AddressFunds } from '../service/tracing-answers.ts';

type Row = AddressFunds['rows'][number];

/** Ends at which the money can still be stopped: a wallet that holds it, an exchange that took it. */
export function isHolder({ kind, category }: Pick<Row, 'kind' | 'category'>): boolean {
  return kind === 'held' || category === 'exchange' || category === 'high_risk_exchange';
}

/** Returns where money is and the transactions of its way, in the words of the requests of a case. */
export function freezingRequest({ chain, address, label, usd, assets, path, tags }: Row): string {
  if (!chain || !address) return '';
  const parts = tags?.map(({ tag, ...part }) => ({ destination_tag: tag, ...part })) ?? [{ usd, assets }];
  const money = { addresses: parts.map((part) => ({ chain, address, ...part })), transactions: path };
  const lines = requestLines(money, words().requests, language.value);
  return [...(label === null ? [] : [label]), ...lines].join('\n');
}

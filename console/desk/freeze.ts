import { requestedMoney } from '../../src/domain/scene/requested-money.ts';
import { requestLines } from '../../src/words/request-lines.ts';
import { language, words } from '../browser/words.ts';
import type { AddressFunds } from '../service/tracing-answers.ts';

type Row = AddressFunds['rows'][number];

/** Ends at which the money can still be stopped: a wallet that holds it, an exchange that took it. */
export function isHolder({ kind, category }: Pick<Row, 'kind' | 'category'>): boolean {
  return kind === 'held' || category === 'exchange' || category === 'high_risk_exchange';
}

/** Returns where money is and the transactions that brought it there, in the words of the requests of a case. */
export function freezingRequest(row: Row): string {
  const { chain, address, label } = row;
  if (!chain || !address) return '';
  const lines = requestLines(requestedMoney([{ ...row, chain, address }]), words().requests, language.value);
  return [...(label === null ? [] : [label]), ...lines].join('\n');
}

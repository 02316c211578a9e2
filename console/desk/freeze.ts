import { requestedMoney } from '../../src/domain/scene/requested-money.ts';
import { requestLines, transferLine } from '../../words/request-lines.ts';
import { language, words } from '../browser/words.ts';
import type { AddressFunds } from '../service/tracing-answers.ts';

type Row = AddressFunds['rows'][number];

/** Ends at which the money can still be stopped: a wallet that holds it, an exchange that took it. */
export function isHolder({ kind, category }: Row): boolean {
  return kind === 'held' || category === 'exchange' || category === 'high_risk_exchange';
}

/** Returns where money is, the transactions that brought it there and its way, in the words of the requests of a case. */
export function freezingRequest(row: Row): string {
  const { chain, address, label } = row;
  if (!chain || !address) return '';
  const say = words().requests;
  const lines = requestLines(requestedMoney([{ ...row, chain, address }]), say, language.value);
  const way = row.path.map((hop) => transferLine({ ...hop, moved_amount: hop.amount }, say, language.value));
  return [...(label === null ? [] : [label]), ...lines, ...(way.length > 0 ? ['', say.way, ...way] : [])].join('\n');
}

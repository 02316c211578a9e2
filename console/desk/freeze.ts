import { moment } from '../../src/words/figures.ts';
import { labelled, words } from '../browser/words.ts';
import type { AddressFunds } from '../service/tracing-answers.ts';

type Row = AddressFunds['rows'][number];

/** Ends at which the money can still be stopped: a wallet that holds it, an exchange that took it. */
export function isHolder({ kind, category }: Pick<Row, 'kind' | 'category'>): boolean {
  return kind === 'held' || category === 'exchange' || category === 'high_risk_exchange';
}

/** The text that asks an exchange or an issuer to stop money: where it is, what it is, and the transactions that show it. */
export function freezingRequest({ chain, address, label, assets, path, first_at, last_at }: Row): string {
  const texts = words().canvas.freezing;
  const quantities = Object.entries(assets).map(([asset, amount]) => `${amount} ${asset}`);
  return [
    label === null ? null : labelled(texts.service, label),
    labelled(texts.address, address ?? ''),
    labelled(texts.chain, chain ?? ''),
    labelled(texts.assets, quantities.join(', ')),
    first_at === null ? null : labelled(texts.arrived, [...new Set([moment(first_at), moment(last_at)])].join(' – ')),
    texts.transactions,
    ...path.map(
      ({ tx_hash, at, amount, asset, chain: on }) => `- ${tx_hash} (${on}, ${moment(at)}, ${amount} ${asset})`,
    ),
  ]
    .filter((line) => line !== null)
    .join('\n');
}

import { moment } from '../../../../words/figures.ts';
import { fill } from '../../../../words/fill.ts';
import type { Language } from '../../../../words/language.ts';
import { WORDS } from '../../../../words/words.ts';
import type { BridgeFacts, BridgeSide } from '../../../domain/bridges/bridge-facts.ts';
import { addToGroup } from '../../../domain/group-by.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';

/**
 * Sentences for the rows of a confirmed crossing: the transfer by which the money left its sender, and the one by which it
 * reached its recipient, each name the other's transaction and who confirmed the match when.
 */
export function crossingReasons(
  confirmed: readonly BridgeFacts[],
  language: Language,
): (transfer: Transfer) => string[] {
  const say = WORDS[language].bridges;
  const left = new Map<string, string[]>();
  const arrived = new Map<string, string[]>();
  for (const { source, destination, confirmed: made } of confirmed) {
    if (!made) continue;
    const by = fill(say.confirmed, { by: made.by, at: moment(made.at, language) });
    const sent = fill(say.rowLeft, placeOf(destination)) + by;
    const received = fill(say.rowArrived, placeOf(source)) + by;
    addToGroup(left, `${source.chain} ${source.tx_hash} ${source.address}`, sent);
    addToGroup(arrived, `${destination.chain} ${destination.tx_hash} ${destination.address}`, received);
  }
  return ({ chain, txHash, from, to }) => [
    ...(left.get(`${chain} ${txHash} ${from}`) ?? []),
    ...(arrived.get(`${chain} ${txHash} ${to}`) ?? []),
  ];
}

function placeOf({ chain, tx_hash }: BridgeSide) {
  return { chain: chain ?? '', tx: tx_hash ?? '' };
}

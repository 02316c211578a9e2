import type { BridgeFacts } from '../../../domain/bridges/bridge-facts.ts';
import { addToGroup } from '../../../domain/group-by.ts';
import { isoInJapan } from '../../../domain/time.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { reasonColumn as say } from '../../../words/ja/reports/reason-column.ts';

/**
 * What the rows of a confirmed crossing say of it, in Japanese: the transfer by which the money left its sender, and the one
 * by which it reached its recipient, each name the other's transaction and who confirmed the match when.
 */
export function crossingReasons(confirmed: readonly BridgeFacts[]): (transfer: Transfer) => string[] {
  const left = new Map<string, string[]>();
  const arrived = new Map<string, string[]>();
  for (const { source, destination, confirmed: made } of confirmed) {
    if (!made) continue;
    const at = isoInJapan(Date.parse(made.at)).slice(0, 19).replace('T', ' ');
    const by = say.confirmed(made.by, at);
    const sent = say.sent(destination.chain, destination.tx_hash) + by;
    const received = say.received(source.chain, source.tx_hash) + by;
    addToGroup(left, `${source.chain} ${source.tx_hash} ${source.address}`, sent);
    addToGroup(arrived, `${destination.chain} ${destination.tx_hash} ${destination.address}`, received);
  }
  return ({ chain, txHash, from, to }) => [
    ...(left.get(`${chain} ${txHash} ${from}`) ?? []),
    ...(arrived.get(`${chain} ${txHash} ${to}`) ?? []),
  ];
}

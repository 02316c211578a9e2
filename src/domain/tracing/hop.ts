import { addressOf, chainOf } from '../address/address-key.ts';
import { roundUsd } from '../amount.ts';
import { bridgeFacts } from '../bridges/bridge-facts.ts';
import { isEvmChain } from '../chain.ts';
import { iso } from '../time.ts';
import { verifiedToken } from '../tokens/token.ts';
import { shownTags } from '../transfers/tags.ts';
import type { Hop } from './answers.ts';
import type { Direction, FlowPortion } from './flow-portion.ts';
import type { TracedTransfer } from './traced-transfer.ts';

type ShownTransfer = Pick<TracedTransfer, 'txHash' | 'asset' | 'amount' | 'usd' | 'at' | 'tags' | 'bridge' | 'paidOut'>;

/**
 * A transfer between two graph keys (`chain:address`) as a hop. What crossed a bridge is shown as it left its chain, with the
 * crossing's value; what a swap paid out as its recipient got it.
 */
export function hopOf(
  transfer: ShownTransfer,
  ends: { from: string; to: string; priced?: boolean; token?: string | null; assetId?: string },
): Hop {
  const { bridge, paidOut } = transfer;
  const hop = {
    from: addressOf(ends.from),
    to: addressOf(ends.to),
    chain: chainOf(ends.from),
    tx_hash: transfer.txHash,
    asset: transfer.asset,
    amount: transfer.amount,
    usd: ends.priced === false ? null : roundUsd(transfer.usd),
    at: iso(transfer.at),
    ...shownTags(transfer),
    ...(isClaim(ends) && { claimed: true as const }),
  };
  if (paidOut) {
    const { given, got } = paidOut;
    const { asset, amount } = got;
    const conversion = [{ tx_hash: hop.tx_hash, from_asset: given.asset, to_asset: asset }];
    return { ...hop, asset, amount, usd: got.priced ? roundUsd(got.usd) : null, conversion };
  }
  // A request that leaves other chains out gets no facts of them.
  if (!bridge || bridge.end === 'cross_chain_off') return hop;
  const facts = bridgeFacts(bridge.crossing, bridge.end);
  const { source, usd } = bridge.crossing;
  if (bridge.end !== null || source === null) return { ...hop, bridge: facts };
  const { tx: tx_hash, asset, amount, at } = source;
  return { ...hop, tx_hash, asset, amount, usd: usd === null ? null : roundUsd(usd), at: iso(at), bridge: facts };
}

/**
 * The way of an address's money as hops in the order in which it moved. A swap stands at the hop that paid on what the
 * swap brought.
 */
export function hopsOf(direction: Direction, path: readonly FlowPortion[]): Hop[] {
  const hops = path.map(({ transfer, conversions }, i): Hop => {
    // A transfer lists the swaps between itself and the one nearer to the subject.
    const swaps = direction === 'received' ? (path[i + 1]?.conversions ?? []) : conversions;
    const hop = hopOf(transfer, transfer);
    if (swaps.length === 0) return hop;
    const before = swaps.map(({ txHash, from, to, isAccount }) => ({
      tx_hash: txHash,
      from_asset: from,
      to_asset: to,
      ...(isAccount ? { contract_account: true as const } : {}),
    }));
    if (direction === 'received') before.reverse();
    return { ...hop, conversion: [...before, ...(hop.conversion ?? [])] };
  });
  return direction === 'received' ? hops.reverse() : hops;
}

/** True for a token without a price that is none of the verified ones, on chains where its contract writes the log. */
function isClaim({
  from,
  priced,
  token,
  assetId,
}: {
  from: string;
  priced?: boolean;
  token?: string | null;
  assetId?: string;
}): boolean {
  const chain = chainOf(from);
  if (priced !== false || !(isEvmChain(chain) || chain === 'tron')) return false;
  const contract = token ?? assetId?.split('#')[0] ?? 'coin';
  return contract !== 'coin' && !contract.startsWith('symbol:') && token !== null && !verifiedToken(chain, contract);
}

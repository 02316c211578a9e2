import type { GraphContext, LabelsContext } from '../../context.ts';
import { addressKey, pairName } from '../../domain/address/address-key.ts';
import type { Chain, ChainAddress } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { addToGroup } from '../../domain/group-by.ts';
import type { Category } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { shownTags } from '../../domain/transfers/tags.ts';
import { type PathTransfer, pairTransfers } from '../../graph/queries/path.ts';
import { findNodeLabels } from '../../labels/node-labels.ts';
import type { Viewer } from '../../tracing/read/inquiry.ts';

/** A payer and a payee, canonical. */
interface TransferPair {
  chain: Chain;
  from: string;
  to: string;
}

interface PairTransfersRequest {
  pairs: readonly TransferPair[];
  limit: number;
}

/** The largest transfers of each pair in the order of time, and what is known of the ends. Throws GraphError. */
export async function listPairTransfers(
  ctx: GraphContext & LabelsContext & Viewer,
  { pairs, limit }: PairTransfersRequest,
) {
  const keys = pairs.map(({ chain, from, to }) => ({ from: addressKey(chain, from), to: addressKey(chain, to) }));
  const wanted = [...new Map(keys.map((pair) => [pairName(pair), pair])).values()];
  const found = await pairTransfers(ctx.graph, wanted, { minUsd: 0, perPair: limit + 1, timeoutMs: ctx.remainingMs() });
  return {
    pairs: pairs.map(({ chain, from, to }, i) => {
      const moved = found.get(pairName(keys[i]!)) ?? [];
      const largest = moved.toSorted((a, b) => b.usd - a.usd || compare(a.id, b.id)).slice(0, limit);
      return { from, to, chain, transfers: largest.sort(byTime).map(shown), truncated: moved.length > limit };
    }),
    addresses: await describeAddresses(
      ctx,
      pairs.flatMap(({ chain, from, to }) => [
        { chain, address: from },
        { chain, address: to },
      ]),
    ),
  };
}

/** Returns what labels say of each address, once, and whether the caller has read it. */
export async function describeAddresses(ctx: LabelsContext & Viewer, places: readonly ChainAddress[]) {
  const byChain = new Map<Chain, string[]>();
  for (const { chain, address } of places) addToGroup(byChain, chain, address);
  const ends = [];
  for (const [chain, listed] of byChain) {
    const addresses = [...new Set(listed)];
    const labels = await findNodeLabels(ctx.labels, chain, addresses, ctx.now());
    const read = await ctx.readBy(addresses.map((address) => addressKey(chain, address)));
    for (const address of addresses) {
      const key = addressKey(chain, address);
      const known = labels.get(key);
      ends.push({
        address,
        chain,
        label: known?.label ?? null,
        category: (known?.category ?? 'unknown') as Category,
        entity: known?.entity_id ?? null,
        read: read.has(key),
      });
    }
  }
  return ends;
}

function byTime(a: PathTransfer, b: PathTransfer): number {
  return a.at - b.at || compare(a.id, b.id);
}

function shown({ txHash, at, asset, amount, usd, priced, tags }: PathTransfer) {
  return { tx_hash: txHash, at: iso(at), asset, amount, usd: priced ? usd : null, ...shownTags({ tags }) };
}

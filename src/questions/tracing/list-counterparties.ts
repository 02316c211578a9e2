import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import { addressOf } from '../../domain/tracing/hop.ts';
import { addressKey } from '../../graph/address-key.ts';
import { type Dealing, readDealings } from '../../graph/queries/relationship.ts';
import { findNodeLabels } from '../../labels/node-labels.ts';
import type { ReadBy } from './graph-reader.ts';

const BUDGET_MS = 10_000;

export interface CounterpartiesRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  limit: number;
  readBy: ReadBy;
}

/** Counterparties of an address in the graph, the most valuable first, and whether the account has read each. */
export async function listCounterparties(
  ctx: Pick<Context, 'graph' | 'labels' | 'now'>,
  { chain, address, limit, readBy }: CounterpartiesRequest,
) {
  const key = addressKey(chain, address);
  const { byAddress, cut } = await readDealings(ctx.graph, key, BUDGET_MS);
  const shown = [...byAddress].slice(0, limit);
  const [read, labels] = await Promise.all([
    readBy([key, ...shown.map(([far]) => far)]),
    findNodeLabels(ctx.labels, chain, [address], ctx.now()),
  ]);
  const own = labels.get(key);
  return {
    address,
    chain,
    label: own?.label ?? null,
    category: (own?.category ?? 'unknown') as Category,
    read: read.has(key),
    counterparties: shown.map(([far, dealings]) => ({
      address: addressOf(far),
      label: dealings[0]?.label ?? null,
      category: dealings[0]?.category ?? ('unknown' as const),
      read: read.has(far),
      sent: totalsOf(dealings, 'sent'),
      received: totalsOf(dealings, 'received'),
    })),
    total: byAddress.size,
    limit,
    truncated: cut || byAddress.size > limit,
  };
}

function totalsOf(dealings: Dealing[], direction: Dealing['direction']) {
  return dealings.find((dealing) => dealing.direction === direction)?.totals ?? null;
}

import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import { addressOf } from '../../domain/tracing/hop.ts';
import { addressKey } from '../../graph/address-key.ts';
import { readCounterparties } from '../../graph/queries/relationship.ts';
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
  const { shown, total, cut } = await readCounterparties(ctx.graph, key, { limit, timeoutMs: BUDGET_MS });
  const [read, labels] = await Promise.all([
    readBy([key, ...shown.map((party) => party.key)]),
    findNodeLabels(ctx.labels, chain, [address], ctx.now()),
  ]);
  const own = labels.get(key);
  return {
    address,
    chain,
    label: own?.label ?? null,
    category: (own?.category ?? 'unknown') as Category,
    read: read.has(key),
    counterparties: shown.map((party) => ({
      address: addressOf(party.key),
      label: party.label,
      category: party.category ?? ('unknown' as const),
      read: read.has(party.key),
      sent: party.sent,
      received: party.received,
    })),
    total,
    limit,
    truncated: cut || total > limit,
  };
}

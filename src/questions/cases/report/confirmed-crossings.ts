import type { Context } from '../../../context.ts';
import { addressKey } from '../../../domain/address/address-key.ts';
import { type BridgeFacts, bridgeFacts } from '../../../domain/bridges/bridge-facts.ts';
import { decided } from '../../../domain/bridges/crossing.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { openCrossings } from '../../../graph/queries/crossings.ts';
import { inquire } from '../../tracing/inquiry.ts';
import { withinTraceBudget } from './within-trace-budget.ts';

/**
 * The crossings from or to the addresses whose likely match the account confirmed, in the order in which the money left.
 * Null where the graph takes too long. Throws GraphError.
 */
export async function confirmedCrossings(
  ctx: Context,
  accountId: string,
  addresses: readonly { chain: Chain; address: string }[],
): Promise<BridgeFacts[] | null> {
  const inquiry = await inquire(ctx, accountId);
  const { policy } = inquiry;
  if (!policy.hasConfirmed) return [];
  const keys = addresses.map(({ chain, address }) => addressKey(chain, address));
  return withinTraceBudget(inquiry, async ({ graph, remainingMs }) => {
    const timeoutMs = Math.max(1, remainingMs());
    const { byKey } = await openCrossings(graph, keys, { timeoutMs, labels: new Map() });
    const found = new Map([...byKey.values()].flat().map((crossing) => [crossing.id, decided(crossing, policy)]));
    return [...found.values()]
      .filter(({ match }) => match === 'confirmed')
      .map((crossing) => bridgeFacts(crossing, null))
      .sort((a, b) => compare(a.source.at ?? '', b.source.at ?? '') || compare(a.crossing_id, b.crossing_id));
  });
}

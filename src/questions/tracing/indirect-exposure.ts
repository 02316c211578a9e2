import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { CATEGORIES, type Category } from '../../domain/label.ts';
import type { Direction, Source } from '../../domain/tracing/exposure.ts';
import { addressOf } from '../../domain/tracing/hop.ts';
import { addressKey } from '../../graph/address-key.ts';
import type { IndirectExposure } from '../../risk/assessment.ts';
import { traceMoney } from './trace-money.ts';

const MAX_HOPS = 3;
const LIMIT = 100;
const BUDGET_MS = 2_000;
/** Sources whose way is told. */
const WAYS = 5;

/**
 * What the graph knows of an address's money beyond its direct counterparties, per direction and category, for its
 * score. `timedOut` where the small time budget ended first; what it left is not counted. Throws GraphError.
 */
export async function findIndirectExposure(
  ctx: Pick<Context, 'graph'>,
  chain: Chain,
  address: string,
): Promise<{ indirect: IndirectExposure[]; timedOut: boolean }> {
  const directions = ['received', 'sent'] as const;
  const traces = await traceMoney(ctx, addressKey(chain, address), {
    directions,
    maxHops: MAX_HOPS,
    limit: LIMIT,
    budgetMs: BUDGET_MS,
  });
  return {
    indirect: directions.flatMap((direction) => {
      const { sources, totalUsd } = traces[direction];
      return CATEGORIES.flatMap((category) => {
        const found = sources.filter((source) => source.tier === 'indirect' && source.category === category);
        return found.length > 0 ? [toIndirect(chain, direction, category, found, totalUsd)] : [];
      });
    }),
    timedOut: directions.some((direction) => traces[direction].reasons.has('time_budget')),
  };
}

function toIndirect(
  chain: Chain,
  direction: Direction,
  category: Category,
  sources: Source[],
  totalUsd: number,
): IndirectExposure {
  const usd = sources.reduce((sum, source) => sum + source.usd, 0);
  const last = sources.flatMap((source) => source.path.slice(0, 1));
  const ways = sources.flatMap((source) => source.strands);
  return {
    direction,
    category,
    share: totalUsd > 0 ? Math.min(1, usd / totalUsd) : 0,
    usd,
    minHops: Math.min(...sources.map((source) => source.hops)),
    evidence: [...new Set(last.map(transferId))],
    counterparties: [...new Set(ways.map((way) => addressOf(chain, firstOf(way))))],
    // Largest first.
    ways: sources.slice(0, WAYS).map((source) => ({
      address: addressOf(chain, source.address),
      usd: source.usd,
      hops: source.hops,
      path: source.path.map(transferId),
    })),
  };
}

function transferId({ txHash, index }: Source['path'][number]): string {
  return `${txHash}#${index}`;
}

/** The subject's own counterparty at the beginning of a way. */
function firstOf(way: Source['strands'][number]): string {
  let step = way;
  while (step.before !== null) step = step.before;
  return step.far;
}

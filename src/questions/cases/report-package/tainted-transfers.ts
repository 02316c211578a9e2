import type { Context } from '../../../context.ts';
import { ADVERSE_CATEGORIES } from '../../../domain/label.ts';
import { tracedUsdOfOwn } from '../../../domain/tracing/tainted.ts';
import { addressKey } from '../../../graph/address-key.ts';
import { accountPolicy } from '../../tracing/bridge-matches/account-policy.ts';
import { readByAccount } from '../../tracing/own-readings.ts';
import { traceMoney } from '../../tracing/trace-money.ts';
import type { AddressReportInput } from '../gather-address-report.ts';
import { withinTraceBudget } from '../within-trace-budget.ts';

/**
 * US dollars of each transfer of an address that exposure traces to illicit parties, by transfer id: the haircut behind
 * the report's sums. Null where exposure or this search exceeded its budget.
 */
export async function taintedTransfers(
  ctx: Context,
  accountId: string,
  { chain, address, exposure }: AddressReportInput,
): Promise<ReadonlyMap<string, number> | null> {
  if (exposure === null) return null;
  const { max_hops: maxHops, limit, direct, indirect } = exposure;
  const isIllicit = ({ category }: { category: (typeof direct)[number]['category'] }) =>
    ADVERSE_CATEGORIES.includes(category);
  const directions = (['received', 'sent'] as const).filter((direction) =>
    [...direct, ...indirect].some((bucket) => bucket.direction === direction && isIllicit(bucket)),
  );
  if (directions.length === 0) return new Map();
  const policy = await accountPolicy(ctx, accountId);
  return withinTraceBudget(ctx, accountId, async (graph) => {
    const request = { directions, maxHops, limit, readBy: readByAccount(ctx, accountId), policy };
    const traces = await traceMoney({ ...ctx, graph }, addressKey(chain, address), request);
    return new Map(
      directions.flatMap((direction) => [
        ...tracedUsdOfOwn(traces[direction], traces[direction].parties.filter(isIllicit), direction, traces.replays),
      ]),
    );
  });
}

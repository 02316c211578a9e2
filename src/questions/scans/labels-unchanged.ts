import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { findRead } from '../../records/scans/read-cache.ts';

/** The clock of the process that changed a label may be behind this one, and a change is seen a while after it is dated. */
const BEHIND_MS = 500;

/**
 * True when no label of the address or of anyone it dealt with has changed since `since` (epoch ms):
 * only then may an answer made at that moment be given again.
 */
export async function labelsUnchangedSince(
  ctx: Context,
  chain: Chain,
  address: string,
  since: number,
): Promise<boolean> {
  const changed = await ctx.labels.changedSince(chain, since - BEHIND_MS);
  if (changed.size === 0) return true;
  const read = await findRead(ctx.records, chain, address, ctx.now());
  if (!read || changed.has(address)) return false;
  return !read.history.transfers.some((transfer) => changed.has(transfer.from) || changed.has(transfer.to));
}

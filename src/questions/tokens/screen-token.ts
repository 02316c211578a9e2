import type { Context } from '../../context.ts';
import { iso } from '../../domain/time.ts';
import { SourceError } from '../../errors.ts';
import { reasonOf, screenTokenTransfers } from '../../risk/scoring/token-screening.ts';
import { totalAmount } from '../../risk/views/window.ts';
import { readTokenTransfers, type TokenWindow } from './read-token-transfers.ts';

/** For asking what kind of addresses the busiest senders are. */
const KINDS_MS = 3_000;

/** Returns who behaves badly among the newest transfers of a token, whoever made them; read-only. */
export async function screenToken(ctx: Context, asked: TokenWindow) {
  const startedAt = performance.now();
  const { chain, token, from, to } = asked;
  const { symbol, transfers, lacks } = await readTokenTransfers(ctx, asked);
  await ctx.prices.price(transfers);
  const parties = new Set(transfers.flatMap((transfer) => [transfer.from, transfer.to]));
  const labels = await ctx.labels.find(chain, [...parties]);
  const labelsOf = (address: string) => labels.get(address) ?? [];
  const window = { chain, transfers, labelsOf, asOf: ctx.now() };
  const busy = screenTokenTransfers(window).filter(({ pattern }) => pattern === 'rapid_distribution');
  const contracts = await contractsAmong(
    ctx,
    asked,
    busy.map(({ address }) => address),
  );
  const flags = screenTokenTransfers({ ...window, contracts });
  return {
    success: true as const,
    chain,
    token_contract: token,
    token_symbol: symbol,
    start_date: iso(from),
    end_date: iso(to),
    total_transfers_analyzed: transfers.length,
    ...lacks,
    flagged_addresses: flags.map((flag) => ({
      address: flag.address,
      pattern_type: flag.pattern,
      severity: flag.severity,
      reason: reasonOf(flag, asked.lang),
      tx_count: new Set(flag.transfers.map(({ txHash }) => txHash)).size,
      total_amount: Number(totalAmount(flag.transfers)),
      sample_tx_hash: flag.transfers[0]!.txHash,
    })),
    query_duration_ms: Math.round(performance.now() - startedAt),
    error: null,
  };
}

/** Those that the chain says are contracts, as pools are; where it does not say in time, an address counts as a wallet. */
async function contractsAmong(
  ctx: Context,
  { account, chain }: TokenWindow,
  addresses: readonly string[],
): Promise<Set<string>> {
  const source = await ctx.chainSource(chain);
  const signal = AbortSignal.timeout(KINDS_MS);
  const isContract = async (address: string) => {
    const state = await source?.account(address, { account, signal }).catch((error: unknown) => {
      if (error instanceof SourceError || signal.aborted) return null;
      throw error;
    });
    return state?.isContract === true;
  };
  const kinds = await Promise.all(addresses.map(isContract));
  return new Set(addresses.filter((_, i) => kinds[i]));
}

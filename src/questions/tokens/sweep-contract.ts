import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import { reasonOf, sweepTransfers } from '../../risk/scoring/sweep.ts';
import { totalAmount } from '../../risk/views/window.ts';
import type { Language } from '../../words/language.ts';
import { readTokenTransfers } from './read-token-transfers.ts';

export interface ContractSweep {
  chain: Chain;
  /** Canonical contract, mint or `CURRENCY.issuer`. */
  token: string;
  /** Epoch ms, inclusive. */
  from: number;
  to: number;
  lang: Language;
}

/** Returns who behaves badly among the newest transfers of a token, whoever made them; read-only. */
export async function sweepContract(ctx: Context, sweep: ContractSweep) {
  const startedAt = performance.now();
  const { chain, token, from, to } = sweep;
  const { symbol, transfers, lacks } = await readTokenTransfers(ctx, chain, { token, from, to }, sweep.lang);
  await ctx.prices.price(transfers);
  const parties = new Set(transfers.flatMap((transfer) => [transfer.from, transfer.to]));
  const labels = await ctx.labels.find(chain, [...parties]);
  const labelsOf = (address: string) => labels.get(address) ?? [];
  const flags = sweepTransfers({ chain, transfers, labelsOf, asOf: ctx.now() });
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
      reason: reasonOf(flag, sweep.lang),
      tx_count: new Set(flag.transfers.map(({ txHash }) => txHash)).size,
      total_amount: Number(totalAmount(flag.transfers)),
      sample_tx_hash: flag.transfers[0]!.txHash,
    })),
    query_duration_ms: Math.round(performance.now() - startedAt),
    error: null,
  };
}

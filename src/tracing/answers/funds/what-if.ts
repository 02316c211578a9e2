import { addressKey } from '../../../domain/address/address-key.ts';
import { roundUsd } from '../../../domain/amount.ts';
import type { Chain } from '../../../domain/chain.ts';
import { iso, isoOrNull } from '../../../domain/time.ts';
import { InvalidInputError } from '../../../errors.ts';
import { unattributedUsd } from '../../engine/walk/findings.ts';
import { type MoneyTraces, type TraceContext, traceMoney } from '../../read/trace-money.ts';
import { traceCoverage } from '../coverage.ts';
import { carriedOf } from './flows.ts';
import { FUNDS_HOPS, FUNDS_LIMIT } from './funds-of.ts';

/** Each is a trace of its own. */
export const FREEZES_MAX = 5;

export interface Freeze {
  chain: Chain;
  address: string;
  /** Epoch ms from which the address can send nothing. */
  at: number;
}

/**
 * Says what freezes would have kept of the money that an address sent: the account of it is replayed as if each frozen address,
 * and then all of them, had sent nothing from their moment on. All that is said follows from what happened: what
 * would have been done instead is not known. Throws GraphError, or InvalidInputError for an address that is named twice.
 */
export async function whatIf(
  ctx: TraceContext,
  {
    chain,
    address,
    freezes,
    maxHops = FUNDS_HOPS.usual,
  }: { chain: Chain; address: string; freezes: readonly Freeze[]; maxHops?: number },
) {
  const keys = [addressKey(chain, address)];
  const keyed = freezes.map((freeze) => ({ ...freeze, key: addressKey(freeze.chain, freeze.address) }));
  if (new Set(keyed.map(({ key }) => key)).size < keyed.length)
    throw new InvalidInputError('Each address can be frozen once');
  const run = (frozen?: ReadonlyMap<string, number>) =>
    traceMoney(ctx, keys, { directions: ['sent'], exchanges: 'in_account', maxHops, limit: FUNDS_LIMIT, frozen });
  const happened = await run();
  const kept = async (frozen: typeof keyed) => {
    const replayed = await run(new Map(frozen.map(({ key, at }) => [key, at])));
    if (endedByTime(replayed)) return null;
    return roundUsd(frozen.reduce((sum, { key }) => sum + restingUsd(replayed, key, happened), 0));
  };
  const rows = [];
  for (const freeze of keyed) {
    const { key, at } = freeze;
    const { reachedUsd, leftAt } = throughOf(happened, key);
    rows.push({
      chain: freeze.chain,
      address: freeze.address,
      at: iso(at),
      reached_usd: roundUsd(reachedUsd),
      kept_usd: await kept([freeze]),
      still_usd: roundUsd(restingUsd(happened, key, happened)),
      keeps_until: isoOrNull(leftAt),
    });
  }
  const together = keyed.length === 1 ? rows[0]!.kept_usd : await kept(keyed);
  const sent = happened.account.sent;
  const traces = { ...happened, sent };
  const covered = { directions: ['sent'], unattributedUsd: unattributedUsd(sent), listGap: ctx.listGap } as const;
  return {
    address,
    chain,
    total_usd: roundUsd(sent.totalUsd),
    freezes: rows,
    together_usd: together,
    coverage: traceCoverage(keys, { traces, ...covered }),
  };
}

/** A replay that the deadline cut says nothing of what a freeze keeps. */
function endedByTime({ account }: MoneyTraces): boolean {
  return account.sent.unattributed.has('time_budget');
}

/** US dollars of the money that end at an address without a label; at a subject, those that it did not send. */
function restingUsd({ account, subjects }: MoneyTraces, key: string, happened: MoneyTraces): number {
  const sent = happened.subjects.get(key)?.totals.sent.usd;
  if (sent !== undefined) return Math.max(0, sent - (subjects.get(key)?.totals.sent.usd ?? 0));
  return account.sent.ends.reduce(
    (sum, { address, reason, usd }) => sum + (address === key && reason !== 'fees' ? usd : 0),
    0,
  );
}

/** Returns what of the money came to an address, and when the last of it left; null where none did. */
function throughOf({ account, subjects }: MoneyTraces, key: string): { reachedUsd: number; leftAt: number | null } {
  let reachedUsd = 0;
  let leftAt: number | null = null;
  for (const { transfer, usd } of carriedOf(account.sent)) {
    if (transfer.to === key) reachedUsd += usd;
    if (transfer.from === key) leftAt = Math.max(leftAt ?? 0, transfer.at);
  }
  return { reachedUsd: subjects.get(key)?.totals.sent.usd ?? reachedUsd, leftAt };
}

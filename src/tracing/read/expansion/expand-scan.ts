import type { Context } from '../../../context.ts';
import { addressKey } from '../../../domain/address/address-key.ts';
import type { Chain } from '../../../domain/chain.ts';
import { ROW_TRACE_ADDRESSES } from '../../../plans.ts';
import { saveTraced } from '../../../records/scans/traced-addresses.ts';
import { EXPOSURE_RULES } from '../../../risk/rules.ts';
import { HOPS_DEEPEST, stepsWithin } from '../../engine/walk/distances.ts';
import type { ExpansionBudget } from '../frontier.ts';
import type { ReadingInquiry } from '../inquiry.ts';
import type { TraceRequest } from '../trace-money.ts';
import { type Expansion, expand, isOpened } from './expand.ts';

/** How far a scan follows money. */
export const SCAN_MAX_HOPS = HOPS_DEEPEST;
/** Part of a scan's time for tracing that one of its traces may take. */
export const ONE_TRACE = 1 / 3;
/** Limits of each trace of a scan: the last one of its expansion is the one that is scored. */
export const SCAN_TRACE = {
  limit: 100,
  rowBudget: 100_000,
  recentDays: EXPOSURE_RULES.recent_days,
  endsAtAccomplices: true,
  withUnpriced: true,
};
/** Addresses that a scan opens on the sent side: the received side shows whose money it is. */
const SENT_ADDRESSES = 3;
const MIN_SHARE = 0.01;
/** Bridges whose other side a scan looks for. */
const CROSSINGS = 8;
/** Wallets with one way in and one way out that a scan opens beside the others: chains of them are bought as scripts. */
const RELAYS = 60;
/** Transactions at markets that a scan, or one row of many, reads. */
const TRANSACTIONS = { scan: 8, row: 2 } as const;

/** Which addresses behind the subject may be opened: those of a scan, of one row of many, of Follow Mode, or none. */
export type TraceReach = 'scan' | 'row' | 'follow' | 'none';

export interface ScanExpansion {
  chain: Chain;
  address: string;
  reach: TraceReach;
  /** Which of the address's own transfers are followed; default: all. */
  follows?: TraceRequest['follows'];
  /** Hops that Follow Mode walks; absent for a scan, which searches as far as any money goes. */
  depth?: number;
  /** True for a fresh scan: what contradicts itself is read again. */
  readsAgain?: boolean | undefined;
  /** Epoch ms: readings before this moment are continued; default: as long as scans are kept. */
  readSince?: number | undefined;
}

/**
 * Opens the addresses around a scanned one that hold most of its money, within the budgets of a scan. Null where
 * none may be opened; a failed source is among the `reasons`. Throws GraphError, and what the signal says.
 */
export async function expandScan(ctx: Context & ReadingInquiry, scan: ScanExpansion): Promise<Expansion | null> {
  const { chain, address, reach, follows, depth, readsAgain, readSince } = scan;
  const addresses = addressesOf(reach, ctx.config);
  if (addresses.total === 0 || !(await ctx.chainSource(chain))) return null;
  return expand(ctx, {
    key: addressKey(chain, address),
    withSubject: false,
    budget: {
      directions: ['received', 'sent'],
      maxHops: depth ?? SCAN_MAX_HOPS,
      // The last hop is seen from the one before it.
      openHops: stepsWithin(depth ?? SCAN_MAX_HOPS) - 1,
      addresses,
      minShare: MIN_SHARE,
      minUsd: 0,
      crossings: ctx.policy.crossChain ? CROSSINGS : 0,
      transactions: reach === 'row' ? TRANSACTIONS.row : TRANSACTIONS.scan,
      relays: reach === 'row' ? 0 : RELAYS,
    },
    traced: { ...SCAN_TRACE, traceMs: ctx.config.SCAN_TRACE_MS * ONE_TRACE, follows },
    readsAgain,
    readSince,
    keep: (opened) => {
      const read = opened.filter(isOpened).map((one) => ({ chain, ...one }));
      return saveTraced(ctx.records, ctx.accountId, read, ctx.now());
    },
  });
}

/** The same for each account: what an address is does not depend on who asks. */
function addressesOf(
  reach: TraceReach,
  { SCAN_TRACE_ADDRESSES: most }: Context['config'],
): ExpansionBudget['addresses'] {
  if (reach === 'none') return { total: 0, received: 0, sent: 0 };
  // Follow Mode asks both ways: where the money came from, and where it went.
  if (reach === 'follow') return { total: 2 * most, received: most, sent: most };
  const received = reach === 'row' ? Math.min(ROW_TRACE_ADDRESSES, most) : most;
  const sent = Math.min(reach === 'row' ? ROW_TRACE_ADDRESSES : SENT_ADDRESSES, most);
  return { total: reach === 'row' ? received : received + sent, received, sent };
}

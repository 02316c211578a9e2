import type { Context } from '../../context.ts';
import { rounded, roundUsd } from '../../domain/amount.ts';
import type { CaseRole } from '../../domain/case.ts';
import type { Chain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { ADVERSE_CATEGORIES, type Category } from '../../domain/label.ts';
import { isNobody } from '../../domain/tracing/asset-id.ts';
import type { Direction } from '../../domain/tracing/carried.ts';
import { carriedOf } from '../../domain/tracing/funds/flows.ts';
import { addressOf, chainOf } from '../../domain/tracing/hop.ts';
import { mergeTiers } from '../../domain/tracing/walk/evidence.ts';
import type { Trace } from '../../domain/tracing/walk/findings.ts';
import { addressKey } from '../../graph/address-key.ts';
import type { Tenant } from '../../http/auth.ts';
import { listCaseAddresses } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { accountPolicy } from '../tracing/bridge-matches/account-policy.ts';
import { DEFAULT_HOPS, FUNDS_LIMIT } from '../tracing/funds/funds-of.ts';
import { readByAccount } from '../tracing/own-readings.ts';
import { traceMoney } from '../tracing/trace-money.ts';

/**
 * Why an address is suggested: money ended there (`labelled`), went through it (`passed_through`), or could not be
 * followed beyond it (`trace_ended`).
 */
export const SUGGESTION_REASONS = ['labelled', 'passed_through', 'trace_ended'] as const;

export interface SuggestedAddress {
  /** Another one than the subject's where the money crossed a bridge. */
  chain: Chain;
  address: string;
  /** The subject whose money it is, on its chain. */
  of_address: string;
  of_chain: Chain;
  direction: Direction;
  hop: number;
  usd: number;
  /** Part of that direction's money of the subject, 0-1. */
  share: number;
  why: (typeof SUGGESTION_REASONS)[number];
  category: Category | null;
  label: string | null;
  /** The role to add it with. */
  role: CaseRole;
}

const SUBJECTS_MAX = 10;
const BUDGET_MS = 8_000;

/**
 * The addresses on the way of the subjects' money that the case does not hold, largest share first, from the graph
 * alone; `truncated` where time or the number of subjects left some out. Throws NotFoundError or GraphError.
 */
export async function suggestAddresses(
  ctx: Pick<Context, 'graph' | 'now' | 'config' | 'records'>,
  tenant: Tenant,
  caseId: string,
  limit: number,
): Promise<{ suggestions: SuggestedAddress[]; total: number; truncated: boolean }> {
  await findCase(ctx.records, tenant.accountId, caseId);
  const addresses = await listCaseAddresses(ctx.records, tenant.accountId, caseId);
  const subjects = addresses.filter(({ role }) => role === 'subject');
  const deadline = performance.now() + BUDGET_MS;
  const policy = await accountPolicy(ctx, tenant.accountId);
  const found: SuggestedAddress[] = [];
  let truncated = subjects.length > SUBJECTS_MAX;
  for (const { chain, address } of subjects.slice(0, SUBJECTS_MAX)) {
    const budgetMs = deadline - performance.now();
    if (budgetMs <= 0) {
      truncated = true;
      break;
    }
    const readBy = readByAccount(ctx, tenant.accountId);
    const bounds = { maxHops: DEFAULT_HOPS, limit: FUNDS_LIMIT, budgetMs };
    const request = { directions: ['received', 'sent'] as const, ...bounds, readBy, policy };
    const traces = await traceMoney(ctx, addressKey(chain, address), request);
    for (const direction of request.directions) {
      truncated ||= traces[direction].left.has('time_budget');
      found.push(...suggestionsOf({ chain, address, direction }, traces[direction]));
    }
  }
  const known = new Set(addresses.map(({ chain, address }) => addressKey(chain, address)));
  const suggestions = largestPerAddress(found.filter(({ chain, address }) => !known.has(addressKey(chain, address))));
  return { suggestions: suggestions.slice(0, limit), total: suggestions.length, truncated };
}

interface Origin {
  chain: Chain;
  address: string;
  direction: Direction;
}

function suggestionsOf({ chain, address, direction }: Origin, trace: Trace): SuggestedAddress[] {
  const suggestion = (
    key: string,
    at: { hop: number; usd: number },
    why: Pick<SuggestedAddress, 'why' | 'category' | 'label' | 'role'>,
  ): SuggestedAddress => ({
    chain: chainOf(key),
    address: addressOf(key),
    of_address: address,
    of_chain: chain,
    direction,
    hop: at.hop,
    usd: roundUsd(at.usd),
    share: trace.totalUsd > 0 ? rounded(Math.min(1, at.usd / trace.totalUsd)) : 0,
    ...why,
  });
  const labelled = mergeTiers(trace.parties).map(({ address: key, hops, usd, category, label }) => {
    const role = ADVERSE_CATEGORIES.includes(category) ? 'counterparty' : 'service';
    return suggestion(key, { hop: hops, usd }, { why: 'labelled', category, label, role });
  });
  const unlabelled = { category: null, label: null, role: 'intermediary' } as const;
  const parties = new Set(trace.parties.map(({ address: key }) => key));
  const passed = arrivalsIn(trace, direction)
    .filter(({ key }) => !parties.has(key) && !isNobody(key))
    .map(({ key, ...at }) => suggestion(key, at, { why: 'passed_through', ...unlabelled }));
  const ended = trace.frontier
    .filter(({ hop }) => hop > 0)
    .map(({ address: key, hop, usd }) => suggestion(key, { hop, usd }, { why: 'trace_ended', ...unlabelled }));
  return [...labelled, ...passed, ...ended].filter(({ usd }) => usd > 0);
}

/** The money that came to each address, as in the flows of the account. */
function arrivalsIn(trace: Trace, direction: Direction): { key: string; hop: number; usd: number }[] {
  const far = groupBy(carriedOf(trace), ({ transfer }) => (direction === 'received' ? transfer.from : transfer.to));
  return [...far].map(([key, carried]) => ({
    key,
    hop: carried.reduce((least, { hops }) => Math.min(least, hops), Number.POSITIVE_INFINITY),
    usd: carried.reduce((sum, { usd }) => sum + usd, 0),
  }));
}

/** One entry an address, that with the largest share; of equal ones the first. */
function largestPerAddress(found: readonly SuggestedAddress[]): SuggestedAddress[] {
  const best = new Map<string, SuggestedAddress>();
  for (const one of found) {
    const key = addressKey(one.chain, one.address);
    const known = best.get(key);
    if (!known || one.share > known.share) best.set(key, one);
  }
  return [...best.values()].sort(
    (a, b) => b.share - a.share || b.usd - a.usd || a.hop - b.hop || compare(a.address, b.address),
  );
}

import type { RecordsContext } from '../../context.ts';
import { addressKey, addressOf, chainOf } from '../../domain/address/address-key.ts';
import { rounded, roundUsd, shareOfMoney } from '../../domain/amount.ts';
import type { CaseRole } from '../../domain/case.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isAdverseCategory } from '../../domain/label.ts';
import type { FundKind, FundsRow, SuggestedAddress } from '../../domain/tracing/answers.ts';
import { isNullAddress } from '../../domain/tracing/asset-id.ts';
import type { Direction, FlowPortion } from '../../domain/tracing/flow-portion.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import type { HolderRow } from '../../graph/queries/entities.ts';
import type { Plan } from '../../plans.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { listCaseAddresses } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { CASE_SUBJECTS_MAX, subjectKeys } from '../../tracing/answers/funds/case-subjects.ts';
import { carriedOf } from '../../tracing/answers/funds/flows.ts';
import { FUNDS_HOPS, FUNDS_LIMIT } from '../../tracing/answers/funds/funds-of.ts';
import { rowsOnPlan } from '../../tracing/answers/funds/plan-funds.ts';
import { fundsRows } from '../../tracing/answers/funds/rows.ts';
import type { Trace } from '../../tracing/engine/walk/findings.ts';
import { entityFields, type Group, knownHolders, partyOfAll } from '../../tracing/read/by-entity.ts';
import { countdown } from '../../tracing/read/inquiry.ts';
import { type TraceContext, traceMoney } from '../../tracing/read/trace-money.ts';

/** Part of the time of a trace: people wait for suggestions. */
const TRACE_PART = 0.8;
const DIRECTIONS: readonly Direction[] = ['received', 'sent'];
/** The side of a transfer towards the subjects, and the other one. */
const SIDES = { received: { near: 'to', far: 'from' }, sent: { near: 'from', far: 'to' } } as const;

/** The reason of each end of the account; an end of another kind is on the way alone. */
const REASONS: Partial<Record<FundKind, SuggestedAddress['why']>> = {
  party: 'labelled',
  bridge: 'labelled',
  held: 'held',
  contract: 'trace_ended',
  not_read: 'trace_ended',
  not_read_since: 'trace_ended',
  not_readable: 'trace_ended',
  partial_history: 'trace_ended',
  contract_not_expanded: 'trace_ended',
  hub_not_expanded: 'trace_ended',
  max_hops: 'trace_ended',
  limit: 'trace_ended',
  time_budget: 'trace_ended',
};

/**
 * The addresses of the flow of funds of all subjects as one party that the case does not hold: its ends as the account
 * has them, then what it went through, the largest share first, from the graph alone. `truncated` where time or the
 * number of subjects left some out. Throws NotFoundError or GraphError.
 */
export async function suggestAddresses(
  ctx: TraceContext & RecordsContext,
  { accountId, plan }: Payer,
  caseId: string,
  { limit, group = 'address' }: { limit: number; group?: Group },
): Promise<{ suggestions: SuggestedAddress[]; total: number; truncated: boolean }> {
  await findCase(ctx.records, accountId, caseId);
  const addresses = await listCaseAddresses(ctx.records, accountId, caseId);
  const { keys: subjects, count } = subjectKeys(addresses);
  const isGrouped = group === 'entity';
  const { keys, own } = isGrouped ? await partyOfAll(ctx.graph, subjects) : { keys: subjects, own: undefined };
  const traces = await traceMoney({ ...ctx, remainingMs: countdown(ctx.config.TRACE_MS * TRACE_PART) }, keys, {
    directions: DIRECTIONS,
    exchanges: 'in_account',
    maxHops: FUNDS_HOPS.usual,
    limit: FUNDS_LIMIT,
    ...(isGrouped ? { own, byEntity: true } : {}),
  });
  const known = [...(own ?? []), ...addresses.map(({ chain, address }) => addressKey(chain, address))];
  const met = DIRECTIONS.flatMap((direction) =>
    [...carriedOf(traces[direction])].map(({ transfer }) => transfer[SIDES[direction].far]),
  );
  const holders: Holders = isGrouped ? await knownHolders(ctx.graph, [...known, ...met]) : new Map();
  const found: Suggestion[] = [];
  for (const direction of DIRECTIONS)
    found.push(...(await suggestionsIn(traces[direction], { direction, plan, holders })));
  const inCase = new Set(known.map((key) => partyName(key, holders)));
  const suggestions = onePerParty(found.filter(({ party }) => !inCase.has(party))).map(({ party: _, ...one }) =>
    isGrouped ? { ...one, ...entityFields(holders.get(addressKey(one.chain, one.address))) } : one,
  );
  const isLate = DIRECTIONS.some((direction) => traces[direction].unattributed.has('time_budget'));
  const truncated = isLate || count > CASE_SUBJECTS_MAX;
  return { suggestions: suggestions.slice(0, limit), total: suggestions.length, truncated };
}

type Holders = ReadonlyMap<string, HolderRow>;

/** `party` is who is suggested: the holder where the answer is grouped and one is known, else the address. */
type Suggestion = SuggestedAddress & { party: string };

function partyName(key: string, holders: Holders): string {
  return holders.get(key)?.id ?? key;
}

async function suggestionsIn(
  trace: Trace,
  { direction, plan, holders }: { direction: Direction; plan: Plan; holders: Holders },
): Promise<Suggestion[]> {
  const { rows } = await fundsRows(trace, {
    ...{ direction, pause: timeSlices(), rowsMax: Number.POSITIVE_INFINITY },
    ...(holders.size > 0 && { holderOf: (key) => holders.get(key) }),
  });
  // Wallets are suggested one by one on every plan.
  const shown = rowsOnPlan(rows, { heldWallets: true, terminals: plan.terminals }).flatMap((row) => {
    const { address, chain, usd, kind } = row;
    if (address === null || chain === null || usd <= 0 || !REASONS[kind]) return [];
    const key = addressKey(chain, address);
    return [{ row, key, party: partyName(key, holders) }];
  });
  const ends = groupBy(shown, ({ party }) => party);
  const { near, far } = SIDES[direction];
  const moved = [...carriedOf(trace)].filter(
    ({ transfer: { from, to } }) => partyName(from, holders) !== partyName(to, holders),
  );
  return [...groupBy(moved, ({ transfer }) => partyName(transfer[far], holders))].flatMap(([party, portions]) => {
    const cameUsd = portions.reduce((sum, { usd }) => sum + usd, 0);
    // A holder has an end for each chain and kind; an address is named by its largest, as the account has it.
    const own = (ends.get(party) ?? []).slice(0, holders.has(portions[0]!.transfer[far]) ? undefined : 1);
    const endUsd = own.reduce((sum, { row }) => sum + row.usd, 0);
    // Largest first.
    const [end] = own;
    const there = portions.filter(({ transfer }) => transfer[far] === end?.key);
    const main = (there.length > 0 ? there : portions).reduce((most, one) => (one.usd > most.usd ? one : most));
    const key = end?.key ?? main.transfer[far];
    if (isNullAddress(key)) return [];
    const subject = ownOf(main).transfer[near];
    const place = {
      chain: chainOf(key),
      address: addressOf(key),
      of_address: addressOf(subject),
      of_chain: chainOf(subject),
      direction,
      party,
    };
    // Where more went on than is there, the way is the news.
    if (end && 2 * endUsd >= cameUsd) {
      const share = Math.min(1, rounded(own.reduce((sum, { row }) => sum + row.share, 0)));
      return [{ ...place, ...endOf(end.row), usd: roundUsd(endUsd), share }];
    }
    return [
      {
        ...place,
        hop: portions.reduce((least, { hops }) => Math.min(least, hops), Number.POSITIVE_INFINITY),
        usd: roundUsd(cameUsd),
        share: shareOfMoney(cameUsd, trace.totalUsd),
        why: 'passed_through' as const,
        category: null,
        label: null,
        role: 'intermediary' as const,
        path: [],
      },
    ];
  });
}

/** The subject's own transfer to which, or from which, most of it went on. */
function ownOf(portion: FlowPortion): FlowPortion {
  let own = portion;
  while (own.onto) own = own.onto;
  return own;
}

function endOf({ kind, category, label, hops, usd, share, path }: FundsRow) {
  const partyRole = isAdverseCategory(category) ? 'counterparty' : 'service';
  const role: CaseRole = category === null ? 'intermediary' : partyRole;
  return { hop: hops, usd, share, why: REASONS[kind] as SuggestedAddress['why'], category, label, role, path };
}

/** One entry a party, that with the largest share; ends first. */
function onePerParty(found: readonly Suggestion[]): Suggestion[] {
  const best = new Map<string, Suggestion>();
  for (const one of found) {
    const known = best.get(one.party);
    if (!known || one.share > known.share) best.set(one.party, one);
  }
  const rank = ({ why }: SuggestedAddress) => (why === 'passed_through' ? 1 : 0);
  return [...best.values()].sort(
    (a, b) => rank(a) - rank(b) || b.share - a.share || b.usd - a.usd || a.hop - b.hop || compare(a.address, b.address),
  );
}

import { counted, trimmed } from '../../../words/figures.ts';
import { addressKey, addressOf, chainOf } from '../../domain/address/address-key.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import {
  TERMINAL_CATEGORIES,
  type Terminal,
  type TerminalCategory,
  type TraceCoverage,
} from '../../domain/tracing/answers.ts';
import { hopsOf } from '../../domain/tracing/hop.ts';
import { assetsOf, evidencePath, mergeTiers } from '../engine/walk/evidence.ts';
import { type TracedParty, unattributedUsd } from '../engine/walk/findings.ts';
import { entityFields, type Group, holdersOfEnds, joinedByEntity, partyOf } from '../read/by-entity.ts';
import { frontierOf } from '../read/frontier.ts';
import type { Inquiry } from '../read/inquiry.ts';
import { type MoneyTraces, type TraceContext, traceMoney } from '../read/trace-money.ts';
import { tagParts } from './arrivals.ts';
import { traceCoverage } from './coverage.ts';
import { type FollowedSpan, followsOnly } from './follows-only.ts';

/** Hops to a terminal: unless more or fewer are asked for, and at most. */
export const TERMINAL_HOPS = { usual: 3, max: 10 };

const DIRECTIONS = ['sent'] as const;
/** Most addresses opened for each hop. */
const ADDRESSES_PER_HOP = 1_000;
/** Bounds that leave money unfollowed. */
const CUTS = [
  'max_hops',
  'limit',
  'small_share',
  'time_budget',
  'hub_not_expanded',
  'contract',
  'contract_not_expanded',
] as const;

export interface TerminalsRequest extends FollowedSpan {
  chain: Chain;
  /** Canonical. */
  address: string;
  maxHops: number;
  categories: TerminalCategory[];
  limit: number;
  /** Left out: the address alone. */
  group?: Group;
  /** Terminals to skip at the beginning; default: none. */
  offset?: number;
}

/** Traces what an address sent and returns the labelled endpoints of it. */
export async function getTerminals(ctx: TraceContext, request: TerminalsRequest) {
  const { chain, address, maxHops } = request;
  const bounds = { directions: DIRECTIONS, withPaths: true, maxHops, limit: ADDRESSES_PER_HOP };
  const search = { ...bounds, follows: followsOnly(request) };
  const key = addressKey(chain, address);
  if (request.group !== 'entity') return terminalsOf(ctx, request, await traceMoney(ctx, [key], search));
  const party = await partyOf(ctx.graph, key);
  const traces = await traceMoney(ctx, party.keys, { ...search, own: party.own, byEntity: true });
  const holders = await holdersOfEnds(ctx.graph, traces);
  const found = terminalsOf(ctx, request, joinedByEntity(traces, holders), party.keys);
  const holderOf = ({ chain, address }: Terminal) => holders.get(addressKey(chain, address));
  const terminals = found.terminals.map((one) => ({ ...one, ...entityFields(holderOf(one)) }));
  return { ...found, terminals, entity: party.entity };
}

/**
 * The labelled endpoints that an address's money reached in time order, largest share of it first; then those that a
 * path leads to without any of it. `found` was traced with paths; the amounts are those of its money alone, as in every
 * other answer: a search for paths also opens addresses for less.
 */
export function terminalsOf(
  { listGap }: Inquiry,
  request: TerminalsRequest,
  found: MoneyTraces,
  keys: readonly string[] = [addressKey(request.chain, request.address)],
) {
  const { chain, address, maxHops, categories, limit, offset = 0 } = request;
  const traces = { ...found, sent: found.reached };
  const moneyUsd = new Map(mergeTiers(found.sent.parties).map(({ address, usd }) => [address, roundUsd(usd)]));
  const terminals = mergeTiers(traces.sent.parties).flatMap((party) => {
    const terminalCategory = categories.find((name) =>
      (TERMINAL_CATEGORIES[name] as readonly Category[]).includes(party.category),
    );
    return terminalCategory ? [toTerminal(withMoney(party, moneyUsd.get(party.address) ?? 0), terminalCategory)] : [];
  });
  terminals.sort((a, b) => b.usd - a.usd);
  const coverage = traceCoverage(keys, {
    traces,
    directions: DIRECTIONS,
    unattributedUsd: unattributedUsd(traces.sent),
    listGap,
  });
  const isCut = CUTS.some((reason) => traces.sent.unattributed.has(reason));
  return {
    address,
    chain,
    max_hops: maxHops,
    categories,
    terminals: terminals.slice(offset, offset + limit),
    total: terminals.length,
    limit,
    offset,
    truncated: terminals.length > offset + limit || isCut,
    coverage,
    note: noteFor(keys, traces, { coverage, maxHops }),
  };
}

export type TerminalsAnswer = ReturnType<typeof terminalsOf>;

/** Returns what the list leaves out or takes as likely, in words; null where nothing. */
function noteFor(
  keys: readonly string[],
  traces: MoneyTraces,
  { coverage, maxHops }: { coverage: TraceCoverage; maxHops: number },
): string | null {
  if (traces.subjects.size === 0) return 'The graph holds no transfers of this address.';
  const frontier = frontierOf(keys, traces, ['sent']);
  const count = (reasons: readonly string[]) => frontier.filter(({ reason }) => reasons.includes(reason)).length;
  const cut = CUTS.filter((reason) => traces.sent.unattributed.has(reason));
  const sentences: string[] = [];
  if (cut.length > 0) sentences.push(`Not everything was followed: ${cut.join(', ')}.`);
  const beyondUsd = coverage.unattributed.max_hops ?? 0;
  if (beyondUsd > 0) {
    const addresses = counted(count(['max_hops']), 'address', 'addresses');
    sentences.push(
      `${trimmed(beyondUsd, 2)} USD was not followed beyond ${counted(maxHops, 'hop', 'hops')}, at ${addresses}.`,
    );
  }
  const likelyUsd = roundUsd(traces.sent.likelyUsd);
  if (likelyUsd > 0) {
    const how = 'over bridges whose other side is only likely (likely_matches=follow)';
    sentences.push(`${trimmed(likelyUsd, 2)} USD was followed ${how}.`);
  }
  const openUsd = roundUsd(traces.sent.openUsd);
  if (openUsd > 0) {
    const how = 'over bridges by statements that anybody can make (bridge_open)';
    sentences.push(`${trimmed(openUsd, 2)} USD was followed ${how}.`);
  }
  const unread = count(['not_read', 'partial_history', 'not_read_since']);
  if (unread > 0) {
    sentences.push(
      `More may lie behind ${counted(unread, 'address', 'addresses')} not read in full (coverage.frontier).`,
    );
  }
  return sentences.length > 0 ? sentences.join(' ') : null;
}

/** Sets the money of a party; one whose money was too small to be followed keeps its path. */
function withMoney(party: TracedParty, usd: number): TracedParty {
  if (usd > 0 || party.usd === 0) return { ...party, usd };
  return { ...party, usd, arrivals: party.arrivals.map((arrival) => ({ ...arrival, usd: 0, fraction: 0 })) };
}

function toTerminal(party: TracedParty, terminalCategory: TerminalCategory): Terminal {
  return {
    address: addressOf(party.address),
    chain: chainOf(party.address),
    label: party.label,
    category: party.category,
    terminal_category: terminalCategory,
    hops: party.hops,
    usd: roundUsd(party.usd),
    reached: party.arrivals.some(({ fraction }) => fraction > 0) ? 'money' : 'path',
    assets: assetsOf(party, 'sent'),
    first_at: iso(party.firstAt),
    last_at: iso(party.lastAt),
    path: hopsOf('sent', evidencePath(party, 'sent')),
    ...tagParts(party.arrivals, 'sent'),
  };
}

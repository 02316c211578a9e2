import type { Context } from '../../context.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import type { Source } from '../../domain/tracing/exposure.ts';
import { addressOf, type Hop, hopOf } from '../../domain/tracing/hop.ts';
import { addressKey } from '../../graph/address-key.ts';
import { traceMoney } from './trace-money.ts';

/** What analysts call a cash-out point, and the label categories that are one. */
export const TERMINAL_CATEGORIES = {
  scam: ['scam', 'drainer', 'theft', 'ransomware'],
  mixing: ['mixer'],
  exchange: ['exchange', 'high_risk_exchange'],
  bridge: ['bridge'],
  sanctioned_entity: ['sanctioned', 'terrorism', 'darknet', 'child_abuse'],
} as const satisfies Record<string, readonly Category[]>;
export type TerminalCategory = keyof typeof TERMINAL_CATEGORIES;

/** Most pairs of addresses followed per hop. */
const PAIRS_PER_HOP = 1_000;

export interface TerminalsRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  maxHops: number;
  categories: TerminalCategory[];
  limit: number;
}

export interface Terminal {
  address: string;
  chain: Chain;
  label: string | null;
  category: Category;
  terminal_category: TerminalCategory;
  hops: number;
  usd: number;
  first_at: string;
  last_at: string;
  path: Hop[];
}

/** The labelled endpoints that an address's money reached in time order, largest share of it first. */
export async function getTerminals(ctx: Pick<Context, 'graph'>, request: TerminalsRequest) {
  const { chain, address, maxHops, categories, limit } = request;
  const traces = await traceMoney(ctx, addressKey(chain, address), {
    directions: ['sent'],
    maxHops,
    limit: PAIRS_PER_HOP,
  });
  const { facts, sent } = traces;
  const terminals = mergeTiers(sent.sources).flatMap((source) => {
    const terminalCategory = categories.find((name) =>
      (TERMINAL_CATEGORIES[name] as readonly Category[]).includes(source.category),
    );
    return terminalCategory ? [toTerminal(chain, source, terminalCategory)] : [];
  });
  const cut = ['limit', 'hub_not_expanded', 'small_share', 'time_budget'].filter((reason) => sent.reasons.has(reason));
  return {
    address,
    chain,
    max_hops: maxHops,
    categories,
    terminals: terminals.slice(0, limit),
    truncated: terminals.length > limit || cut.length > 0,
    note: noteFor(facts === null, cut),
  };
}

function noteFor(unknown: boolean, cut: string[]): string | null {
  if (unknown) return 'The graph holds no transfers of this address.';
  return cut.length > 0 ? `Not everything was followed: ${cut.join(', ')}.` : null;
}

/** An endpoint paid both directly and through others is one endpoint. */
function mergeTiers(sources: Source[]): Source[] {
  const merged = new Map<string, Source>();
  for (const source of sources) {
    const known = merged.get(source.address);
    if (!known) {
      merged.set(source.address, { ...source });
      continue;
    }
    known.usd += source.usd;
    known.hops = Math.min(known.hops, source.hops);
    known.firstAt = Math.min(known.firstAt, source.firstAt);
    known.lastAt = Math.max(known.lastAt, source.lastAt);
  }
  return [...merged.values()].sort((a, b) => b.usd - a.usd || (a.address < b.address ? -1 : 1));
}

function toTerminal(chain: Chain, source: Source, terminalCategory: TerminalCategory): Terminal {
  return {
    address: addressOf(chain, source.address),
    chain,
    label: source.label,
    category: source.category,
    terminal_category: terminalCategory,
    hops: source.hops,
    usd: roundUsd(source.usd),
    first_at: iso(source.firstAt),
    last_at: iso(source.lastAt),
    path: source.path.map((transfer) => hopOf(chain, transfer, { from: transfer.near, to: transfer.far })),
  };
}

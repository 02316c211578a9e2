import type { GraphContext, LabelsContext, RecordsContext } from '../../context.ts';
import { addressKey, addressOf, chainOf } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import type { HolderRow } from '../../graph/queries/entities.ts';
import { type ReadExtent, readKnown } from '../../graph/queries/path.ts';
import {
  type Counterparty,
  type CounterpartyPage,
  type PartyCounterparty,
  readCounterparties,
  readPartyCounterparties,
} from '../../graph/queries/relationship.ts';
import { findNodeLabels } from '../../labels/node-labels.ts';
import { NO_OWN_LABELS, openOwnLabels } from '../../labels/own-labels.ts';
import { entityFields, type Group, knownHolders, partyOf } from '../../tracing/read/by-entity.ts';
import type { Viewer } from '../../tracing/read/inquiry.ts';

/** How much of an address's history was read: `partial` from one payment on, or up to a bound. */
export const HISTORY_STATES = ['whole', 'partial', 'unread'] as const;
type HistoryState = (typeof HISTORY_STATES)[number];

export interface CounterpartiesRequest extends CounterpartyPage {
  chain: Chain;
  /** Canonical. */
  address: string;
  /** Left out: the address alone. */
  group?: Group;
}

/** A page of the counterparties of an address in the graph, and whether the account has read each. */
export async function listCounterparties(
  ctx: GraphContext & LabelsContext & RecordsContext & Viewer,
  { chain, address, group = 'address', ...page }: CounterpartiesRequest,
) {
  const key = addressKey(chain, address);
  const party = group === 'entity' ? await partyOf(ctx.graph, key) : null;
  const { limit, offset = 0 } = page;
  const searched = page.search ? await openOwnLabels(ctx, ctx.accountId) : NO_OWN_LABELS;
  const ownNamesOf = (one: string) => searched.shownOf(chainOf(one), addressOf(one)).map((claimed) => claimed.label);
  const bounds = { ...page, ownNamesOf, timeoutMs: ctx.remainingMs() };
  const { shown, total, cut } = party
    ? await readPartyCounterparties(ctx.graph, { keys: [...party.own], id: party.entity?.id ?? null }, bounds)
    : await readCounterparties(ctx.graph, key, bounds);
  const keys = [key, ...shown.map((party) => party.key)];
  const [holders, read, known, labels, claimed] = await Promise.all([
    party
      ? null
      : knownHolders(
          ctx.graph,
          shown.map((one) => one.key),
          ctx.remainingMs(),
        ),
    ctx.readBy(keys),
    readKnown(ctx.graph, keys, ctx.remainingMs()),
    findNodeLabels(ctx.labels, chain, [address], ctx.now()),
    openOwnLabels(ctx, ctx.accountId, keys.map(addressOf)),
  ]);
  const own = labels.get(key);
  return {
    address,
    chain,
    label: own?.label ?? null,
    category: (own?.category ?? 'unknown') as Category,
    read: read.has(key),
    state: stateOf(read.has(key), known.get(key)?.read),
    counterparties: shown.map((party) => ({
      address: addressOf(party.key),
      label: party.label,
      category: party.category ?? ('unknown' as const),
      read: read.has(party.key),
      state: stateOf(read.has(party.key), known.get(party.key)?.read),
      sent: party.sent,
      received: party.received,
      ...holderOf(party, holders),
      ...claimed.fieldOf(chainOf(party.key), addressOf(party.key)),
    })),
    total,
    limit,
    truncated: cut || total > offset + shown.length,
    ...(party ? { entity: party.entity } : {}),
  };
}

function holderOf(party: Counterparty | PartyCounterparty, holders: ReadonlyMap<string, HolderRow> | null) {
  if (!('addresses' in party)) return entityFields(holders?.get(party.key));
  return { ...entityFields(party.entity ?? undefined), address_count: party.addresses };
}

/** Hides readings of other accounts; files are known to all. */
function stateOf(isRead: boolean, extent: ReadExtent = 'none'): HistoryState {
  if (extent === 'loaded' || (isRead && extent === 'whole')) return 'whole';
  return isRead || extent === 'loaded_part' ? 'partial' : 'unread';
}

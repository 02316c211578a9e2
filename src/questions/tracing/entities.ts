import type { Context } from '../../context.ts';
import { addressKey, parseAddressKey } from '../../domain/address/address-key.ts';
import { rounded } from '../../domain/amount.ts';
import { type Chain, isChain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { isOvergrown } from '../../domain/entity.ts';
import type { ClaimedLabel } from '../../domain/label.ts';
import { isoOrNull } from '../../domain/time.ts';
import { NotFoundError } from '../../errors.ts';
import type { Graph } from '../../graph/port.ts';
import {
  type EntityRow,
  entitiesOf,
  type ReasonRow,
  readEntity,
  readMembers,
  readTraffic,
  type TrafficRow,
} from '../../graph/queries/entities.ts';
import type { OwnLabels } from '../../labels/own-labels.ts';

const BUDGET_MS = 10_000;

/** Returns to which entity an address belongs, and why; nulls where the graph knows of none. */
export async function entityOf(
  { graph }: Pick<Context, 'graph'>,
  own: OwnLabels,
  { chain, address }: { chain: Chain; address: string },
) {
  const claimed = claimedFields(own, chain, address);
  const key = addressKey(chain, address);
  const found = (await entitiesOf(graph, [key], BUDGET_MS)).get(key);
  const row = found && (await readEntity(graph, found.id, BUDGET_MS));
  if (!found || !row) return { address, chain, entity: null, membership: null, ...claimed };
  return { address, chain, entity: summaryOf(row), membership: reasonOf(found), ...claimed };
}

/**
 * Returns an entity with a page of its members, by its id or by a former one, which is the key of an address that is in it now.
 * Throws NotFoundError.
 */
export async function getEntity(
  { graph }: Pick<Context, 'graph'>,
  own: OwnLabels,
  { id, limit, offset }: { id: string; limit: number; offset: number },
) {
  const row = (await readEntity(graph, id, BUDGET_MS)) ?? (await entityNow(graph, id));
  if (!row) throw new NotFoundError('No entity has this id, and no entity holds the address that it names');
  const summary = summaryOf(row);
  const [members, traffic] = await Promise.all([
    readMembers(graph, { id: row.id, offset, limit }, BUDGET_MS),
    summary.overgrown ? null : readTraffic(graph, row.id, BUDGET_MS),
  ]);
  return {
    ...summary,
    received: traffic && trafficOf(traffic.received),
    sent: traffic && trafficOf(traffic.sent),
    members: members.map((member) => {
      const { chain, address } = parseAddressKey(member.key);
      const { label, category } = member;
      const named = { label, category: category ?? ('unknown' as const) };
      return { chain, address, ...named, ...reasonOf(member), ...claimedFields(own, chain, address) };
    }),
    total: row.size,
    limit,
    offset,
  };
}

/** Names that the caller's account gave the holder; nothing follows from them. */
function claimedFields(own: OwnLabels, chain: Chain, address: string): { own_labels?: ClaimedLabel[] } {
  const labels = own.shownOf(chain, address);
  return labels.length > 0 ? { own_labels: labels } : {};
}

async function entityNow(graph: Graph, id: string): Promise<EntityRow | null> {
  const found = (await entitiesOf(graph, [id], BUDGET_MS)).get(id);
  return found ? readEntity(graph, found.id, BUDGET_MS) : null;
}

function summaryOf(row: EntityRow) {
  const overgrown = isOvergrown(row);
  return {
    id: row.id,
    name: overgrown ? null : row.name,
    category: (overgrown ? null : row.category) ?? ('unknown' as const),
    basis: row.basis,
    size: row.size,
    overgrown,
    chains: row.chains.filter(isChain).sort(compare),
    first_seen_at: isoOrNull(row.first_seen_at),
    last_seen_at: isoOrNull(row.last_seen_at),
  };
}

function trafficOf({ usd, ...counts }: TrafficRow) {
  return { usd: rounded(usd), ...counts };
}

function reasonOf({ basis, tx_hash, at, confidence }: ReasonRow) {
  return { basis, tx_hash, at: isoOrNull(at), confidence };
}

import type { Config } from '../../config.ts';
import type { GraphContext } from '../../context.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { addressKey, chainOf, parseAddressKey } from '../../domain/address/address-key.ts';
import { AmountSum, rounded } from '../../domain/amount.ts';
import { type Chain, isChain, NATIVE_COIN } from '../../domain/chain.ts';
import type { ClaimedLabel } from '../../domain/claimed-label.ts';
import { compare } from '../../domain/compare.ts';
import { earlierProof, isOvergrown, type Proof, type ShownBasis } from '../../domain/entity.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, isLawfulService, serviceKey, serviceName } from '../../domain/label.ts';
import { slicesOf } from '../../domain/slices.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import { COIN } from '../../domain/tracing/asset-id.ts';
import { GraphTimeoutError, NotFoundError } from '../../errors.ts';
import { findCluster } from '../../graph/imported-clusters.ts';
import type { Graph } from '../../graph/port.ts';
import {
  type DescribedRow,
  describeKeys,
  type EntityRow,
  entitiesOf,
  type ForwardRow,
  type HolderRow,
  memberKeys,
  membersWithBalances,
  readChangeLinks,
  readEntity,
  readForwards,
  readMembers,
  readTogether,
  readTraffic,
  readTrafficOf,
  type TrafficRow,
} from '../../graph/queries/entities.ts';
import { statedBalances } from '../../graph/queries/read-history.ts';
import type { OwnLabels } from '../../labels/own-labels.ts';
import { countdown, type WhatWasRead } from '../../tracing/read/inquiry.ts';

const BUDGET_MS = 10_000;
const OWN_LABELS_MAX = 100;
/** Members whose balances are summed. */
const BALANCES_MAX = 10_000;
const UNKNOWN =
  'No entity has this id, and no entity holds the address that it names: a scan of the address may find one, and `/graph/entity-of/{address}` gives its id';

/** Returns to which entity an address belongs, and why; nulls where the graph knows of none. `change`: change counts too. */
export async function entityOf(
  { graph, config }: GraphContext & { config: Config },
  own: OwnLabels,
  { chain, address, change }: { chain: Chain; address: string; change: boolean },
) {
  const key = addressKey(chain, address);
  const [deposit, imported] = await Promise.all([
    depositOf(graph, key, BUDGET_MS),
    findCluster(config.DATA_DIR, chain, address),
  ]);
  const beside = { ...(deposit ? { deposit } : {}), ...(imported ? { imported } : {}) };
  const claimed = { ...own.fieldOf(chain, address), ...beside };
  const whole = change ? await entityWithChange(graph, key) : null;
  if (whole) {
    const member = whole.members.find((one) => one.key === key) ?? null;
    const held = new Set(whole.members.map((one) => one.key));
    const said = await saidOfMembers(graph, own, (_, one) => held.has(one));
    return {
      address,
      chain,
      entity: { ...whole.summary, ...said },
      membership: member && reasonOf(member),
      ...claimed,
    };
  }
  const { found, row } = await holderOf(graph, key);
  if (!found || !row) return { address, chain, entity: null, membership: null, ...claimed };
  const said = await saidOfMembers(graph, own, (holder) => holder?.id === row.id);
  return { address, chain, entity: { ...summaryOf(row), ...said }, membership: reasonOf(found), ...claimed };
}

/**
 * Returns an entity with a page of its members, by its id or by a former one, which is the key of an address that is in it now.
 * Throws NotFoundError.
 */
export async function getEntity(
  ctx: GraphContext & WhatWasRead,
  own: OwnLabels,
  { limit, offset, change, ...asked }: { id: string; limit: number; offset: number; change: boolean },
) {
  const { graph } = ctx;
  const id = canonicalId(asked.id);
  const whole = change ? await entityWithChange(graph, id) : null;
  if (whole) {
    const { summary, members } = whole;
    const keys = members.map(({ key }) => key);
    const traffic = summary.overgrown ? null : await readTrafficOf(graph, keys, BUDGET_MS);
    const held = new Set(keys);
    return {
      ...summary,
      ...(await saidOfMembers(graph, own, (_, key) => held.has(key))),
      received: traffic && trafficOf(traffic.received),
      sent: traffic && trafficOf(traffic.sent),
      balances: summary.overgrown ? null : await sumOfBalances(ctx, keys.slice(0, BALANCES_MAX)),
      members: members.slice(offset, offset + limit).map((member) => memberOf(member, own)),
      total: members.length,
      limit,
      offset,
    };
  }
  const read = async () => {
    const row = (await readEntity(graph, id, BUDGET_MS)) ?? (await holderOf(graph, id)).row;
    if (!row) throw new NotFoundError(UNKNOWN);
    const [members, traffic, stated] = await Promise.all([
      readMembers(graph, { id: row.id, offset, limit }, BUDGET_MS),
      isOvergrown(row) ? null : readTraffic(graph, row.id, BUDGET_MS),
      isOvergrown(row) ? null : membersWithBalances(graph, { id: row.id, limit: BALANCES_MAX }, BUDGET_MS),
    ]);
    return { row, members, traffic, stated };
  };
  const { row, members, traffic, stated } = await readTogether(
    read,
    ({ row, members }) => members.length === Math.max(0, Math.min(limit, row.size - offset)),
  );
  return {
    ...summaryOf(row),
    ...(await saidOfMembers(graph, own, (holder) => holder?.id === row.id)),
    received: traffic && trafficOf(traffic.received),
    sent: traffic && trafficOf(traffic.sent),
    balances: stated && (await sumOfBalances(ctx, stated)),
    members: members.map((member) => memberOf(member, own)),
    total: row.size,
    limit,
    offset,
  };
}

/**
 * The holder of an address or entity, with the addresses that are its own by change alone; null where the graph knows of no other,
 * or where nothing is to be made of the holder, so that change adds nothing.
 */
async function entityWithChange(graph: Graph, id: string) {
  const row = (await readEntity(graph, id, BUDGET_MS)) ?? (await holderOf(graph, id)).row;
  if (row && isOvergrown(row)) return null;
  const { addresses, overgrown } = await withChange(
    graph,
    row ? await memberKeys(graph, [row.id], BUDGET_MS) : [id],
    BUDGET_MS,
  );
  if (addresses.length < 2) return null;
  const isByChange = addresses.some(({ change }) => change !== null);
  const joined = addresses.find((one) => one.row.name !== null)?.row;
  const moments = (field: 'first_seen_at' | 'last_seen_at') => addresses.flatMap((one) => one.row[field] ?? []);
  const summary = summaryOf({
    id: row?.id ?? addresses[0]!.row.key,
    name: row?.name ?? joined?.name ?? null,
    category: row?.category ?? joined?.entity_category ?? null,
    basis: isByChange ? 'change' : row!.basis,
    size: addresses.length,
    several_services: overgrown,
    chains: [...new Set(addresses.map((one) => one.row.chain))],
    first_seen_at: moments('first_seen_at').reduce<number | null>((least, at) => Math.min(least ?? at, at), null),
    last_seen_at: moments('last_seen_at').reduce<number | null>((most, at) => Math.max(most ?? at, at), null),
  });
  const members = addresses.map(({ row: { key, label, category, basis, tx_hash, at, confidence }, change }) => {
    const reason = { basis: basis ?? ('change' as const), tx_hash, at, confidence };
    const byChange = change && { basis: 'change' as const, tx_hash: change.txHash, at: change.at, confidence: null };
    return { key, label, category, ...(byChange ?? reason) };
  });
  return { summary, members };
}

function memberOf(member: ShownMember, own: OwnLabels) {
  const { chain, address } = parseAddressKey(member.key);
  const { label, category } = member;
  const named = { label, category: category ?? ('unknown' as const) };
  return { chain, address, ...named, ...reasonOf(member), ...own.fieldOf(chain, address) };
}

/** The id with its address as the graph writes it, whatever way it was given. */
function canonicalId(id: string): string {
  const { chain, address } = parseAddressKey(id);
  return isChain(chain) ? addressKey(chain, canonicalAddress(chain, address)?.address ?? address) : id;
}

/** The membership of an address (key) and its entity; neither where it belongs to none. */
async function holderOf(graph: Graph, key: string): Promise<{ found?: HolderRow | undefined; row: EntityRow | null }> {
  const read = async () => {
    const found = (await entitiesOf(graph, [key], BUDGET_MS)).get(key);
    return { found, row: found ? await readEntity(graph, found.id, BUDGET_MS) : null };
  };
  return readTogether(read, ({ found, row }) => !found || row !== null);
}

function summaryOf(row: ShownEntity) {
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

/** An entity as an answer shows it; `several_services` says that nothing is to be made of it. */
interface ShownEntity {
  id: string;
  name: string | null;
  category: EntityRow['category'];
  basis: ShownBasis;
  size: number;
  several_services: boolean | null;
  chains: string[];
  first_seen_at: number | null;
  last_seen_at: number | null;
}

interface ShownReason {
  basis: ShownBasis;
  tx_hash: string | null;
  at: number | null;
  confidence: number | null;
}

interface ShownMember extends ShownReason {
  key: string;
  label: string | null;
  category: EntityRow['category'];
}

/** Lists what the account says of members of an entity, newest first, each label with the first address that it is of. */
async function saidOfMembers(
  graph: Graph,
  own: OwnLabels,
  isMember: (holder: HolderRow | undefined, key: string) => boolean,
) {
  const said = new Map<string, ClaimedLabel & { chain: Chain; address: string }>();
  for (const some of slicesOf(own.keys().sort(compare), KEYS_AT_ONCE)) {
    const holders = await entitiesOf(graph, some, BUDGET_MS);
    for (const key of some) {
      if (!isMember(holders.get(key), key)) continue;
      const { address } = parseAddressKey(key);
      const chain = chainOf(key);
      for (const one of own.shownOf(chain, address))
        if (!said.has(one.id)) said.set(one.id, { ...one, chain, address });
    }
  }
  const newest = [...said.values()].sort((a, b) => compare(b.created_at, a.created_at) || compare(a.id, b.id));
  return newest.length > 0 ? { own_labels: newest.slice(0, OWN_LABELS_MAX) } : {};
}

/** Sums by chain and asset what the chain stated last of addresses (keys) that the caller has read. */
async function sumOfBalances({ graph, readBy }: GraphContext & WhatWasRead, keys: string[]) {
  const read = await readBy(keys);
  const stated = await statedBalances(
    graph,
    keys.filter((key) => read.has(key)),
  );
  const named = stated.flatMap((one) => {
    const chain = chainOf(one.key);
    const asset = one.asset === COIN ? NATIVE_COIN[chain].symbol : verifiedToken(chain, one.asset)?.symbol;
    return asset ? [{ ...one, chain, asset }] : [];
  });
  const sums = [...groupBy(named, ({ chain, asset }) => `${chain} ${asset}`).values()].map((some) => {
    const [{ chain, asset }] = some as [(typeof named)[number]];
    const moments = some.map(({ at }) => at).sort((a, b) => a - b);
    return {
      ...{ chain, asset, amount: some.reduce((sum, { amount }) => sum.add(amount), new AmountSum()).toString() },
      ...{ addresses: some.length, first_at: iso(moments[0]!), last_at: iso(moments.at(-1)!) },
    };
  });
  return sums.sort((a, b) => compare(a.chain, b.chain) || compare(a.asset, b.asset));
}

function trafficOf({ usd, ...counts }: TrafficRow) {
  return { usd: rounded(usd), ...counts };
}

function reasonOf({ basis, tx_hash, at, confidence }: ShownReason) {
  return { basis, tx_hash, at: isoOrNull(at), confidence };
}

const KEYS_AT_ONCE = 10_000;

/** An address of a holder when change counts too: by its own membership, or by the transaction that pays the change. */
interface HeldAddress {
  row: DescribedRow;
  /** Null where its membership is the reason. */
  change: Proof | null;
}

interface WithChange {
  /** In the order of their keys. */
  addresses: HeldAddress[];
  /** True where too many addresses or two services were joined: nothing is to be made of it. */
  overgrown: boolean;
}

/**
 * Returns the addresses that belong to the holder of some (keys) when change counts: who gets the change of a member is one, and
 * so is who left change to a member, each with all that its entity holds.
 */
export async function withChange(graph: Graph, keys: readonly string[], timeoutMs: number): Promise<WithChange> {
  const known = new Map<string, DescribedRow>();
  const proofs = new Map<string, Proof>();
  const entities = new Set<string>();
  const services = new Set<string>();
  const leftMs = countdown(timeoutMs);
  for (let frontier: readonly string[] = keys; frontier.length > 0; ) {
    if (leftMs() <= 0) throw new GraphTimeoutError();
    const found = await described(graph, frontier, Math.ceil(leftMs()));
    const fresh = new Set([...found.values()].flatMap(({ id }) => (id === null || entities.has(id) ? [] : [id])));
    for (const id of fresh) {
      entities.add(id);
      const beside = (await memberKeys(graph, [id], Math.ceil(leftMs()))).filter((key) => !found.has(key));
      for (const [key, row] of await described(graph, beside, Math.ceil(leftMs()))) found.set(key, row);
    }
    for (const [key, row] of found) {
      known.set(key, row);
      const service = serviceOfMember(row);
      if (service !== null) services.add(serviceKey(service));
    }
    const joined = { size: known.size, several_services: services.size > 1 };
    if (isOvergrown(joined)) return { addresses: inOrder(known, proofs), overgrown: true };
    const next = new Set<string>();
    for (const some of slicesOf([...found.keys()], KEYS_AT_ONCE)) {
      const links = await readChangeLinks(graph, some, Math.ceil(leftMs()));
      for (const { near, far, tx_hash: txHash, at } of links) {
        const proof = { txHash, at };
        if (known.get(near)!.basis === null) proofs.set(near, earlierProof(proofs.get(near), proof));
        if (known.has(far)) continue;
        next.add(far);
        proofs.set(far, earlierProof(proofs.get(far), proof));
      }
    }
    frontier = [...next];
  }
  return { addresses: inOrder(known, proofs), overgrown: false };
}

function inOrder(known: ReadonlyMap<string, DescribedRow>, proofs: ReadonlyMap<string, Proof>): HeldAddress[] {
  const all = [...known.values()].sort((a, b) => compare(a.key, b.key));
  return all.map((row) => ({ row, change: proofs.get(row.key) ?? null }));
}

async function described(graph: Graph, keys: readonly string[], timeoutMs: number): Promise<Map<string, DescribedRow>> {
  const rows = new Map<string, DescribedRow>();
  for (const some of slicesOf(keys, KEYS_AT_ONCE))
    for (const row of await describeKeys(graph, some, timeoutMs)) rows.set(row.key, row);
  return rows;
}

/** The lawful service to which an address belongs, by its entity or its label; null without one. */
function serviceOfMember({ name, entity_category, label, category }: DescribedRow): string | null {
  if (name !== null && isLawfulService(entity_category)) return name;
  return label !== null && isLawfulService(category) ? (serviceName(label) ?? label) : null;
}

/** With more transfers an address is not one customer's. */
const TRANSFERS_MAX = 1_000;
const PAYERS_MIN = 2;

/** A deposit address of a service. */
interface Deposit {
  basis: 'deposit';
  service: string;
  category: Category;
  /** The wallet of the service that got the first payment. */
  address: string;
  chain: Chain;
  tx_hash: string;
  at: string | null;
  /** Addresses that paid in. */
  payers: number;
}

/**
 * Returns the service whose deposit address this (key) is; null without one. All that leaves goes to one service that sure labels name,
 * two addresses or more pay in, and the service's own wallets pay the gas. Nothing follows from it: a thief's last wallet looks
 * alike but for the gas.
 */
async function depositOf(graph: Graph, key: string, timeoutMs: number): Promise<Deposit | null> {
  const rows = await readForwards(graph, { key, limit: TRANSFERS_MAX + 1 }, timeoutMs);
  return rows.length > TRANSFERS_MAX ? null : depositIn(rows, parseAddressKey(key).address);
}

/**
 * The same, from what the address received and sent, oldest first.
 *
 * @internal Read by a test.
 */
export function depositIn(rows: readonly ForwardRow[], own: string): Deposit | null {
  const sent = rows.filter(({ direction }) => direction === 'sent');
  const [first] = sent;
  const service = first && serviceAtEnd(first);
  if (!service) return null;
  const isOfService = (row: ForwardRow) => serviceKey(serviceAtEnd(row) ?? '') === serviceKey(service);
  if (!sent.every(isOfService)) return null;
  const received = rows.filter(({ direction }) => direction === 'received');
  const wallets = new Set(rows.flatMap((row) => (isOfService(row) ? [parseAddressKey(row.far).address] : [])));
  const gas = received.filter(({ token }) => token === null);
  const isGiven = gas.length > 0 && gas.every(isOfService);
  const isPaidByService = ({ signer }: ForwardRow) =>
    signer !== null && (signer === own ? isGiven : wallets.has(signer));
  const payers = new Set(received.flatMap((row) => (isOfService(row) ? [] : [row.far])));
  if (!sent.every(isPaidByService) || payers.size < PAYERS_MIN) return null;
  const to = parseAddressKey(first.far);
  return {
    ...{ basis: 'deposit', service, category: first.category!, address: to.address, chain: to.chain },
    ...{ tx_hash: first.tx_hash, at: isoOrNull(first.at), payers: payers.size },
  };
}

/** The lawful service that a label names, as far as it is sure: on a node the category of one always is. */
function serviceAtEnd({ category, label }: ForwardRow): string | null {
  return isLawfulService(category) ? serviceName(label) : null;
}

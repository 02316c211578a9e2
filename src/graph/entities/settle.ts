import { addressOf } from '../../domain/address/address-key.ts';
import { append } from '../../domain/append.ts';
import { compare } from '../../domain/compare.ts';
import {
  type Basis,
  type Evidence,
  joinedParts,
  type Membership,
  membershipsBy,
  surerMembership,
  wholeBasis,
} from '../../domain/entity.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, isLawfulService, serviceKey, serviceName } from '../../domain/label.ts';
import { hasNoHolder } from '../../domain/null-addresses.ts';
import { slicesOf } from '../../domain/slices.ts';
import { asColumns, NAMED_AT_ONCE, statementSlices } from '../columns.ts';
import type { GraphTransaction, Params, Row } from '../port.ts';

/** The entity of a known address and the reason for it; null where it has none. */
interface Standing extends Row {
  listed: string | null;
  label: string | null;
  id: string | null;
  size: number | null;
  whole_basis: Basis | null;
  name: string | null;
  basis: Basis | null;
  key_id: string | null;
  tx_hash: string | null;
  at: number | null;
}

export interface MembershipRow extends Standing {
  key: string;
}

type Held = ReadonlyMap<string, Standing>;

/** A new address that no list names has no owner, no label and no entity. */
const OF_BORN = {
  ...{ listed: null, label: null, id: null, size: null, whole_basis: null, name: null },
  ...{ basis: null, key_id: null, tx_hash: null, at: null },
} satisfies Standing;

/** Addresses that belong to one entity from now on. */
interface Part {
  /** The entities that meet, the one that stays first. */
  entities: { id: string; size: number; basis: Basis; name: string | null }[];
  /** Members that had none. */
  joining: string[];
  /** Where entities meet or grow: the members named by the evidence, and whether any of it is exact. */
  named: string[];
  hasExact: boolean;
}

/**
 * Joins addresses that evidence shows to belong together, in the transaction that brings it: of two entities the smaller moves. Keys
 * that the graph does not hold are left out, and addresses without a holder, whatever a list says; those which this transaction made (`born`) and no label names are not read. An
 * entity has the smallest key of its members as its id.
 */
export async function settle(
  tx: GraphTransaction,
  evidence: readonly Evidence[],
  born: ReadonlySet<string> = new Set(),
): Promise<void> {
  const named = new Set(evidence.flatMap(({ members }) => members.filter((key) => !hasNoHolder(addressOf(key)))));
  const held: Map<string, Standing> = await readMemberships(
    tx,
    [...named].filter((key) => !born.has(key)),
  );
  for (const key of named) if (born.has(key)) held.set(key, OF_BORN);
  const known = evidence
    .map((one) => ({ ...one, members: [...new Set(one.members)].filter((key) => held.has(key)) }))
    .filter(({ members }) => members.length > 1);
  if (known.length === 0) return;
  const reasons = membershipsBy(known);
  const parts = partsOf(known, held);
  const moved = parts.flatMap(({ entities: [stays, ...others] }) => others.map(({ id }) => ({ id, to: stays!.id })));
  await move(tx, moved);
  const grown = parts.filter(({ entities }) => entities.length > 0);
  const made = parts.filter(({ entities }) => entities.length === 0).map(({ joining }) => joining);
  await createEntities(tx, made, { held, reasons });
  const joining = grown.flatMap(({ entities: [stays], joining }) => joining.map((key) => ({ key, id: stays!.id })));
  await join(tx, joining, reasons);
  const surer = [...reasons].filter(([key, reason]) => isSurer(held.get(key)!, reason)).map(([key]) => key);
  await prove(tx, surer, reasons);
  await restate(tx, grown, { held, reasons, surer: new Set(surer) });
  const isToName = ({ entities: [, ...others], joining }: Part) =>
    others.some(({ name }) => name !== null) || joining.some((key) => held.get(key)!.label !== null);
  await nameEntities(tx, parts.filter(isToName).map(idOf));
}

/** Moves all members of entities to larger ones, by statements that move few. */
async function move(tx: GraphTransaction, moved: readonly { id: string; to: string }[]): Promise<void> {
  for (const some of statementSlices(moved)) {
    const params = { ...asColumns(some, ['id', 'to']), limit: NAMED_AT_ONCE };
    for (let isLast = false; !isLast; ) {
      const [row] = await tx.run<Row & { moved: number }>('entities/move', params);
      isLast = row!.moved < NAMED_AT_ONCE;
    }
    await tx.run('entities/delete', { id: some.map(({ id }) => id) });
  }
}

/** Replaces the stored reasons of these members. */
export async function prove(
  tx: GraphTransaction,
  keys: readonly string[],
  reasons: ReadonlyMap<string, Membership>,
): Promise<void> {
  for (const [basis, some] of byBasis(keys, reasons, (key) => key)) {
    for (const key of statementSlices(some)) await tx.run('entities/prove', { key, ...reasonsOf(basis, key, reasons) });
  }
}

/** Makes entities, without names, of addresses that have none, those of each sorted. */
export async function createEntities(
  tx: GraphTransaction,
  parts: readonly (readonly string[])[],
  { held, reasons }: Pick<Settled, 'held' | 'reasons'>,
): Promise<void> {
  const groupOf = (key: string) => ({ key_id: reasons.get(key)!.keyId, listed: held.get(key)!.listed });
  const entities = parts.map((part) => ({
    id: part[0]!,
    size: part.length,
    basis: wholeBasis(part.map(groupOf)),
  }));
  for (const some of statementSlices(entities)) {
    await tx.run('entities/create', asColumns(some, ['id', 'size', 'basis']));
  }
  const joining = parts.flatMap((part) => part.map((key) => ({ key, id: part[0]! })));
  await join(tx, joining, reasons);
}

async function join(
  tx: GraphTransaction,
  members: readonly { key: string; id: string }[],
  reasons: ReadonlyMap<string, Membership>,
): Promise<void> {
  for (const [basis, together] of byBasis(members, reasons, ({ key }) => key)) {
    for (const some of statementSlices(together)) {
      const key = some.map((member) => member.key);
      await tx.run('entities/join', { key, id: some.map(({ id }) => id), ...reasonsOf(basis, key, reasons) });
    }
  }
}

/** The known ones of these addresses with their memberships, by key; nothing changes them before the transaction ends. */
export async function readMemberships(
  tx: GraphTransaction,
  keys: readonly string[],
): Promise<Map<string, MembershipRow>> {
  const held = new Map<string, MembershipRow>();
  for (const key of statementSlices([...new Set(keys)].sort(compare))) {
    for (const row of await tx.run<MembershipRow>('entities/memberships', { key })) held.set(row.key, row);
  }
  return held;
}

/** The basis of a whole entity, from all its members. */
export async function basisOf(tx: GraphTransaction, id: string): Promise<Basis> {
  const groups = await tx.run<Row & { key_id: string | null; listed: string | null }>('entities/exact-groups', { id });
  return wholeBasis(groups);
}

/** True where the reason is better than the stored one of a member. */
function isSurer(row: Standing, reason: Membership): boolean {
  if (row.basis === null) return false;
  const stored = { basis: row.basis, keyId: row.key_id, txHash: row.tx_hash, at: row.at };
  return surerMembership(stored, reason) !== stored;
}

function partsOf(evidence: readonly Evidence[], held: Held): Part[] {
  // An entity stands for its members: its id is the key of one of them.
  const nodeOf = (key: string) => held.get(key)!.id ?? key;
  const entityOf = new Map<string, Part['entities'][number]>();
  for (const { id, size, whole_basis, name } of held.values()) {
    if (id !== null && !entityOf.has(id)) entityOf.set(id, { id, size: size!, basis: whole_basis!, name });
  }
  const grownPart = new Map<string, Part>();
  const parts = joinedParts(evidence.map(({ members }) => members.map(nodeOf))).map((nodes) => {
    const part: Part = { entities: [], joining: [], named: [], hasExact: false };
    for (const node of nodes) {
      const entity = entityOf.get(node);
      if (entity) part.entities.push(entity);
      else part.joining.push(node);
    }
    if (part.entities.length > 0) for (const node of nodes) grownPart.set(node, part);
    part.entities.sort((a, b) => b.size - a.size || compare(a.id, b.id));
    return part;
  });
  for (const { members, basis } of evidence) {
    const part = grownPart.get(nodeOf(members[0]!));
    if (part === undefined) continue;
    append(part.named, members);
    if (basis !== 'co_spent') part.hasExact = true;
  }
  return parts;
}

function idOf({ entities, joining }: Part): string {
  return [...entities.map(({ id }) => id), ...joining].reduce((least, id) => (compare(id, least) < 0 ? id : least));
}

interface Settled {
  held: Held;
  reasons: ReadonlyMap<string, Membership>;
  /** Members whose stored reason was replaced. */
  surer: ReadonlySet<string>;
}

/** Writes id, size and basis of the entities that changed. */
async function restate(tx: GraphTransaction, parts: readonly Part[], { held, reasons, surer }: Settled): Promise<void> {
  const changed = [];
  for (const part of parts) {
    const [stays, ...others] = part.entities as [Part['entities'][number], ...Part['entities']];
    const grew = part.joining.length > 0 || others.length > 0;
    if (!grew && !part.hasExact) continue;
    const before = stays.id;
    const size = part.entities.reduce((sum, entity) => sum + entity.size, part.joining.length);
    const isByCoSpending = (key: string) => {
      const stored = held.get(key)!.basis;
      return (stored === null || surer.has(key) ? reasons.get(key)!.basis : stored) === 'co_spent';
    };
    const basis = part.named.some(isByCoSpending) ? 'co_spent' : await basisOf(tx, before);
    const now = { before, id: idOf(part), size, basis };
    if (grew || basis !== stays.basis) changed.push(now);
  }
  for (const some of statementSlices(changed)) {
    await tx.run('entities/restate', asColumns(some, ['before', 'id', 'size', 'basis']));
  }
}

function byBasis<T>(
  members: readonly T[],
  reasons: ReadonlyMap<string, Membership>,
  keyOf: (member: T) => string,
): Map<Basis, T[]> {
  return groupBy(members, (member) => reasons.get(keyOf(member))!.basis);
}

/** The reasons of addresses of one basis; lists and the texts in them cost more than one text for all. */
function reasonsOf(basis: Basis, keys: readonly string[], reasons: ReadonlyMap<string, Membership>): Params {
  const rows = keys.map((key) => {
    const { keyId, txHash, at } = reasons.get(key)!;
    return { key_id: keyId, tx_hash: txHash, at };
  });
  // Only keys are certain; what others weigh is not measured.
  return { basis, confidence: basis === 'same_key' ? 1 : null, ...asColumns(rows, ['key_id', 'tx_hash', 'at']) };
}

interface NameRow extends Row {
  id: string;
  owner: string | null;
  label: string;
  category: Category | null;
  sure: boolean | null;
  members: number;
}

/** Entities whose labels one statement reads: it looks at all their members. */
const AT_ONCE = 100;

/** Names entities again by what sure labels call most of their labelled members. */
export async function nameEntities(tx: GraphTransaction, ids: Iterable<string>): Promise<void> {
  for (const id of slicesOf([...ids], AT_ONCE)) {
    const rows = groupBy(await tx.run<NameRow>('entities/names', { id }), (row) => row.id);
    const called = id.map((one) => ({ id: one, ...callOf(rows.get(one) ?? []) }));
    await tx.run('entities/call', asColumns(called, ['id', 'name', 'category', 'several_services']));
  }
}

function callOf(rows: readonly NameRow[]) {
  const parties = [...groupBy(rows.filter(isSure), (row) => serviceKey(nameOf(row))).values()].map((some) => ({
    ...{ some, name: commonestName(some), members: membersOf(some) },
  }));
  const [best] = parties.sort((a, b) => b.members - a.members || compare(a.name, b.name));
  const services = parties.filter(({ some }) => some.some(({ category }) => isLawfulService(category)));
  const [main] = (best?.some ?? []).toSorted(
    (a, b) => b.members - a.members || compare(a.category ?? '', b.category ?? ''),
  );
  return {
    ...{ name: best?.name ?? null, category: main?.category ?? null },
    several_services: services.length > 1 || null,
  };
}

function membersOf(rows: readonly NameRow[]): number {
  return rows.reduce((sum, { members }) => sum + members, 0);
}

function commonestName(rows: readonly NameRow[]): string {
  const [[name]] = [...groupBy(rows, nameOf)].sort(
    ([a, some], [b, more]) => membersOf(more) - membersOf(some) || compare(a, b),
  ) as [[string, NameRow[]]];
  return name;
}

/** On a node the category of a lawful service is always that of a sure label. */
function isSure({ sure, category }: NameRow): boolean {
  return sure === true || isLawfulService(category);
}

function nameOf({ owner, label }: NameRow): string {
  return owner ?? serviceName(label) ?? label;
}

import { compare } from '../../domain/compare.ts';
import { type Basis, earlierProof, isOvergrown, type Proof } from '../../domain/entity.ts';
import { type Category, LAWFUL_SERVICE_CATEGORIES, serviceKey, serviceName } from '../../domain/label.ts';
import { GraphTimeoutError } from '../../errors.ts';
import type { Graph, Row } from '../../graph/port.ts';
import { memberKeys } from '../../graph/queries/entities.ts';
import { countdown } from './inquiry.ts';

const KEYS_AT_ONCE = 10_000;

/** An address got the change of another, or the other way round; the transaction that shows it. */
interface ChangeLinkRow extends Row {
  near: string;
  far: string;
  tx_hash: string;
  at: number;
}

/** An address with its membership; nulls where it has none. */
interface DescribedRow extends Row {
  key: string;
  chain: string;
  label: string | null;
  category: Category | null;
  first_seen_at: number | null;
  last_seen_at: number | null;
  id: string | null;
  name: string | null;
  entity_category: Category | null;
  size: number | null;
  several_services: boolean | null;
  basis: Basis | null;
  tx_hash: string | null;
  at: number | null;
  confidence: number | null;
}

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
      const service = serviceOf(row);
      if (service !== null) services.add(serviceKey(service));
    }
    const joined = { size: known.size, several_services: services.size > 1 };
    if (isOvergrown(joined)) return { addresses: inOrder(known, proofs), overgrown: true };
    const next = new Set<string>();
    for (const some of slicesOf([...found.keys()])) {
      const links = await graph.read<ChangeLinkRow>(
        'entities/change-links',
        { key: [...some] },
        { timeoutMs: Math.ceil(leftMs()) },
      );
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
  for (const some of slicesOf(keys)) {
    const found = await graph.read<DescribedRow>('entities/describe-keys', { key: [...some] }, { timeoutMs });
    for (const row of found) rows.set(row.key, row);
  }
  return rows;
}

function* slicesOf(keys: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) yield keys.slice(start, start + KEYS_AT_ONCE);
}

/** The lawful service to which an address belongs, by its entity or its label; null without one. */
function serviceOf({ name, entity_category, label, category }: DescribedRow): string | null {
  if (name !== null && isLawfulService(entity_category)) return name;
  return label !== null && isLawfulService(category) ? (serviceName(label) ?? label) : null;
}

function isLawfulService(category: Category | null): boolean {
  return category !== null && LAWFUL_SERVICE_CATEGORIES.includes(category);
}

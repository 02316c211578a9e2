import { compare } from '../../domain/compare.ts';
import { type Evidence, joinedParts, membershipsBy } from '../../domain/entity.ts';
import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { asColumns } from '../columns.ts';
import type { GraphTransaction, Row } from '../port.ts';
import { basisOf, createEntities, type MembershipRow, prove, readMemberships } from './settle.ts';

/** Addresses whose transactions are read in one statement. */
const READ_AT_ONCE = 2_000;

interface JointFactRow extends Row {
  key: string;
  tx_hash: string;
  at: number;
}

/**
 * Cuts the entities of addresses that lost evidence again, by what is left of it among their members: the same parts that the
 * evidence would have made in any order.
 */
export async function recut(tx: GraphTransaction, keys: readonly string[]): Promise<void> {
  const before = await readMemberships(tx, keys);
  const ids = [...new Set([...before.values()].flatMap(({ id }) => id ?? []))].sort(compare);
  for (const id of ids) await recutEntity(tx, id);
}

async function recutEntity(tx: GraphTransaction, id: string): Promise<void> {
  const members = await tx.run<{ key: string } & Row>('entities/members', { id: [id] });
  const held = await readMemberships(
    tx,
    members.map(({ key }) => key),
  );
  const evidence = await evidenceAmong(tx, [...held.values()]);
  const parts = joinedParts(evidence.map((one) => one.members));
  const reasons = membershipsBy(evidence);
  const [whole] = parts;
  if (whole?.length === held.size) {
    const differs = (key: string) => {
      const [row, reason] = [held.get(key)!, reasons.get(key)!];
      return row.basis !== reason.basis || row.tx_hash !== reason.txHash || row.at !== reason.at;
    };
    await prove(tx, whole.filter(differs), reasons);
    const now = { before: id, id, size: whole.length, basis: await basisOf(tx, id) };
    await tx.run('entities/restate', asColumns([now], ['before', 'id', 'size', 'basis']));
    return;
  }
  await tx.run('entities/leave', { id: [id] });
  await tx.run('entities/delete', { id: [id] });
  await createEntities(tx, parts, reasons);
}

/** All evidence that joins two or more of these members. */
async function evidenceAmong(tx: GraphTransaction, members: readonly MembershipRow[]): Promise<Evidence[]> {
  const evidence: Evidence[] = [];
  const byKey = new Map<string, MembershipRow[]>();
  const byOwner = new Map<string, MembershipRow[]>();
  for (const row of members) {
    // A known key stays known, whatever becomes of the transaction that revealed it.
    if (row.key_id !== null) addToGroup(byKey, row.key_id, row);
    if (row.listed !== null) addToGroup(byOwner, row.listed, row);
  }
  for (const [keyId, [first, ...others]] of byKey) {
    const proof = { basis: 'same_key' as const, keyId, txHash: first!.tx_hash, at: first!.at };
    evidence.push({ ...proof, members: [first!, ...others].map(({ key }) => key) });
  }
  for (const rows of byOwner.values()) evidence.push(listedTogether(rows.map(({ key }) => key)));
  const facts: JointFactRow[] = [];
  for (let start = 0; start < members.length; start += READ_AT_ONCE) {
    const key = members.slice(start, start + READ_AT_ONCE).map((row) => row.key);
    facts.push(...(await tx.run<JointFactRow>('entities/joint-facts', { key })));
  }
  for (const [txHash, together] of groupBy(facts, ({ tx_hash }) => tx_hash)) {
    const members = [...new Set(together.map(({ key }) => key))];
    evidence.push({ basis: 'co_spent', keyId: null, txHash, at: together[0]!.at, members });
  }
  return evidence.filter(({ members }) => members.length > 1);
}

/** Addresses of one owner by lists, which no transaction proves. */
export function listedTogether(members: readonly string[]): Evidence {
  return { basis: 'listed', keyId: null, txHash: null, at: null, members };
}

import { compare } from '../../domain/compare.ts';
import { type Evidence, joinedParts, membershipsBy } from '../../domain/entity.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import { asColumns, statementSlices } from '../columns.ts';
import type { GraphTransaction, Row } from '../port.ts';
import { basisOf, createEntities, type MembershipRow, nameEntities, prove, readMemberships } from './settle.ts';

/** Keys alone: a page looks at all members. */
const KEYS_AT_ONCE = 20_000;

interface JointFactRow extends Row {
  key: string;
  tx_hash: string;
  at: number;
}

/**
 * Cuts the entities of addresses that lost evidence again, by what is left of it among their members: the same parts that the
 * evidence would have made in any order. The largest part stays as it is, and the others leave it in slices, so that a cut of
 * few members out of many writes few; the transaction shows all of it at once.
 */
export async function recut(tx: GraphTransaction, keys: readonly string[]): Promise<void> {
  const before = await readMemberships(tx, keys);
  const ids = [...new Set([...before.values()].flatMap(({ id }) => id ?? []))].sort(compare);
  for (const id of ids) await recutEntity(tx, id);
}

async function recutEntity(tx: GraphTransaction, id: string): Promise<void> {
  const members = await membersOf(tx, id);
  const held = await readMemberships(tx, members);
  const evidence = await evidenceAmong(tx, [...held.values()]);
  const parts = joinedParts(evidence.map((one) => one.members));
  const reasons = membershipsBy(evidence);
  const [stays, ...others] = parts.toSorted((a, b) => b.length - a.length || compare(a[0]!, b[0]!));
  const staying = new Set(stays);
  const leaving = [...held.keys()].filter((key) => !staying.has(key));
  for (const key of statementSlices(leaving)) await tx.run('entities/leave', { key });
  if (stays === undefined) {
    await tx.run('entities/delete', { id: [id] });
    return;
  }
  const differs = (key: string) => {
    const [row, reason] = [held.get(key)!, reasons.get(key)!];
    return row.basis !== reason.basis || row.tx_hash !== reason.txHash || row.at !== reason.at;
  };
  await prove(tx, stays.filter(differs), reasons);
  const basis = await basisOf(tx, id);
  if (leaving.length === 0 && basis === held.get(stays[0]!)!.whole_basis) return;
  // Before the others are made: one of them may get the id that this one had.
  const now = { before: id, id: stays[0]!, size: stays.length, basis };
  await tx.run('entities/restate', asColumns([now], ['before', 'id', 'size', 'basis']));
  await createEntities(tx, others, { held, reasons });
  if (leaving.length === 0) return;
  const isLabelled = (part: readonly string[]) => part.some((key) => held.get(key)!.label !== null);
  const toName = [stays, ...others.filter(isLabelled)];
  await nameEntities(
    tx,
    toName.map(([first]) => first!),
  );
}

async function membersOf(tx: GraphTransaction, id: string): Promise<string[]> {
  const members: string[] = [];
  for (let isLast = false; !isLast; ) {
    const page = { id: [id], after: members.at(-1) ?? '', limit: KEYS_AT_ONCE };
    const rows = await tx.run<{ key: string } & Row>('entities/members', page);
    for (const { key } of rows) members.push(key);
    isLast = rows.length < KEYS_AT_ONCE;
  }
  return members;
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
  const spends = new Map<string, { at: number; members: string[] }>();
  for (const some of statementSlices(members)) {
    const facts = await tx.run<JointFactRow>('entities/joint-facts', { key: some.map((row) => row.key) });
    await eachInSlices(facts, ({ key, tx_hash, at }) => {
      const known = spends.get(tx_hash) ?? { at, members: [] };
      spends.set(tx_hash, known);
      known.members.push(key);
    });
  }
  for (const [txHash, { at, members }] of spends) {
    evidence.push({ basis: 'co_spent', keyId: null, txHash, at, members: [...new Set(members)] });
  }
  return evidence.filter(({ members }) => members.length > 1);
}

/** Addresses of one owner by lists, which no transaction proves. */
export function listedTogether(members: readonly string[]): Evidence {
  return { basis: 'listed', keyId: null, txHash: null, at: null, members };
}

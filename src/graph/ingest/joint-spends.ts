import { addressKey } from '../../domain/address/address-key.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { compare } from '../../domain/compare.ts';
import type { Evidence } from '../../domain/entity.ts';
import { groupBy } from '../../domain/group-by.ts';
import { asColumns, slicesOf } from '../columns.ts';
import type { GraphTransaction, Row } from '../port.ts';
import type { Pair } from './pairs.ts';
import type { Written } from './write-facts.ts';

/** By source, whether it takes the payers for one owner, and the reading from which on it says so. */
export type Words = Record<string, [readAt: number, joint: boolean]>;

/** How the keys of addresses begin on the chain whose transactions have several payers. */
const ON_BITCOIN = addressKey('bitcoin', '');

interface SpendRow extends Row {
  tx_hash: string;
  /** Graph keys, sorted. */
  payers: string[];
  said: string;
}

/** A transaction of several payers in a batch. */
interface Heard {
  at: number;
  payers: Set<string>;
  words: Words;
  /** As its facts are stored now. */
  stored: { joint: boolean | null; change: boolean }[];
}

/**
 * Keeps what the facts of a batch say of transactions of several payers, and makes all stored facts of a transaction say the same.
 * Returns who turns out to have spent together, and who no longer does. A transaction is known by its hash: whichever payers and
 * outputs a reading shows, and in whatever order.
 */
export async function keepSpends(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  { held }: Pick<Written, 'held'>,
): Promise<{ joined: Evidence[]; parted: string[] }> {
  const heard = heardIn(pairs, held);
  const known = await readSpends(tx, heard.keys());
  const created: SpendRow[] = [];
  const changed: SpendRow[] = [];
  const restated = new Map<string, { payers: readonly string[]; joint: boolean }>();
  const joined: Evidence[] = [];
  const parted: string[] = [];
  for (const [txHash, { at, payers, words, stored }] of heard) {
    const before = known.get(txHash);
    const now = before ? { ...wordsOf(before) } : {};
    for (const [source, word] of Object.entries(words)) hear(now, source, word);
    const more = [...payers].filter((key) => !before?.payers.includes(key));
    const members = before ? [...before.payers, ...more].sort(compare) : more.sort(compare);
    const said = textOf(now);
    const row = { tx_hash: txHash, payers: members, said };
    if (!before) created.push(row);
    else if (more.length > 0 || said !== before.said) changed.push(row);
    const joint = isJoint(now);
    const turns = before !== undefined && isJoint(wordsOf(before)) !== joint;
    if (turns || stored.some((fact) => fact.joint !== joint || (!joint && fact.change))) {
      restated.set(txHash, { payers: members, joint });
    }
    if (joint && (turns || more.length > 0)) {
      // Those of before are joined already: one stands for all.
      const together = before && !turns ? [before.payers[0]!, ...more] : members;
      joined.push({ basis: 'co_spent', keyId: null, txHash, at, members: together });
    }
    if (!joint && turns) parted.push(...members);
  }
  for (const some of slicesOf(created)) {
    await tx.run('entities/create-spends', asColumns(some, ['tx_hash', 'payers', 'said']));
  }
  await restateSpends(tx, changed);
  await restateFacts(tx, restated);
  return { joined, parted };
}

/** Takes payers out of the transactions of which facts left the graph, where no other fact of theirs is in it. */
export async function leaveSpends(
  tx: GraphTransaction,
  gone: readonly { payer: string; txHash: string }[],
): Promise<void> {
  const byHash = groupBy(gone, ({ txHash }) => txHash);
  const known = await readSpends(tx, byHash.keys());
  if (known.size === 0) return;
  const asked = [...known.keys()].flatMap((txHash) => byHash.get(txHash)!);
  const txs = Object.fromEntries([...known.keys()].map((txHash) => [txHash, true]));
  const stays = new Set<string>();
  for (const key of slicesOf([...new Set(asked.map(({ payer }) => payer))])) {
    for (const row of await tx.run<Row & { key: string; tx_hash: string }>('entities/payers-in', { key, txs })) {
      stays.add(`${row.tx_hash} ${row.key}`);
    }
  }
  const left = [...known.values()].map((row) => {
    const leaving = new Set(byHash.get(row.tx_hash)!.map(({ payer }) => payer));
    const payers = row.payers.filter((key) => !leaving.has(key) || stays.has(`${row.tx_hash} ${key}`));
    return { ...row, payers };
  });
  await restateSpends(
    tx,
    left.filter(({ tx_hash, payers }) => payers.length > 0 && payers.length < known.get(tx_hash)!.payers.length),
  );
  const emptied = left.filter(({ payers }) => payers.length === 0).map(({ tx_hash }) => tx_hash);
  for (const tx_hash of slicesOf(emptied)) await tx.run('entities/delete-spends', { tx_hash });
}

/**
 * Adds a word of a source about who spent together: the newest of each counts, and of one moment the one that saw strangers. A word
 * that is repeated keeps its first moment, so that reading again writes nothing.
 */
export function hear(words: Words, source: string, [readAt, joint]: Words[string]): void {
  const known = words[source];
  if (known?.[1] === joint) return;
  if (!known || readAt > known[0] || (readAt === known[0] && !joint)) words[source] = [readAt, joint];
}

/** True where no source sees strangers: a holder made of strangers is worse than none. */
export function isJoint(words: Words): boolean {
  return Object.values(words).every(([, joint]) => joint);
}

function wordsOf({ said }: SpendRow): Words {
  return JSON.parse(said) as Words;
}

function textOf(words: Words): string {
  return JSON.stringify(Object.fromEntries(Object.entries(words).sort(([a], [b]) => compare(a, b))));
}

function heardIn(pairs: readonly Pair[], held: Written['held']): Map<string, Heard> {
  const heard = new Map<string, Heard>();
  for (const pair of pairs) {
    if (!pair.from.startsWith(ON_BITCOIN)) continue;
    const fromCoinJoin = isCoinJoin(pair.from);
    const ofCoinJoin = fromCoinJoin || isCoinJoin(pair.to);
    const before = held.get(pair);
    for (const [id, found] of pair.found) {
      const joint = ofCoinJoin ? false : found.joint;
      if (joint === null) continue;
      const { tx_hash, at, source, read_at } = found;
      const spend = heard.get(tx_hash) ?? { at, payers: new Set(), words: {}, stored: [] };
      heard.set(tx_hash, spend);
      if (!fromCoinJoin) spend.payers.add(pair.from);
      hear(spend.words, source ?? '', [read_at ?? 0, joint]);
      const fact = before?.get(id) ?? found;
      if (!ofCoinJoin) spend.stored.push({ joint: fact.joint ?? null, change: fact.change === true });
    }
  }
  return heard;
}

/** Reads the known ones of these transactions; nothing changes them before the transaction ends. */
async function readSpends(tx: GraphTransaction, hashes: Iterable<string>): Promise<Map<string, SpendRow>> {
  const known = new Map<string, SpendRow>();
  for (const tx_hash of slicesOf([...hashes].sort(compare))) {
    for (const row of await tx.run<SpendRow>('entities/lock-spends', { tx_hash })) known.set(row.tx_hash, row);
  }
  return known;
}

async function restateSpends(tx: GraphTransaction, rows: readonly SpendRow[]): Promise<void> {
  for (const some of slicesOf(rows)) {
    await tx.run('entities/restate-spends', asColumns(some, ['tx_hash', 'payers', 'said']));
  }
}

async function restateFacts(
  tx: GraphTransaction,
  restated: ReadonlyMap<string, { payers: readonly string[]; joint: boolean }>,
): Promise<void> {
  const joint = Object.fromEntries([...restated].map(([txHash, spend]) => [txHash, spend.joint]));
  const payers = new Set([...restated.values()].flatMap((spend) => spend.payers));
  for (const key of slicesOf([...payers].sort(compare))) await tx.run('entities/restate-facts', { key, joint });
}

import { addressKey, addressOf } from '../../domain/address/address-key.ts';
import { append } from '../../domain/append.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { compare } from '../../domain/compare.ts';
import type { Evidence } from '../../domain/entity.ts';
import { groupBy } from '../../domain/group-by.ts';
import { hasNoHolder } from '../../domain/null-addresses.ts';
import { asColumns, statementSlices } from '../columns.ts';
import type { GraphTransaction, Row } from '../port.ts';
import type { Degrees } from './ends.ts';
import type { Written } from './held-facts.ts';
import type { Pair } from './pairs.ts';

/** Maps a source to its newest reading, and whether that takes the payers for one owner. */
type Words = Record<string, [readAt: number, joint: boolean]>;

/** How the keys of addresses begin on the chain whose transactions have several payers. */
const ON_BITCOIN = addressKey('bitcoin', '');

interface Parties {
  /** Graph keys, sorted. */
  payers: string[];
  /** Graph keys, sorted: a transfer of the transaction in the graph leads from one of its payers to one of these. */
  payees: string[];
}

interface SpendRow extends Row, Parties {
  tx_hash: string;
  said: string;
}

const SPEND_FIELDS = ['tx_hash', 'payers', 'payees', 'said'] as const;

interface Ends {
  from: string;
  to: string;
}

/** A transaction of several payers in a batch. */
interface Heard {
  at: number;
  /** Pairs of a payer and whom it paid. */
  pairs: Ends[];
  words: Words;
  /** Says whether its payers spent together, by each of its facts as stored now. */
  stored: Set<boolean | null>;
  /** The words of facts that the graph held before and that this batch contradicts. */
  earlier: Words;
}

/**
 * Keeps what the facts of a batch say of transactions of several payers, and makes all stored facts of a transaction say the same.
 * Returns who turns out to have spent together, and who no longer does. A transaction is known by its hash: whichever payers and
 * outputs a reading shows, and in whatever order.
 */
export async function keepSpends(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  { held }: { held: Written['held'] },
): Promise<{ joined: Evidence[]; parted: string[] }> {
  const heard = heardIn(pairs, held);
  const known = await readSpends(tx, heard.keys());
  const created: SpendRow[] = [];
  const changed: SpendRow[] = [];
  const restated: { joint: Record<string, boolean>; spends: Parties[] } = { joint: {}, spends: [] };
  const joined: Evidence[] = [];
  const parted: string[] = [];
  for (const [txHash, { at, pairs: ends, words, stored, earlier }] of heard) {
    const before = known.get(txHash);
    // Facts of a version that kept no such node speak for it.
    const wordsBefore = before ? wordsOf(before) : earlier;
    const now = { ...wordsBefore };
    for (const [source, word] of Object.entries(words)) hear(now, source, word);
    const more = without(
      ends.map(({ from }) => from),
      before?.payers,
    );
    const paid = without(
      ends.map(({ to }) => to),
      before?.payees,
    );
    const members = [...(before?.payers ?? []), ...more].sort(compare);
    const said = textOf(now);
    const row = { tx_hash: txHash, payers: members, payees: [...(before?.payees ?? []), ...paid].sort(compare), said };
    if (!before) created.push(row);
    else if (more.length > 0 || paid.length > 0 || said !== before.said) changed.push(row);
    const joint = isJoint(now);
    const turns = Object.keys(wordsBefore).length > 0 && isJoint(wordsBefore) !== joint;
    if (turns || [...stored].some((word) => word !== joint)) {
      restated.joint[txHash] = joint;
      restated.spends.push(row);
    }
    if (joint && (turns || more.length > 0)) {
      // Those of before are joined already: one stands for all who can be joined.
      const one = turns ? undefined : before?.payers.find((key) => !hasNoHolder(addressOf(key)));
      const together = one === undefined ? members : [one, ...more];
      joined.push({ basis: 'co_spent', keyId: null, txHash, at, members: together });
    }
    if (!joint && turns) append(parted, members);
  }
  for (const some of statementSlices(created)) {
    await tx.run('entities/create-spends', asColumns(some, SPEND_FIELDS));
  }
  await restateSpends(tx, changed);
  for (const ends of statementSlices(await endsBeside(tx, restated.spends))) {
    await tx.run('entities/restate-facts', { ends, joint: restated.joint });
  }
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
  const leavers = (txHash: string) => new Set(byHash.get(txHash)!.map(({ payer }) => payer));
  const asked = [...known.values()].map(({ tx_hash, payees }) => ({ payers: [...leavers(tx_hash)], payees }));
  const txs = Object.fromEntries([...known.keys()].map((txHash) => [txHash, true]));
  const stays = new Set<string>();
  for (const ends of statementSlices(await endsBeside(tx, asked))) {
    for (const row of await tx.run<Row & { key: string; tx_hash: string }>('entities/payers-in', { ends, txs })) {
      stays.add(`${row.tx_hash} ${row.key}`);
    }
  }
  // Without payers it is a CoinJoin of which the graph knows the outputs alone.
  const withPayers = [...known.values()].filter(({ payers }) => payers.length > 0);
  const left = withPayers.map((row) => {
    const leaving = leavers(row.tx_hash);
    const payers = row.payers.filter((key) => !leaving.has(key) || stays.has(`${row.tx_hash} ${key}`));
    return { ...row, payers };
  });
  await restateSpends(
    tx,
    left.filter(({ tx_hash, payers }) => payers.length > 0 && payers.length < known.get(tx_hash)!.payers.length),
  );
  const emptied = left.filter(({ payers }) => payers.length === 0).map(({ tx_hash }) => tx_hash);
  for (const tx_hash of statementSlices(emptied)) await tx.run('entities/delete-spends', { tx_hash });
}

/**
 * Adds a word of a source about who spent together: the newest of each counts, and of one moment the one that saw strangers. A
 * repeated one is kept with its newest moment, without which an older one that comes late would count as newer.
 *
 * @internal Run by a test.
 */
export function hear(words: Words, source: string, [readAt, joint]: Words[string]): void {
  const known = words[source];
  if (!known || readAt > known[0] || (readAt === known[0] && !joint)) words[source] = [readAt, joint];
}

/**
 * True where no source sees strangers: a holder made of strangers is worse than none.
 *
 * @internal Run by a test.
 */
export function isJoint(words: Words): boolean {
  return Object.values(words).every(([, joint]) => joint);
}

function wordsOf({ said }: SpendRow): Words {
  return JSON.parse(said) as Words;
}

function textOf(words: Words): string {
  return JSON.stringify(words, Object.keys(words).sort(compare));
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
      const spend = heard.get(tx_hash) ?? { at, pairs: [], words: {}, stored: new Set(), earlier: {} };
      heard.set(tx_hash, spend);
      if (!fromCoinJoin) spend.pairs.push(pair);
      hear(spend.words, source ?? '', [read_at ?? 0, joint]);
      if (ofCoinJoin) continue;
      const fact = before?.get(id) ?? found;
      const stored = fact.joint ?? null;
      spend.stored.add(stored);
      if (stored !== null && stored !== joint) hear(spend.earlier, fact.source ?? '', [fact.read_at ?? 0, stored]);
    }
  }
  return heard;
}

/** Reads the known ones of these transactions; nothing changes them before the transaction ends. */
async function readSpends(tx: GraphTransaction, hashes: Iterable<string>): Promise<Map<string, SpendRow>> {
  const known = new Map<string, SpendRow>();
  for (const tx_hash of statementSlices([...hashes].sort(compare))) {
    for (const row of await tx.run<SpendRow>('entities/lock-spends', { tx_hash })) known.set(row.tx_hash, row);
  }
  return known;
}

async function restateSpends(tx: GraphTransaction, rows: readonly SpendRow[]): Promise<void> {
  for (const some of statementSlices(rows)) {
    await tx.run('entities/restate-spends', asColumns(some, SPEND_FIELDS));
  }
}

function without(keys: readonly string[], known: readonly string[] = []): string[] {
  const all = new Set(keys);
  for (const key of known) all.delete(key);
  return [...all];
}

/** An address, and which of its transfers are meant. */
type SpendSide = [key: string, direction: 'sent' | 'received'];

/**
 * Returns from which addresses the transfers of transactions are found, each with its direction: of every transaction all payers or
 * all payees, whichever have fewer transfers. So a CoinJoin of 300 to 300 asks for 300 addresses, and no busy one is read for
 * nothing. The pairs of the side that has more of them are counted through only where the other has more transfers than that.
 */
async function endsBeside(tx: GraphTransaction, spends: readonly Parties[]): Promise<SpendSide[]> {
  const parties = new Set(spends.flatMap(({ payers, payees }) => [...payers, ...payees]));
  const pairs = await pairsOf(tx, [...parties].sort(compare));
  const choices = spends.map(({ payers, payees }): [fewer: SpendSide[], more: SpendSide[]] => {
    const sent = payers.map((key): SpendSide => [key, 'sent']);
    const received = payees.map((key): SpendSide => [key, 'received']);
    return sumOf(sent, pairs) <= sumOf(received, pairs) ? [sent, received] : [received, sent];
  });
  const transfers = await transfersOf(
    tx,
    choices.flatMap(([fewer]) => fewer),
  );
  const unsure = new Set(choices.filter(([fewer, more]) => sumOf(fewer, transfers) > sumOf(more, pairs)));
  const others = await transfersOf(
    tx,
    [...unsure].flatMap(([, more]) => more),
  );
  const chosen = choices.flatMap((choice) => {
    const [fewer, more] = choice;
    return unsure.has(choice) && sumOf(more, others) < sumOf(fewer, transfers) ? more : fewer;
  });
  return [...new Map(chosen.map((side) => [side.join(' '), side])).values()];
}

function sumOf(sides: readonly SpendSide[], counts: ReadonlyMap<string, number>): number {
  return sides.reduce((sum, side) => sum + (counts.get(side.join(' ')) ?? 0), 0);
}

async function pairsOf(tx: GraphTransaction, keys: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const key of statementSlices(keys)) {
    for (const row of await tx.run<Row & Degrees & { key: string }>('entities/degrees', { key })) {
      counts.set(`${row.key} sent`, row.degree_out).set(`${row.key} received`, row.degree_in);
    }
  }
  return counts;
}

async function transfersOf(tx: GraphTransaction, all: readonly SpendSide[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const once = new Map(all.map((side) => [side.join(' '), side]));
  for (const sides of statementSlices([...once.values()])) {
    const rows = await tx.run<Row & { key: string; side: string; transfers: number }>('entities/transfer-counts', {
      sides,
    });
    for (const { key, side, transfers } of rows) counts.set(`${key} ${side}`, transfers);
  }
  return counts;
}

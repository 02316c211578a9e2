import { addressKey } from '../../domain/address/address-key.ts';
import { append } from '../../domain/append.ts';
import type { Chain } from '../../domain/chain.ts';
import { listsOfChain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { type ReadInterval, readInAll } from '../../domain/tracing/reading.ts';
import { isBlockTransaction } from '../../domain/transfers/arrival.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { Graph, Row } from '../port.ts';
import { type FactPlace, removeFacts } from './remove-facts.ts';

/** A server that lags behind others does not list what is newer than this. */
const SETTLED_MS = HOUR_MS;
/** More than this share of what was held, and more than a few facts, is a fault of the source rather than a correction. */
const LOSS_SHARE_MAX = 0.1;
const LOSS_MAX = 10;
/** Transactions that are looked up in one reading. */
const LOOKED_UP_MAX = 10;

/** Report of a source about an address. */
export interface SourceReading {
  chain: Chain;
  address: string;
  /** As the transfers name it. */
  source: string;
  /** Epoch ms: when the source was asked. */
  at: number;
  transfers: readonly Transfer[];
  /** The spans over which its lists were read whole. */
  intervals: readonly ReadInterval[];
  /** Epoch ms: what lies before comes from an earlier reading, to which nothing is removed. */
  since?: number;
}

/**
 * Returns the transfers that the source states of one transaction: none where it knows no such transaction or it failed. Null where
 * it cannot say, `pending` where the transaction waits for a block.
 */
export type StatedIn = (txHash: string) => Promise<readonly Transfer[] | 'pending' | null>;

/**
 * Deletes facts of an address that the same source gave earlier and no longer gives: those whose transfer has other ends
 * now, and those missing where all lists were read whole. A list may lack what it gave: no missing fact goes before the source
 * denies it for its transaction too, and none with other ends whose other party was read. The rest stays and counts as
 * `conflicts`, and so does what lies before this reading. Collectibles are not in every reading.
 *
 * Missing facts of the last hour are `unconfirmed`: a block may have been reorganised, a transaction replaced. Those whose
 * transaction the source denies, or has waiting, are `denied`, for the caller to delete once it has named them.
 * Where it states their transaction, it is only its list that lags.
 */
export async function removeVanished(
  graph: Graph,
  reading: SourceReading,
  statedIn: StatedIn,
): Promise<{ removed: number; conflicts: number; unconfirmed: string[]; denied: FactPlace[] }> {
  const nothing = { removed: 0, conflicts: 0, unconfirmed: [], denied: [] };
  const { chain, address, source, at, transfers, since = 0 } = reading;
  // Its nodes list a transfer through a closed token account for one of its ends alone.
  if (chain === 'solana') return nothing;
  const params = { key: addressKey(chain, address), source, before: at };
  const facts = await graph.read<HeldFact & Row>('forget/facts-of-address', params);
  // Only whole readings ask for what blocks gave, and no source is asked for it again.
  const held = facts.filter(({ tx_hash }) => !isBlockTransaction(tx_hash));
  if (held.length === 0) return nothing;

  const absent = absentFrom(transfers, held);
  // Others pay into one output of Bitcoin too, at the same place.
  const isOwn = ({ from, to }: Transfer) => chain !== 'bitcoin' || from === address || to === address;
  const placed = transfers.filter((transfer) => transfer.index !== null && isOwn(transfer));
  const places = new Set(placed.map(placeOf));
  const hasOtherEnds = ({ tx_hash: txHash, index }: HeldFact) =>
    index !== null && places.has(placeOf({ txHash, index }));
  const isRead = spansOf(reading);
  const lacking = absent.filter((fact) => !hasOtherEnds(fact) && fact.token_id === null && isRead(fact.at));
  const isSettled = (fact: HeldFact) => fact.at < at - SETTLED_MS;
  const recent = lacking.filter((fact) => !isSettled(fact));
  const wrong = [...absent.filter(hasOtherEnds), ...lacking.filter(isSettled)];
  const now = wrong.filter((fact) => fact.at >= since);
  const [moved, missing] = [now.filter(hasOtherEnds), now.filter((fact) => !hasOtherEnds(fact))];
  const isCorrection = missing.length <= Math.max(LOSS_MAX, held.length * LOSS_SHARE_MAX);
  const certain = moved.filter((fact) => !fact.other_is_read);
  const doubtful = [...moved.filter((fact) => fact.other_is_read), ...(isCorrection ? missing : [])];
  const gone = [...certain, ...(await deniedOf(doubtful, statedIn))];
  const removed = gone.length > 0 ? await removeFacts(graph, gone, { unmark: false }) : 0;
  const { unstated, denied } = await unstatedOf(recent, statedIn);
  return { removed, conflicts: wrong.length - gone.length, unconfirmed: unstated.map(({ id }) => id), denied };
}

interface HeldFact extends FactPlace {
  tx_hash: string;
  index: string | null;
  at: number;
  kind: string;
  token: string | null;
  token_id: string | null;
  amount: string;
  other_is_read: boolean;
}

/** Held facts that the reading gives neither at their place nor, as often as they are held, with their content. */
function absentFrom(transfers: readonly Transfer[], held: readonly HeldFact[]): HeldFact[] {
  const placed = new Set<string>();
  const counted = new Map<string, number>();
  const contentOf = (ends: string, token: string | null, tokenId: string | null, amount: string) =>
    `${ends} ${token} ${tokenId} ${amount}`;
  for (const { chain, txHash, index, from, to, token, tokenId, amount } of transfers) {
    const ends = `${txHash} ${addressKey(chain, from)} ${addressKey(chain, to)}`;
    if (index !== null) placed.add(`${ends} ${index}`);
    const content = contentOf(ends, token, tokenId, amount);
    counted.set(content, (counted.get(content) ?? 0) + 1);
  }
  return held.filter(({ tx_hash, index, from, to, token, token_id, amount }) => {
    const ends = `${tx_hash} ${from} ${to}`;
    const content = contentOf(ends, token, token_id, amount);
    const left = counted.get(content) ?? 0;
    if (left > 0) counted.set(content, left - 1);
    return left === 0 && !(index !== null && placed.has(`${ends} ${index}`));
  });
}

function placeOf({ txHash, index }: Pick<Transfer, 'txHash' | 'index'>): string {
  return `${txHash} ${index}`;
}

function spansOf({ chain, intervals }: SourceReading): (moment: number) => boolean {
  const spans = readInAll(listsOfChain(chain), intervals);
  return (moment) => spans.some(({ from, to }) => from <= moment && moment <= to);
}

/**
 * The facts that the source does not state where it is asked for their transactions, of which the first few are looked up, and
 * those among them that the chain does not hold now.
 */
async function unstatedOf(
  facts: readonly HeldFact[],
  statedIn: StatedIn,
): Promise<Record<'unstated' | 'denied', HeldFact[]>> {
  const found: Record<'unstated' | 'denied', HeldFact[]> = { unstated: [], denied: [] };
  for (const [place, [txHash, together]] of [...groupBy(facts, ({ tx_hash }) => tx_hash)].entries()) {
    const stated = place < LOOKED_UP_MAX ? await statedIn(txHash) : null;
    const lacking = stated === null || stated === 'pending' ? together : deniedBy(stated, together);
    append(found.unstated, lacking);
    if (stated !== null) append(found.denied, lacking);
  }
  return found;
}

/** The facts that the source denies where it is asked for their transactions, of which the first few are looked up. */
async function deniedOf(facts: readonly HeldFact[], statedIn: StatedIn): Promise<HeldFact[]> {
  const denied: HeldFact[] = [];
  const byTransaction = [...groupBy(facts, ({ tx_hash }) => tx_hash)];
  for (const [txHash, together] of byTransaction.slice(0, LOOKED_UP_MAX)) {
    const stated = await statedIn(txHash);
    if (stated !== null && stated !== 'pending') append(denied, deniedBy(stated, together));
  }
  return denied;
}

function deniedBy(stated: readonly Transfer[], facts: readonly HeldFact[]): HeldFact[] {
  // A look-up may lack the inner moves of a transaction that has them.
  const lacksInner = stated.length > 0 && !stated.some(({ kind }) => kind === 'internal');
  const gone = absentFrom(stated, facts);
  return lacksInner ? gone.filter(({ kind }) => kind !== 'internal') : gone;
}

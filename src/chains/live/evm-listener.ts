import { id, zeroPadValue } from 'ethers';
import { append } from '../../domain/append.ts';
import type { EvmChain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { slicesOf } from '../../domain/slices.ts';
import { SourceError } from '../../errors.ts';
import { namedRange } from '../evm/node/log-scan.ts';
import { type Endpoint, isTooLarge } from '../http.ts';
import type { SourcePaces } from '../port.ts';
import { type BlockHead, EvmNode, refusalIn, type State, toHex } from './evm-node.ts';
import type { Heard, Listener, Step, Touch } from './port.ts';
import { type End, placeAfter, Trail } from './trail.ts';

/**
 * Between two steps. One without a new block is one request, so a slow chain is asked at each block; on a fast one each step has
 * new blocks.
 */
const EVERY_MS = { ethereum: 3_000, others: 8_000 };
const TRANSFER = id('Transfer(address,address,uint256)');
/** Addresses of one question. */
const CHUNK = 500;
/** Blocks of one step; a node that finds them too many is asked for as many as it names, else for half as many. */
const SPAN_MAX = 2_000;
/** After a longer silence every address is looked at once, which costs less than all blocks between. */
const GAP_MAX = 20_000;
/** Nodes that count the logs of an answer refuse one of too many in these words. */
const TOO_MANY = /too many|too large|limit|exceed|more than/i;
/** Looked at again where no end of an earlier step is left. */
const REORGANISED_BLOCKS = 12;
/** Addresses of one step that are asked how much they have sent, beside those whose balance changed; the others in later steps. */
const SENT_MAX = 500;
/** Addresses of one step whose coin is looked for by transaction; others are named without one. */
const SEARCHED_MAX = 20;
const BLOCKS_READ_MAX = 10;
/** Blocks of one step that are read whole where many addresses changed: a step of the fastest chain, ten minutes of the slowest. */
const SPAN_READ_MAX = 50;
/** Blocks of a silence that are read in several steps; after a longer one addresses are named without transactions. */
const READ_MAX = 500;

/** Both ends of each payment, by block. */
type BlocksRead = Map<number, Touch[]>;

export interface EvmListenerOptions {
  endpoint: Endpoint;
  chain: EvmChain;
  paces?: SourcePaces;
  everyMs?: number;
}

/** Hears token transfers by their logs, and coin by changed balances and by what the addresses sent. */
export function openEvmListener({ endpoint, chain, paces, everyMs }: EvmListenerOptions): Listener {
  const usual = chain === 'ethereum' ? EVERY_MS.ethereum : EVERY_MS.others;
  return new EvmListener(new EvmNode(endpoint, chain, paces), everyMs ?? usual);
}

class EvmListener implements Listener {
  readonly everyMs: number;
  private readonly node: EvmNode;
  private readonly trail = new Trail();
  /** Where the next step begins to ask how much was sent. */
  private turn = 0;
  private span = SPAN_MAX;
  /** Bounded by what the node itself says that it takes. */
  private spanMax = SPAN_MAX;
  /** Named with a transaction in blocks that were read, while later ones are left. */
  private readonly named = new Set<string>();
  /** Where the last step began that asked up to the newest block, for whom, and what its logs named; null after another. */
  private again: { from: number; watched: Set<string>; named: Set<string> } | null = null;

  constructor(node: EvmNode, everyMs: number) {
    this.node = node;
    this.everyMs = everyMs;
  }

  async step({ watched, place, signal }: Step): Promise<Heard> {
    await this.node.confirmChain();
    signal.throwIfAborted();
    const newest = await this.node.head('latest');
    const { ends, isCut } = this.trail.read(place, newest.number);
    const found = await this.anchorOf(ends, newest);
    const from = found.anchor === null ? newest.number + 1 : found.anchor + 1;
    // Where only the false end was left, nothing says which blocks were heard.
    const isGap = newest.number - from >= GAP_MAX || (isCut && found.anchor === null);
    const to = isGap ? newest.number : Math.min(newest.number, from + this.span - 1);
    // A node behind the one that answered before: its balances are old ones.
    const isBehind = !found.isReorganised && to < (ends.at(-1)?.[0] ?? -1);
    const coin = isBehind
      ? { end: to, marks: new Map<string, string>(), touches: [] }
      : await this.coinOf(watched, { from, to, newest: newest.number, isGap, signal });
    const end = coin.end === newest.number ? newest : await this.node.head(toHex(coin.end));
    const isNew = from <= end.number;
    const logs = isGap || !isNew ? [] : await this.logsTwice(watched, from, end.number);
    // What a node refused for a moment, or of one busy block, bounds no later step.
    if (end.number === newest.number) this.span = this.spanMax;
    if (isNew) {
      const isNewest = !isGap && to === newest.number;
      this.again = isNewest ? { from, watched: new Set(watched.keys()), named: new Set(logs.map(nameOf)) } : null;
    }
    const all = isGap ? [...watched.keys()].map((address) => ({ address, txHash: null, block: null })) : logs;
    return {
      touches: [...all, ...coin.touches],
      marks: coin.marks,
      place: placeAfter(ends, { ...found, heard: [[end.number, end.hash]] }),
      lastBlock: end.number,
      head: newest.number,
      reorganisedFrom: found.isReorganised ? from : null,
    };
  }

  close(): void {
    this.node.close();
  }

  /** The last end of a step that the chain still has, and whether a later one is gone. A node may be behind another. */
  private async anchorOf(
    trail: readonly End[],
    newest: BlockHead,
  ): Promise<{ anchor: number | null; isReorganised: boolean }> {
    let isReorganised = false;
    for (const [block, hash] of trail.toReversed()) {
      if (block > newest.number) continue;
      // All is looked at after such a gap, and a node without old blocks would answer for it never again.
      if (newest.number - block > GAP_MAX) return { anchor: block, isReorganised };
      const now = block === newest.number ? newest : await this.node.head(toHex(block));
      if (now.hash === hash) return { anchor: block, isReorganised };
      isReorganised = true;
    }
    const oldest = trail[0];
    if (oldest === undefined) return { anchor: null, isReorganised: false };
    return { anchor: Math.max(0, Math.min(oldest[0], newest.number) - REORGANISED_BLOCKS), isReorganised: true };
  }

  /**
   * The logs of a span, and those of the newest blocks of the step before that came late: a node that has a block and not yet its
   * logs, or one behind the others that share its URL, answers none without an error. Who was not watched then has no part in those.
   */
  private async logsTwice(watched: ReadonlyMap<string, unknown>, from: number, to: number): Promise<Touch[]> {
    const { again } = this;
    const found = await this.logsOf(watched, Math.min(from, again?.from ?? from), to);
    const isLate = (touch: Touch) => again?.watched.has(touch.address) && !again.named.has(nameOf(touch));
    return found.filter((touch) => touch.block! >= from || isLate(touch));
  }

  private async logsOf(watched: ReadonlyMap<string, unknown>, from: number, to: number): Promise<Touch[]> {
    const touches: Touch[] = [];
    if (from > to) return touches;
    const addresses = [...watched.keys()];
    for (const chunk of slicesOf(addresses, CHUNK)) {
      for (const side of [1, 2] as const) await this.hearLogs(chunk, side, { from, to, touches });
    }
    return touches;
  }

  /**
   * Adds who sent (topic 1) or received (topic 2) tokens. Where even one block has too many logs, as anyone can fill one, its
   * addresses are asked for in halves, and the one that has them all is named without its transactions.
   */
  private async hearLogs(
    chunk: readonly string[],
    side: 1 | 2,
    { from, to, touches }: { from: number; to: number; touches: Touch[] },
  ): Promise<void> {
    const watched = new Set(chunk);
    const listed = chunk.map((address) => zeroPadValue(address, 32));
    const topics = side === 1 ? [TRANSFER, listed] : [TRANSFER, null, listed];
    for (let first = from; first <= to; ) {
      const last = Math.min(to, first + this.span - 1);
      try {
        for (const log of await this.node.logs({ topics, fromBlock: first, toBlock: last })) {
          const address = `0x${log.topics[side]?.slice(26)}`.toLowerCase();
          if (!watched.has(address)) continue;
          touches.push({ address, txHash: log.transactionHash.toLowerCase(), block: log.blockNumber });
        }
        first = last + 1;
      } catch (error) {
        const isSource = error instanceof SourceError;
        if (isSource && !isTooLarge(error)) throw error;
        const failure = this.node.sourceError('eth_getLogs', error);
        const tried = last - first + 1;
        if (tried > 1) {
          const allowed = isSource ? null : namedRange(refusalIn(error), tried);
          this.spanMax = allowed ?? this.spanMax;
          this.span = allowed ?? Math.ceil(tried / 2);
          continue;
        }
        if (!isSource && !TOO_MANY.test(failure.reason)) throw failure;
        const half = Math.ceil(chunk.length / 2);
        if (half === chunk.length) touches.push({ address: chunk[0]!, txHash: null, block: first });
        else {
          for (const part of [chunk.slice(0, half), chunk.slice(half)])
            await this.hearLogs(part, side, { from: first, to: first, touches });
        }
        first += 1;
      }
    }
  }

  /**
   * Touches the addresses whose state changed since their mark, by transaction where it is found. Who passes on what he got within
   * one step has the same balance at both ends, and has sent. The state is that of the newest block: most nodes have no older one.
   * This may end before `to`: where a block cannot be read, and where many changed in more blocks than one step reads. The marks
   * then stay, and the next step goes on from there.
   */
  private async coinOf(
    watched: ReadonlyMap<string, string | null>,
    span: { from: number; to: number; newest: number; isGap: boolean; signal: AbortSignal },
  ): Promise<{ end: number; marks: Map<string, string>; touches: Touch[] }> {
    const { from, newest, isGap, signal } = span;
    const addresses = [...watched].flatMap(([address, mark]) => (from <= span.to || mark === null ? address : []));
    const balances = new Map<string, string>();
    for (const chunk of slicesOf(addresses, CHUNK)) {
      signal.throwIfAborted();
      const found = await this.node.balancesOf(chunk, newest);
      for (const [place, address] of chunk.entries()) balances.set(address, found[place]!);
    }
    const before = new Map(addresses.map((address) => [address, stateIn(watched.get(address) ?? null)]));
    const hasChanged = (address: string) => before.get(address)?.balance !== balances.get(address);
    const sent = await this.sentOf(addresses, hasChanged, newest);
    const marks = new Map<string, string>();
    const changed: { address: string; before: State; now: State }[] = [];
    for (const address of addresses) {
      const known = before.get(address) ?? null;
      const now = { balance: balances.get(address)!, sent: sent.get(address) ?? known?.sent ?? null };
      const mark = markOf(now);
      if (mark !== watched.get(address)) marks.set(address, mark);
      if (known === null || isGap) continue;
      const last = { ...known, sent: known.sent ?? now.sent };
      if (markOf(last) !== mark) changed.push({ address, before: last, now });
    }
    const left = newest - from + 1;
    const isLong = changed.length > SEARCHED_MAX && left > SPAN_READ_MAX && left <= READ_MAX;
    const to = isLong ? from + SPAN_READ_MAX - 1 : span.to;
    const blocks: BlocksRead = new Map();
    const read = await this.readBetween(blocks, from, to, changed.length);
    const touches: Touch[] = [];
    if (read !== null) {
      const whole = groupBy([...blocks.values()].flat(), ({ address }) => address);
      for (const { address } of changed) {
        const named = whole.get(address) ?? [];
        if (named.length > 0) this.named.add(address);
        const isUnnamed = read === newest && !this.named.has(address);
        append(touches, isUnnamed ? [{ address, txHash: null, block: read }] : named);
      }
      if (read < newest) {
        for (const { address } of changed) marks.delete(address);
        return { end: read, marks, touches };
      }
    } else {
      for (const [place, { address, ...states }] of changed.entries()) {
        const isSearched = to === newest && place < SEARCHED_MAX;
        const named = isSearched ? await this.paymentsOf(address, { ...states, from, to, blocks }) : [];
        append(touches, named.length > 0 ? named : [{ address, txHash: null, block: to }]);
      }
    }
    this.named.clear();
    return { end: to, marks, touches };
  }

  /** How many transactions were sent by those whose balance changed, and by some of the others in turn. */
  private async sentOf(
    addresses: readonly string[],
    hasChanged: (address: string) => boolean,
    block: number,
  ): Promise<Map<string, number>> {
    const others = addresses.filter((address) => !hasChanged(address));
    const start = this.turn < others.length ? this.turn : 0;
    this.turn = start + SENT_MAX;
    const asked = [...addresses.filter(hasChanged), ...others.slice(start, this.turn)];
    const counts = await this.node.sentBy(asked, block);
    return new Map(counts.map((count, place) => [asked[place]!, count]));
  }

  /**
   * Reads the blocks of a step, where that takes fewer requests than to search for the addresses. Returns the last of those that
   * follow each other from the first; null where the addresses are to be searched.
   */
  private async readBetween(blocks: BlocksRead, from: number, to: number, addresses: number): Promise<number | null> {
    const span = to - from + 1;
    if (span < 1 || span > SPAN_READ_MAX) return null;
    const searched = addresses * (1 + 2 * Math.ceil(Math.log2(span)));
    if (span > searched) return null;
    for (let block = from; block <= to; block++) {
      try {
        blocks.set(block, await this.node.partiesIn(block));
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        if (block > from) return block - 1;
        // The next step has more blocks: an alert waits for one step at most.
        if (from === to && !isTooLarge(error)) throw error;
        return null;
      }
    }
    return to;
  }

  /** Transactions of the blocks in which the state changed; none where only contracts paid, or the state is gone. */
  private async paymentsOf(
    address: string,
    { before, now, from, to, blocks }: { before: State; now: State; from: number; to: number; blocks: BlocksRead },
  ): Promise<Touch[]> {
    const found: Touch[] = [];
    const last = markOf(now);
    try {
      let [unchanged, state] = [Math.min(from, to) - 1, markOf(before)];
      while (state !== last && unchanged < to) {
        let changed = to;
        while (changed - unchanged > 1) {
          const middle = Math.floor((unchanged + changed) / 2);
          if (markOf(await this.node.stateAt(address, middle)) === state) unchanged = middle;
          else changed = middle;
        }
        if (!blocks.has(changed)) {
          if (blocks.size >= BLOCKS_READ_MAX) return found;
          blocks.set(changed, await this.node.partiesIn(changed));
        }
        for (const touch of blocks.get(changed)!) if (touch.address === address) found.push(touch);
        state = changed === to ? last : markOf(await this.node.stateAt(address, changed));
        unchanged = changed;
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
    return found;
  }
}

function nameOf({ address, txHash, block }: Touch): string {
  return `${address} ${txHash} ${block}`;
}

function markOf({ balance, sent }: State): string {
  return sent === null ? balance : `${balance} ${sent}`;
}

/** Reads a mark. Before this had two parts a mark was the balance alone. */
function stateIn(mark: string | null): State | null {
  if (mark === null) return null;
  const [balance, sent] = mark.split(' ');
  return { balance: balance!, sent: sent === undefined ? null : Number(sent) };
}

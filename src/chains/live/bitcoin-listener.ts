import { base58, bech32, bech32m } from '@scure/base';
import { Block } from 'bitcoinjs-lib';
import { z } from 'zod';
import { bareScriptAddress, isBareScript } from '../../domain/address/script-address.ts';
import { append } from '../../domain/append.ts';
import { groupBy } from '../../domain/group-by.ts';
import { SourceError } from '../../errors.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import { openAnswer } from '../../outbound/request.ts';
import { checkEsplora } from '../bitcoin/check.ts';
import { askSource, type Endpoint } from '../http.ts';
import type { RequestOptions, SourcePaces } from '../port.ts';
import { checked } from '../reply.ts';
import { BitcoinMempool } from './bitcoin-mempool.ts';
import { CatchUp } from './catch-up.ts';
import type { Heard, Listener, Step, Touch } from './port.ts';
import { anchorOf, type End, placeAfter, Trail } from './trail.ts';

/** A step without a new block is two requests. */
const EVERY_MS = 6_000;
/** Answers of servers that do not give whole blocks. */
const NOT_GIVEN = [400, 404, 405, 410, 501];
/** A raw block has 4 MB at most. */
const BLOCK_BYTES = 4_200_000;
const BLOCK_MS = 60_000;
/** Blocks of one step. */
const BLOCKS = 3;
/** After a longer silence every address is looked at once. */
const GAP_MAX = 1_000;
/** Unspent outputs that are remembered of one address; one that has more is looked at after each block that pays it. */
const OUTPUTS_MAX = 500;
/** Touches of one block; beyond them each of its addresses is named once, without a transaction. */
const TOUCHES_MAX = 1_000;
/** Blocks that the source names and does not give, one after another, until it is taken for one that gives none. */
const REFUSED_MAX = 3;
/** Blocks after which such a source is asked for one again. */
const AGAIN_BLOCKS = 6;

/** Unspent outputs of an address, as `txid:output`; null where there are too many. */
type Outputs = string[] | null;
/** How an address stands: what is received and spent at once changes its transactions alone. */
interface Standing {
  outputs: Outputs;
  /** Its transactions, `<in blocks>+<not yet>`; null where the source does not count as far. */
  txs: string | null;
}
interface Known extends Standing {
  /** The last block that was heard when its outputs were to be asked for; null once they were. */
  unreadSince: number | null;
}

const count = z.object({ tx_count: z.int().min(0) });
const countsShape = z.object({ chain_stats: count, mempool_stats: count.optional() });
const outputsShape = z.array(z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/), vout: z.int().min(0) }));

export interface BitcoinListenerOptions {
  endpoint: Endpoint;
  /** WebSocket of a mempool backend; without it, what is in no block yet is not heard. */
  mempoolUrl?: string;
  paces?: SourcePaces;
  everyMs?: number;
}

/** Hears each new block whole: outputs to the addresses, inputs that spend their outputs, and, where it can, the mempool. */
export function openBitcoinListener(options: BitcoinListenerOptions): Listener {
  return new BitcoinListener(options);
}

class BitcoinListener implements Listener {
  readonly everyMs: number;
  private readonly endpoint: Endpoint;
  private readonly paces?: SourcePaces;
  private readonly closing = new AbortController();
  private readonly mempool: BitcoinMempool | null;
  private readonly catchUp = new CatchUp();
  private readonly trail = new Trail();
  private isConfirmed = false;
  /** The block that was named and not given: the server that answered may be behind. It is asked for once more in the next step. */
  private awaited: string | null = null;
  /** Blocks in a row that were not given then either. */
  private refused = 0;
  /** From REFUSED_MAX on, the height from which a block is asked for again; addresses are asked how they stand meanwhile. */
  private againAt = 0;

  constructor({ endpoint, mempoolUrl, paces, everyMs = EVERY_MS }: BitcoinListenerOptions) {
    this.mempool = mempoolUrl === undefined ? null : new BitcoinMempool(mempoolUrl);
    this.endpoint = endpoint;
    this.everyMs = everyMs;
    this.paces = paces;
  }

  async step({ watched, place, signal }: Step): Promise<Heard> {
    if (!this.isConfirmed) await checkEsplora(this.endpoint, this.options());
    this.isConfirmed = true;
    const head = Number(await this.text('/blocks/tip/height', /^\d{1,9}$/));
    const { ends, isCut } = this.trail.read(place, head);
    const found = await anchorOf(ends, { head, gapMax: GAP_MAX, hashAt: (block) => this.hashOf(block) });
    const from = (found.anchor ?? head) + 1;
    // Where only a false end was left, nothing says which blocks were heard.
    const isGap = head - from >= GAP_MAX || (isCut && found.anchor === null);
    const isNews = !isGap && from <= head;
    const isAsked = this.refused < REFUSED_MAX || head >= this.againAt;
    const first = isNews && isAsked ? await this.heightOf(from) : null;
    const isPolled = isNews && !first?.block && this.awaited === null;
    if (isPolled) this.againAt = isAsked ? head + AGAIN_BLOCKS : this.againAt;
    const news: End[] = [];
    const anchor = found.anchor ?? head;
    const isAnyUnsure = isGap || found.isReorganised || isPolled;
    const held = new Map<string, Known>();
    for (const [address, mark] of watched) {
      const { unreadSince, ...standing } = knownIn(mark);
      const isUnread = mark === null || unreadSince !== null || isAnyUnsure;
      const since = mark === null && isPolled ? head : anchor;
      held.set(address, { ...standing, unreadSince: isUnread ? (unreadSince ?? since) : null });
    }
    const touches: Touch[] = this.mempool?.hear(watched) ?? [];
    const { hasMore, marks } = await this.readStanding(held, isPolled ? head : anchor, {
      isInBlocks: !isPolled,
      isReorganised: found.isReorganised,
      touches,
      signal,
    });
    let last = found.anchor ?? head;
    if (isGap) for (const address of watched.keys()) touches.push({ address, txHash: null, block: null });
    if (isGap || isPolled) {
      last = head;
      news.push([head, await this.hashOf(head)]);
    } else if (found.anchor === null) news.push([head, await this.hashOf(head)]);
    for (let next = first; next !== null && next.block !== null; ) {
      signal.throwIfAborted();
      const { height, hash, block } = next;
      append(touches, await this.touchesIn(block, height, held, marks));
      news.push([height, hash]);
      last = height;
      next = height < Math.min(head, from + BLOCKS - 1) ? await this.heightOf(height + 1) : null;
    }
    return {
      touches,
      marks,
      place: placeAfter(ends, { ...found, heard: news }),
      lastBlock: last,
      // The next step waits for a block that the source cannot give yet.
      head: this.awaited === null ? head : last,
      reorganisedFrom: found.isReorganised ? from : null,
      hasMore,
    };
  }

  /**
   * Asks how addresses stand of which that is not known, before the first block: an output of that block is heard twice at most.
   * Where blocks up to `heard` passed meanwhile they may have changed some: those that stand otherwise are looked at, and those of
   * which one cannot say it.
   */
  private async readStanding(
    held: Map<string, Known>,
    heard: number,
    step: { isInBlocks: boolean; isReorganised: boolean; touches: Touch[]; signal: AbortSignal },
  ): Promise<{ hasMore: boolean; marks: Map<string, string> }> {
    const unread = [...held].flatMap(([address, { unreadSince }]) => (unreadSince === null ? [] : address));
    const { hasMore } = await this.catchUp.ask(unread, step.signal, async (address) => {
      const known = held.get(address)!;
      const txs = await this.transactionsOf(address);
      const isCounted = txs !== null && txs === known.txs;
      // A reorganisation may leave as many transactions, of other outputs.
      const isSame = isCounted && !step.isReorganised;
      const now = isSame ? known.outputs : txs === '0+0' ? [] : await this.outputsOf(address);
      const isOther = !isCounted || !known.outputs || !now || !isEqual(known.outputs, now);
      if (known.unreadSince! < heard && isOther) step.touches.push({ address, txHash: null, block: null });
      // After a reorganisation the blocks in between may spend what the list of now lacks.
      const outputs = step.isInBlocks ? known.outputs && now && [...new Set([...known.outputs, ...now])] : now;
      held.set(address, { outputs, txs, unreadSince: null });
    });
    return { hasMore, marks: new Map(unread.map((address) => [address, JSON.stringify(held.get(address))])) };
  }

  close(): void {
    this.closing.abort(new Error('The listener is closed'));
    this.mempool?.close();
  }

  private options(): RequestOptions {
    return { paces: this.paces, inBackground: true, signal: this.closing.signal };
  }

  private async text(path: string, form: RegExp): Promise<string> {
    const { status, excerpt } = await askSource(this.endpoint, { path, attempts: 2, ...this.options() });
    const text = excerpt.trim();
    if (status === 200 && form.test(text)) return text;
    throw this.problem(`${path}: HTTP ${status}, answered with something else`);
  }

  private hashOf(height: number): Promise<string> {
    return this.text(`/block-height/${height}`, /^[0-9a-f]{64}$/);
  }

  private async transactionsOf(address: string): Promise<string | null> {
    const counts = await this.listed(address, '', countsShape);
    return counts && `${counts.chain_stats.tx_count}+${counts.mempool_stats?.tx_count ?? 0}`;
  }

  private async outputsOf(address: string): Promise<Outputs> {
    const outputs = await this.listed(address, '/utxo', outputsShape);
    return outputs && outputs.length <= OUTPUTS_MAX ? outputs.map(({ txid, vout }) => `${txid}:${vout}`) : null;
  }

  /** Reads what the source says of an address; null where it refuses, as servers do for addresses that have too much. */
  private async listed<T>(address: string, what: string, shape: z.ZodType<T>): Promise<T | null> {
    const path = `${isBareScript(address) ? `/scripthash/${address.slice(7)}` : `/address/${address}`}${what}`;
    const { status, json } = await askSource(this.endpoint, { path, attempts: 2, ...this.options() });
    return status === 400 ? null : checked(this.endpoint, shape, json, path);
  }

  /**
   * Reads the block of a height; its `block` is null where the source does not give it. One that is no longer the chain's, or that
   * is refused for the first time, is awaited: a server of the source may be behind.
   */
  private async heightOf(height: number): Promise<{ height: number; hash: string; block: Block | null }> {
    const hash = await this.hashOf(height);
    const block = await this.block(hash);
    const isAwaited = this.awaited === hash || this.refused >= REFUSED_MAX;
    this.awaited = null;
    if (block) this.refused = 0;
    else if (!isAwaited) this.awaited = hash;
    else if ((await this.hashOf(height)) !== hash) this.awaited = hash;
    else this.refused += 1;
    return { height, hash, block };
  }

  /** Null where the source has no such answer. */
  private async block(hash: string): Promise<Block | null> {
    const url = new URL(`${this.endpoint.baseUrl.replace(/\/$/, '')}/block/${hash}/raw`);
    let leave: (() => void) | undefined;
    try {
      leave = await this.paces?.of(this.endpoint.baseUrl, this.endpoint.perSecond).enter(this.options());
      const answer = await openAnswer(url, { timeoutMs: BLOCK_MS, bytesMax: BLOCK_BYTES, signal: this.closing.signal });
      const parts: Buffer[] = [];
      for await (const part of answer.body) parts.push(part);
      if (NOT_GIVEN.includes(answer.status)) return null;
      if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
      const block = Block.fromBuffer(Buffer.concat(parts));
      if (block.getId() === hash) return block;
      throw new Error('another block was answered');
    } catch (error) {
      throw this.problem(`block ${hash}: ${(error as Error).message}`, error);
    } finally {
      leave?.();
    }
  }

  /** Both sides of the watched addresses; keeps their outputs as the block leaves them. Other work goes on meanwhile. */
  private async touchesIn(
    block: Block,
    height: number,
    held: Map<string, Known>,
    marks: Map<string, string>,
  ): Promise<Touch[]> {
    const byScript = new Map<string, string>();
    const owners = new Map<string, string>();
    await eachInSlices(held, ([address, { outputs }]) => {
      byScript.set(scriptOf(address), address);
      for (const one of outputs ?? []) owners.set(one, address);
    });
    const touches: Touch[] = [];
    const changed = new Set<string>();
    await eachInSlices(block.transactions ?? [], (transaction) => {
      const parties = new Set<string>();
      for (const { hash, index } of transaction.ins) {
        const spent = `${Buffer.from(hash).reverse().toString('hex')}:${index}`;
        const owner = owners.get(spent);
        if (owner === undefined) continue;
        owners.delete(spent);
        parties.add(owner);
      }
      const paid = [...transaction.outs.entries()].flatMap(([output, { script }]) => {
        const hex = Buffer.from(script).toString('hex');
        const owner = byScript.get(hex) ?? byScript.get(bareScriptAddress(hex));
        return owner === undefined ? [] : { output, owner };
      });
      if (parties.size + paid.length === 0) return;
      // To hash every transaction would take longer than all else.
      const txHash = transaction.getId();
      for (const { output, owner } of paid) {
        owners.set(`${txHash}:${output}`, owner);
        parties.add(owner);
      }
      for (const address of parties) {
        changed.add(address);
        touches.push({ address, txHash, block: height });
      }
    });
    const left = groupBy(changed.size > 0 ? [...owners] : [], ([, owner]) => owner);
    for (const address of changed) {
      const known = held.get(address)!;
      const unspent = (left.get(address) ?? []).map(([one]) => one);
      const outputs = known.outputs === null || unspent.length > OUTPUTS_MAX ? null : unspent;
      held.set(address, { ...known, outputs });
      marks.set(address, JSON.stringify(held.get(address)));
    }
    if (touches.length > TOUCHES_MAX) return [...changed].map((address) => ({ address, txHash: null, block: height }));
    return touches;
  }

  private problem(reason: string, cause?: unknown): SourceError {
    return new SourceError('bitcoin', `${this.endpoint.name}: ${reason.slice(0, 300)}`, { cause });
  }
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  const all = new Set([...some, ...others]);
  return all.size === some.length && all.size === others.length;
}

/** Reads a mark; of an address without one nothing is known. Before this had parts a mark was the outputs alone. */
function knownIn(mark: string | null): Known {
  if (mark === null) return { outputs: [], txs: null, unreadSince: null };
  const read = JSON.parse(mark) as Known | Outputs;
  return read === null || Array.isArray(read)
    ? { outputs: read, txs: null, unreadSince: null }
    : { ...read, txs: read.txs ?? null };
}

/** The script that pays an address, in hex; of a script without an address its pseudo address. */
function scriptOf(address: string): string {
  if (isBareScript(address)) return address;
  if (/^bc1/i.test(address)) {
    const { words } =
      address.charAt(3) === 'q' ? bech32.decode(address as `bc1${string}`) : bech32m.decode(address as `bc1${string}`);
    const [version = 0, ...program] = words;
    const bytes = Buffer.from(bech32.fromWords(program));
    const opcode = version === 0 ? 0 : 0x50 + version;
    return Buffer.concat([Buffer.from([opcode, bytes.length]), bytes]).toString('hex');
  }
  const [kind, ...hash] = base58.decode(address).subarray(0, 21);
  const bytes = Buffer.from(hash).toString('hex');
  return kind === 0 ? `76a914${bytes}88ac` : `a914${bytes}87`;
}

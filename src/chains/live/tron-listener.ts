import { providers, TronWeb } from 'tronweb';
import { z } from 'zod';
import { SourceError } from '../../errors.ts';
import { askSource, type Endpoint } from '../http.ts';
import type { SourcePaces } from '../port.ts';
import { checked } from '../reply.ts';
import { type TronApi, tronApi } from '../tron/api.ts';
import { checkTron } from '../tron/check.ts';
import { CatchUp } from './catch-up.ts';
import type { Heard, Listener, Step, Touch } from './port.ts';
import { anchorOf, type End, placeAfter, Trail } from './trail.ts';

const EVERY_MS = 6_000;
/** Blocks of one step; one comes every three seconds. */
const BLOCKS = 20;
/** After a longer silence every address is looked at once, which costs less than all blocks between. */
const GAP_MAX = 2_000;
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Addresses of one step, where each is asked for by itself. */
const ASKED_MAX = 50;
/** Transactions of one address and list that are named at once. */
const NAMED_MAX = 20;
/** Digits that are remembered of each known transaction. */
const MARK_DIGITS = 16;
/** Transfers of coin and calls, and transfers of tokens. */
const LISTS = ['transactions', 'transactions/trc20'] as const;

const text = z.string().max(200);
const blockShape = z.object({
  blockID: z.string().regex(/^[0-9a-f]{64}$/),
  block_header: z.object({ raw_data: z.object({ number: z.int().min(0).default(0) }) }),
  transactions: z
    .array(
      z.object({
        txID: text,
        ret: z.array(z.object({ contractRet: text.optional() })).default([]),
        raw_data: z.object({
          contract: z.array(z.object({ parameter: z.object({ value: z.record(z.string(), z.unknown()) }) })),
        }),
      }),
    )
    .default([]),
});
const infosShape = z.array(
  z.object({
    id: text,
    log: z.array(z.object({ topics: z.array(text).default([]) })).default([]),
    internal_transactions: z
      .array(z.object({ caller_address: text, transferTo_address: text, rejected: z.boolean().default(false) }))
      .default([]),
  }),
);
const listedShape = z.object({ txID: text.optional(), transaction_id: text.optional() });

export interface TronListenerOptions {
  endpoint: Endpoint;
  /** True where every block is read; else each address is asked for, at the rate of the source. */
  readsBlocks: boolean;
  key?: string;
  paces?: SourcePaces;
  everyMs?: number;
}

/** Hears each block of a node, or asks a source of others for the newest transactions of each address. */
export function openTronListener(options: TronListenerOptions): Listener {
  return new TronListener(options);
}

class TronListener implements Listener {
  readonly everyMs: number;
  private readonly endpoint: Endpoint;
  private readonly paces?: SourcePaces;
  private readonly api: TronApi;
  private readonly tronWeb: TronWeb;
  private readonly catchUp = new CatchUp();
  private readonly closing = new AbortController();
  private readonly readsBlocks: boolean;
  private readonly trail = new Trail();
  private isConfirmed = false;
  /** Where the next step of addresses begins. */
  private turn = 0;

  constructor({ endpoint, key, readsBlocks, paces, everyMs = EVERY_MS }: TronListenerOptions) {
    this.everyMs = everyMs;
    this.endpoint = { ...endpoint, headers: key === undefined ? undefined : { 'TRON-PRO-API-KEY': key } };
    this.paces = paces;
    this.api = tronApi(this.endpoint);
    this.readsBlocks = readsBlocks;
    const node = new GuardedNode(endpoint.baseUrl, (path, body) => this.post(path, body));
    this.tronWeb = new TronWeb({ fullNode: node, solidityNode: node, eventServer: node });
  }

  async step({ watched, place, signal }: Step): Promise<Heard> {
    if (!this.isConfirmed) await checkTron(this.api, this.options());
    this.isConfirmed = true;
    signal.throwIfAborted();
    const head = await this.end(this.tronWeb.trx.getCurrentBlock());
    return this.readsBlocks ? this.hearBlocks(watched, place, head, signal) : this.hearLists(watched, head, signal);
  }

  close(): void {
    this.closing.abort(new Error('The listener is closed'));
  }

  private options() {
    return { paces: this.paces, inBackground: true, signal: this.closing.signal };
  }

  private async post(path: string, body: unknown): Promise<unknown> {
    const { status, json } = await askSource(this.endpoint, { path, body, attempts: 2, ...this.options() });
    if (status !== 200) throw this.problem(`${path}: HTTP ${status}`);
    return json;
  }

  private async ask<S extends z.ZodType>(shape: S, answer: Promise<unknown>, what: string): Promise<z.output<S>> {
    const found = await answer.catch((error: unknown) => {
      if (error instanceof SourceError) throw error;
      throw this.problem(`${what}: ${String((error as Error).message ?? error)}`);
    });
    return checked(this.endpoint, shape, found, what);
  }

  private async end(answer: Promise<unknown>): Promise<End> {
    const { blockID, block_header } = await this.ask(blockShape, answer, 'a block');
    return [block_header.raw_data.number, blockID];
  }

  private async hearBlocks(
    watched: Step['watched'],
    place: string | null,
    [head, headId]: End,
    signal: AbortSignal,
  ): Promise<Heard> {
    const { ends, isCut } = this.trail.read(place, head);
    const hashAt = async (block: number) => (await this.end(this.tronWeb.trx.getBlockByNumber(block)))[1];
    const found = await anchorOf(ends, { head, gapMax: GAP_MAX, hashAt });
    const { anchor, isReorganised } = found;
    const from = (anchor ?? head) + 1;
    // Where only a false end was left, nothing says which blocks were heard.
    const isGap = head - from >= GAP_MAX || (isCut && anchor === null);
    const news: End[] = [];
    const touches: Touch[] = [];
    let last = anchor ?? head;
    if (isGap || anchor === null) {
      last = head;
      news.push([head, headId]);
    }
    if (isGap) for (const address of watched.keys()) touches.push({ address, txHash: null, block: null });
    const byHex = new Map(
      [...watched.keys()].map((address) => [TronWeb.address.toHex(address).toLowerCase(), address]),
    );
    for (let height = from; !isGap && height <= Math.min(head, from + BLOCKS - 1); height++) {
      signal.throwIfAborted();
      const { id, parties } = await this.block(height);
      for (const [txHash, hexes] of parties) {
        const named = new Set([...hexes].flatMap((hex) => byHex.get(hex) ?? []));
        for (const address of named) touches.push({ address, txHash, block: height });
      }
      news.push([height, id]);
      last = height;
    }
    return {
      touches,
      marks: new Map(),
      place: placeAfter(ends, { ...found, heard: news }),
      lastBlock: last,
      head,
      reorganisedFrom: isReorganised ? from : null,
    };
  }

  /** Names the parties of each transaction of a block: of its contract, its logs of transfers, and its internal payments. */
  private async block(height: number): Promise<{ id: string; parties: Map<string, Set<string>> }> {
    const what = `block ${height}`;
    const block = await this.ask(blockShape, this.tronWeb.trx.getBlockByNumber(height), what);
    if (block.block_header.raw_data.number !== height) throw this.problem(`${what}: another one was answered`);
    const asked = this.tronWeb.fullNode.request('wallet/gettransactioninfobyblocknum', { num: height }, 'post');
    const infos = await this.ask(infosShape, asked, what);
    // One node of several may have the block and not yet its events: it answers an empty list, without an error.
    if (infos.length < block.transactions.length)
      throw this.problem(`${what}: it has ${block.transactions.length} transactions, and events of ${infos.length}`);
    const parties = new Map<string, Set<string>>();
    const add = (txHash: string, hex: unknown) => {
      if (typeof hex !== 'string' || !/^41[0-9a-f]{40}$/i.test(hex)) return;
      const named = parties.get(txHash) ?? new Set<string>();
      parties.set(txHash, named.add(hex.toLowerCase()));
    };
    for (const { txID, ret, raw_data } of block.transactions) {
      if (ret.some(({ contractRet }) => contractRet !== undefined && contractRet !== 'SUCCESS')) continue;
      for (const { parameter } of raw_data.contract)
        for (const value of Object.values(parameter.value)) add(txID, value);
    }
    for (const { id, log, internal_transactions } of infos) {
      for (const { topics } of log) {
        if (topics[0]?.toLowerCase() !== TRANSFER) continue;
        for (const topic of topics.slice(1, 3)) add(id, `41${topic.slice(-40)}`);
      }
      for (const { caller_address, transferTo_address, rejected } of internal_transactions) {
        for (const hex of rejected ? [] : [caller_address, transferTo_address]) add(id, hex);
      }
    }
    return { id: block.blockID, parties };
  }

  /** Asks for the newest transactions of some addresses, in turns; the mark is what each list showed. */
  private async hearLists(watched: Step['watched'], head: End, signal: AbortSignal): Promise<Heard> {
    const addresses = [...watched.keys()];
    const start = this.turn < addresses.length ? this.turn : 0;
    const asked = addresses.slice(start, start + ASKED_MAX);
    const touches: Touch[] = [];
    const marks = new Map<string, string>();
    const { answered } = await this.catchUp.ask(asked, signal, async (address) => {
      const mark = watched.get(address) ?? null;
      const known = mark === null ? null : (JSON.parse(mark) as Known[]);
      const now = JSON.stringify(await this.newestOf(address, known, touches));
      if (now !== mark) marks.set(address, now);
    });
    if (asked.length > 0 && answered.size === 0) throw this.problem('it answers for no address');
    this.turn = start + ASKED_MAX;
    return {
      touches,
      marks,
      place: JSON.stringify([head]),
      lastBlock: head[0],
      head: head[0],
      reorganisedFrom: null,
      hasMore: this.turn < addresses.length,
    };
  }

  /** Sources list a transaction late, behind others of its block: what was not shown before is new wherever it stands. */
  private async newestOf(address: string, known: Known[] | null, touches: Touch[]): Promise<string[][]> {
    const shown: string[][] = [];
    for (const [place, list] of LISTS.entries()) {
      const path = `/v1/accounts/${address}/${list}`;
      const request = { path, query: { limit: NAMED_MAX }, shape: listedShape, pageLimit: 1 };
      const { items } = (await this.api.list(request, this.options())) ?? { items: [] };
      const ids = items.flatMap(({ txID, transaction_id }) => txID ?? transaction_id ?? []);
      const before = new Set([known?.[place] ?? []].flat().map(markOf));
      shown.push(ids.length > 0 ? [...new Set(ids.map(markOf))] : [...before]);
      // Behind the last one that was shown stand older ones, which take the place of those that are gone.
      const end = ids.findLastIndex((id) => before.has(markOf(id))) + 1 || ids.length;
      const fresh = known === null ? [] : ids.slice(0, end).filter((id) => !before.has(markOf(id)));
      for (const txHash of new Set(fresh)) touches.push({ address, txHash, block: null });
    }
    return shown;
  }

  private problem(reason: string): SourceError {
    return new SourceError('tron', `${this.endpoint.name}: ${reason.slice(0, 300)}`);
  }
}

/** The transactions that one list showed. Earlier marks have the newest transaction alone; null where there was none. */
type Known = string[] | string | null;

function markOf(txHash: string): string {
  return txHash.slice(0, MARK_DIGITS);
}

/** All requests of tronweb go through the guarded client: its own one (axios) has no bound and is never used. */
class GuardedNode extends providers.HttpProvider {
  private readonly post: (path: string, body: unknown) => Promise<unknown>;

  constructor(host: string, post: (path: string, body: unknown) => Promise<unknown>) {
    super(host);
    this.post = post;
  }

  override request<T>(path: string, body: object = {}): Promise<T> {
    return this.post(`/${path.replace(/^\//, '')}`, body) as Promise<T>;
  }
}

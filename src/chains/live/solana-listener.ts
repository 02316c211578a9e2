import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type Logs, PublicKey } from '@solana/web3.js';
import WebSocket from 'ws';
import { append } from '../../domain/append.ts';
import { SourceError } from '../../errors.ts';
import { askSource, type Endpoint } from '../http.ts';
import type { SourcePaces } from '../port.ts';
import { publicSource } from '../public-sources.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana/address.ts';
import { type SolanaRpc, solanaRpc } from '../solana/rpc.ts';
import { checkSolana } from '../solana/solana.ts';
import { ASKED_MAX, CatchUp, Checks } from './catch-up.ts';
import type { Heard, Listener, Step, Touch } from './port.ts';

const EVERY_MS = 2_000;
const SUBSCRIBED_MS = 15_000;
/** Between two looks for new token accounts of an address that is touched. */
const ACCOUNTS_EVERY_MS = 60_000;
/**
 * Subscriptions of one connection: the public node of the main network refuses the 101st, others end the connection at 1,450 and
 * more. Addresses beyond are asked for in turn.
 */
const SUBSCRIPTIONS_MAX = { public: 95, others: 1_400 };
/** Between two questions for an address that has not all its subscriptions, at least: they are asked for in turn. */
const ASKED_EVERY_MS = 15_000;
/** An address costs about four requests; those of one step take two seconds at the rate of the source. */
const ASKED_SHARE = 0.5;
/** After a refusal, before another subscription is tried: some nodes refuse for a moment, others are full. */
const FULL_MS = 60_000;
/** Slots come twice a second: a connection that says nothing for so long is dead. */
const SILENT_MS = 30_000;
/** A message names one transaction and its logs, of 10 kB. */
const MESSAGE_BYTES = 1_000_000;
/** Token accounts of one address that are listened to. */
const ACCOUNTS_MAX = 20;
/** Transactions of one account that are named after a gap. */
const GAP_SIGNATURES = 20;
/** Between two steps; where there are more, every address is looked at. */
const HELD_MAX = 1_000;
/** Slots behind what was heard from which a node serves another ledger. */
const BEHIND_MAX = 32;

/** The newest signature that was heard of each account of an address; null of one that had none. */
type Newest = Record<string, string | null>;

/** Parts of the client of web3.js that its types do not show. */
interface RpcSocket {
  dataPack: { encode(value: unknown): string; decode(text: unknown): unknown };
  reconnect: boolean;
  reconnect_timer_id?: NodeJS.Timeout;
  socket?: { terminate(): void };
  underlyingSocket?: WebSocket;
  webSocketFactory(url: string): WebSocket;
  emit(event: string, ...values: unknown[]): boolean;
  call(...values: unknown[]): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): void;
  removeAllListeners(event?: string): void;
}

export interface SolanaListenerOptions {
  endpoint: Endpoint;
  /** Left out: beside the endpoint, as nodes have it. */
  socketUrl?: string;
  paces?: SourcePaces;
  everyMs?: number;
  /** Between two addresses that are asked for although they are listened to. */
  checkMs?: number;
}

/** Hears the logs of transactions that name the addresses or their token accounts, and asks for those of a gap. */
export function openSolanaListener(options: SolanaListenerOptions): Listener {
  return new SolanaListener(options);
}

class SolanaListener implements Listener {
  readonly everyMs: number;
  private readonly endpoint: Endpoint;
  private readonly paces?: SourcePaces;
  private readonly rpc: SolanaRpc;
  private readonly connection: Connection;
  private readonly socket: RpcSocket;
  private readonly closing = new AbortController();
  private readonly catchUp = new CatchUp();
  private readonly checks: Checks;
  /** Subscriptions by account, of each address; their gap may not be asked for yet. */
  private readonly subscriptions = new Map<string, Map<string, number>>();
  /** When the token accounts of an address were last looked for; its gap was asked for then. */
  private readonly lookedAt = new Map<string, number>();
  private readonly stale = new Set<string>();
  /** Addresses without a subscription to each of their accounts. */
  private readonly unheard = new Set<string>();
  private readonly subscriptionsMax: number;
  /** Until then no subscription is tried: the node refused one. */
  private fullUntil = 0;
  private readonly askedMax: number;
  private held: (Touch & { account: string })[] = [];
  private hasMissed = false;
  private isOpened = false;
  private hasSpoken = false;
  private heardAt = 0;
  private failure: SourceError | null = null;

  constructor({ endpoint, socketUrl, paces, everyMs = EVERY_MS, checkMs }: SolanaListenerOptions) {
    this.everyMs = everyMs;
    const isPublic = publicSource(socketUrl ?? endpoint.baseUrl) !== undefined;
    this.subscriptionsMax = isPublic ? SUBSCRIPTIONS_MAX.public : SUBSCRIPTIONS_MAX.others;
    const { perSecond } = endpoint;
    this.askedMax = perSecond ? Math.max(1, Math.min(ASKED_MAX, Math.floor(perSecond * ASKED_SHARE))) : ASKED_MAX;
    this.checks = new Checks(checkMs);
    this.endpoint = endpoint;
    this.paces = paces;
    this.rpc = solanaRpc(endpoint);
    this.connection = new Connection(endpoint.baseUrl, {
      commitment: 'confirmed',
      wsEndpoint: socketUrl,
      disableRetryOnRateLimit: true,
      fetch: (_, request) => this.send(String(request?.body)),
    });
    this.socket = (this.connection as unknown as { _rpcWebSocket: RpcSocket })._rpcWebSocket;
    this.guardSocket();
  }

  async step({ watched, place, signal }: Step): Promise<Heard> {
    if (!this.isOpened) await this.open();
    if (this.failure) throw this.failure;
    signal.throwIfAborted();
    const slot = await this.ask(this.connection.getSlot());
    const before = place === null ? null : (JSON.parse(place) as { slot: number }).slot;
    const isBack = before !== null && slot < before - BEHIND_MAX;
    if (isBack) this.lookedAt.clear();
    for (const address of this.subscriptions.keys()) if (!watched.has(address)) this.unsubscribe(address);
    const checked = this.checks.next(this.subscriptions.keys());
    if (checked !== null) this.putLast(checked);
    const newest = new Map<string, Newest | null>(
      [...watched].map(([address, mark]) => [address, mark === null ? null : (JSON.parse(mark) as Newest)]),
    );
    const touches: Touch[] = [];
    const marks = new Map<string, string>();
    // First the subscription, then the gap before it: nothing falls between them.
    const owed = [...watched.keys()].filter((address) => address === checked || this.isDue(address));
    // What was heard waits for one address at most.
    const turn = { first: checked, most: this.held.length > 0 ? 1 : this.askedMax };
    const look = async (address: string) => {
      const known = newest.get(address) ?? null;
      const found: Touch[] = [];
      let now = await this.lookAt(address, known, found);
      // A subscription that ended without a word: one that goes on is left as it is, for its like may be refused.
      const isSilent = address === checked && !this.unheard.has(address);
      if (isSilent && found.some((touch) => !this.isHeld(touch))) {
        this.unsubscribe(address);
        now = await this.lookAt(address, now, found);
      }
      append(touches, found);
      newest.set(address, now);
    };
    const { hasMore, answered } = await this.catchUp.ask(owed, signal, look, turn);
    for (const address of answered) marks.set(address, JSON.stringify(newest.get(address)));
    if (this.failure && answered.size === 0) throw this.failure;
    if (!this.failure && performance.now() - this.heardAt > SILENT_MS) {
      throw this.problem('no slot was stated for 30 s', 'no_answer');
    }
    this.hear(touches, newest, marks);
    if (this.hasMissed) for (const address of watched.keys()) touches.push({ address, txHash: null, block: null });
    this.hasMissed = false;
    return {
      touches,
      marks,
      place: JSON.stringify({ slot: isBack ? slot : Math.max(slot, before ?? 0) }),
      lastBlock: slot,
      head: slot,
      reorganisedFrom: isBack ? slot + 1 : null,
      // Those without a subscription are asked for again and again, and catch up with nothing.
      hasMore: hasMore && owed.some((address) => !this.lookedAt.has(address)),
    };
  }

  close(): void {
    this.closing.abort(new Error('The listener is closed'));
    this.socket.reconnect = false;
    clearTimeout(this.socket.reconnect_timer_id);
    clearInterval((this.connection as unknown as { _rpcWebSocketHeartbeat?: NodeJS.Timeout })._rpcWebSocketHeartbeat);
    this.socket.removeAllListeners();
    // One that was never opened fails by this, and nothing listens.
    this.socket.socket?.terminate();
  }

  /** All requests of web3.js go through the guarded client: bounded in bytes, depth and time, without redirects. */
  private async send(body: string): Promise<Response> {
    const { status, json } = await askSource(this.endpoint, { body: JSON.parse(body), attempts: 2, ...this.options() });
    return new Response(JSON.stringify(json ?? null), { status });
  }

  private options() {
    return { paces: this.paces, inBackground: true, signal: this.closing.signal };
  }

  /**
   * web3.js reads messages of any length, in events and timers: what one of another form throws there would end the process. It would also
   * repeat a refused subscription without a pause, and connect again without a word: a listener that failed is opened again.
   */
  private guardSocket(): void {
    const { socket } = this;
    const emit = socket.emit.bind(socket);
    const call = socket.call.bind(socket);
    socket.reconnect = false;
    socket.webSocketFactory = (url) => {
      socket.underlyingSocket = new WebSocket(url, { maxPayload: MESSAGE_BYTES });
      return socket.underlyingSocket;
    };
    socket.dataPack = { encode: (value) => JSON.stringify(value), decode: (text) => this.messageIn(text) };
    socket.emit = (event, ...values) => {
      try {
        return emit(event, ...values);
      } catch (error) {
        this.fail(`a message has no known form: ${(error as Error).message}`);
        return false;
      }
    };
    socket.call = (...values) =>
      call(...values).catch((error: { message?: string } | null) => {
        if (values[0] === 'logsSubscribe' && this.subscribedCount() > 0) this.fullUntil = performance.now() + FULL_MS;
        else this.fail(`${String(values[0])}: ${error?.message ?? 'refused'}`);
        return new Promise(() => {});
      });
    socket.removeAllListeners('error');
    socket.on('error', (error) => this.fail(`the connection failed: ${(error as Error | undefined)?.message ?? ''}`));
    socket.on('close', () => this.fail('the connection was closed'));
  }

  /** An answer by its number, or a notification; nothing else reaches the client. */
  private messageIn(text: unknown): unknown {
    if (typeof text === 'string') {
      const { id, method, params, result, error } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
      if (typeof id === 'number') return error === undefined ? { id, result } : { id, error };
      const isKnown = method === 'slotNotification' || method === 'logsNotification';
      if (isKnown && typeof params === 'object' && params !== null) return { method, params };
    }
    this.fail('a message has no known form');
    throw new Error('a message of no known form');
  }

  private async open(): Promise<void> {
    this.isOpened = true;
    await checkSolana(this.rpc, this.options());
    this.heardAt = performance.now();
    this.connection.onSlotChange(() => {
      this.heardAt = performance.now();
      this.hasSpoken = true;
    });
  }

  async spoken(signal: AbortSignal): Promise<void> {
    while (!this.hasSpoken) {
      if (this.failure) throw this.failure;
      await sleep(20, undefined, { signal });
    }
  }

  private isDue(address: string): boolean {
    const lookedAt = this.lookedAt.get(address);
    if (lookedAt === undefined) return true;
    const passed = performance.now() - lookedAt;
    return (
      (this.stale.has(address) && passed > ACCOUNTS_EVERY_MS) || (this.unheard.has(address) && passed > ASKED_EVERY_MS)
    );
  }

  /** Subscribes to an address and its token accounts, and names what came since the newest known signature of each. */
  private async lookAt(address: string, known: Newest | null, touches: Touch[]): Promise<Newest> {
    const accounts = [address];
    for (const programId of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      const held = await this.rpc.tokenAccounts(address, { programId }, this.options());
      for (const { pubkey } of held) accounts.push(pubkey);
    }
    const newest: Newest = {};
    let isHeard = true;
    for (const account of accounts.slice(0, 1 + ACCOUNTS_MAX)) {
      if (!(await this.subscribe(address, account))) {
        isHeard = false;
        this.unheard.add(address);
      }
      const until = known?.[account] ?? undefined;
      const limit = known === null ? 1 : GAP_SIGNATURES;
      const found = await this.ask(this.connection.getSignaturesForAddress(new PublicKey(account), { until, limit }));
      newest[account] = found[0]?.signature ?? until ?? null;
      for (const { signature, slot, err } of known === null ? [] : found) {
        if (err === null) touches.push({ address, txHash: signature, block: slot });
      }
    }
    this.lookedAt.set(address, performance.now());
    this.stale.delete(address);
    if (isHeard) this.unheard.delete(address);
    return newest;
  }

  private subscribedCount(): number {
    return [...this.subscriptions.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns once the node has the subscription; false where it takes no more. */
  private async subscribe(address: string, account: string): Promise<boolean> {
    const subscriptions = this.subscriptions.get(address) ?? new Map<string, number>();
    this.subscriptions.set(address, subscriptions);
    if (subscriptions.has(account)) return true;
    if (performance.now() < this.fullUntil || this.subscribedCount() >= this.subscriptionsMax) return false;
    const onLogs = ({ signature, err }: Logs, { slot }: { slot: number }) => {
      if (err === null) this.hold({ address, account, txHash: signature, block: slot });
    };
    const id = this.connection.onLogs(new PublicKey(account), onLogs);
    const { _subscriptionHashByClientSubscriptionId: hashes, _subscriptionsByHash: byHash } = this
      .connection as unknown as {
      _subscriptionHashByClientSubscriptionId: Record<number, string>;
      _subscriptionsByHash: Record<string, { state: string } | undefined>;
    };
    const hash = hashes[id]!;
    const startedAt = performance.now();
    while (byHash[hash]?.state !== 'subscribed') {
      if (this.failure) throw this.failure;
      const isRefused = performance.now() < this.fullUntil;
      const isUnanswered = performance.now() - startedAt > SUBSCRIBED_MS;
      if (isRefused || isUnanswered) {
        this.connection.removeOnLogsListener(id).catch(() => {});
        // web3.js waits for an answer to it for ever, and would ask no second time.
        delete byHash[hash];
      }
      if (isRefused) return false;
      if (isUnanswered) throw this.problem('a subscription was not answered', 'no_answer');
      await sleep(5, undefined, { signal: this.closing.signal });
    }
    subscriptions.set(account, id);
    return true;
  }

  /** Adds what the subscriptions said. An address that was touched may have new token accounts. */
  private hear(touches: Touch[], newest: Map<string, Newest | null>, marks: Map<string, string>): void {
    const held = this.held.filter(({ address }) => newest.has(address));
    this.held = [];
    for (const { account, ...touch } of held) {
      touches.push(touch);
      const known = { ...newest.get(touch.address), [account]: touch.txHash };
      newest.set(touch.address, known);
      marks.set(touch.address, JSON.stringify(known));
      this.stale.add(touch.address);
    }
  }

  private isHeld({ address, txHash }: Touch): boolean {
    return this.held.some((touch) => touch.address === address && touch.txHash === txHash);
  }

  /** Others are checked before it. */
  private putLast(address: string): void {
    const subscriptions = this.subscriptions.get(address)!;
    this.subscriptions.delete(address);
    this.subscriptions.set(address, subscriptions);
  }

  private hold(touch: Touch & { account: string }): void {
    if (this.held.length >= HELD_MAX) this.hasMissed = true;
    else this.held.push(touch);
  }

  /** Waits for no answer: a node that refuses it fails the listener, which is opened again. */
  private unsubscribe(address: string): void {
    const subscriptions = this.subscriptions.get(address)!;
    this.subscriptions.delete(address);
    this.lookedAt.delete(address);
    this.stale.delete(address);
    this.unheard.delete(address);
    if (subscriptions.size > 0) this.fullUntil = 0;
    for (const id of subscriptions.values()) this.connection.removeOnLogsListener(id).catch(() => {});
  }

  private async ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof SourceError) throw error;
      throw this.problem(String((error as Error).message ?? error).slice(0, 300));
    }
  }

  private fail(reason: string): void {
    this.failure ??= this.problem(reason.slice(0, 300), 'no_answer');
  }

  private problem(reason: string, problem?: SourceError['problem']): SourceError {
    return new SourceError('solana', `live: ${reason}`, { problem });
  }
}

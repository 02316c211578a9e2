import { Client, type SubscribeRequest } from 'xrpl';
import { append } from '../../domain/append.ts';
import { slicesOf } from '../../domain/slices.ts';
import { SourceError } from '../../errors.ts';
import type { SourcePaces } from '../port.ts';
import { CatchUp, Checks } from './catch-up.ts';
import type { Heard, Listener, Step, Touch } from './port.ts';

const EVERY_MS = 1_000;
const CONNECT_MS = 10_000;
const ANSWER_MS = 15_000;
/** A ledger closes every four seconds: a connection that says nothing for so long is dead. */
const SILENT_MS = 30_000;
/** Accounts of one subscription. */
const CHUNK = 500;
/** Transactions of one account that are named after a gap. */
const GAP_HASHES = 20;
/** Between two steps; where there are more, every address is looked at. */
const HELD_MAX = 1_000;
/** The longest answer names 20 transactions with all that they changed. */
const MESSAGE_BYTES = 8_000_000;
const MAIN_NETWORK = 0;

/** Parts of a socket of ws that its types do not show. */
interface BoundedSocket {
  _receiver: { _maxPayload: number };
  _extensions: Record<string, { _maxPayload: number }>;
}

export interface XrpListenerOptions {
  url: string;
  /** Requests a second that the server allows; absent where that is not known. */
  perSecond?: number;
  paces?: SourcePaces;
  everyMs?: number;
  /** Between two addresses that are asked for although they are listened to. */
  checkMs?: number;
}

/** Hears validated transactions by a subscription, and asks for those of a gap. */
export function openXrpListener(options: XrpListenerOptions): Listener {
  return new XrpListener(options);
}

class XrpListener implements Listener {
  readonly everyMs: number;
  private readonly client: Client;
  private readonly options: XrpListenerOptions;
  private readonly closing = new AbortController();
  private readonly catchUp = new CatchUp();
  private readonly checks: Checks;
  /** Each with the ledger at which it was subscribed to: from there on its subscription was not checked. */
  private readonly subscribed = new Map<string, number>();
  /** The last ledger before one that was left out of the stream; null where none was. */
  private brokenAt: number | null = null;
  private held: Touch[] = [];
  private hasMissed = false;
  private isOpened = false;
  private ledger = 0;
  private heardAt = 0;
  private failure: SourceError | null = null;

  constructor(options: XrpListenerOptions) {
    this.options = options;
    this.everyMs = options.everyMs ?? EVERY_MS;
    this.checks = new Checks(options.checkMs);
    this.client = new Client(options.url, { connectionTimeout: CONNECT_MS, timeout: ANSWER_MS });
    this.client.on('error', (...parts) => this.fail(`the connection failed: ${parts.join(' ').slice(0, 200)}`));
    this.client.on('connected', () => this.boundMessages());
    this.client.on('disconnected', () => this.fail('the connection was closed'));
    this.client.on('ledgerClosed', ({ ledger_index }) => {
      this.heardAt = performance.now();
      const closed = Number(ledger_index) || 0;
      // A server that lost the network for a while leaves out the ledgers of it, and their transactions.
      if (this.ledger > 0 && closed > this.ledger + 1) this.brokenAt ??= this.ledger;
      this.ledger = Math.max(this.ledger, closed);
    });
    this.client.on('transaction', (message) => this.hold(message));
    this.guardMessages();
  }

  /** xrpl reads messages in an event of the socket: what it throws there would end the process. */
  private guardMessages(): void {
    const connection = this.client.connection as unknown as { onMessage(message: Buffer): void };
    const receive = connection.onMessage.bind(connection);
    connection.onMessage = (message) => {
      try {
        receive(message);
      } catch (error) {
        this.fail(`a message has no known form: ${(error as Error).message}`);
      }
    };
  }

  /** Bounds both parts of the socket that count bytes: xrpl leaves the bound of ws, 100 MiB, and takes no other. */
  private boundMessages(): void {
    const { ws } = this.client.connection as unknown as { ws: BoundedSocket | null };
    // Closed again already.
    if (ws === null) return;
    for (const part of [ws._receiver, ...Object.values(ws._extensions)]) part._maxPayload = MESSAGE_BYTES;
  }

  async step({ watched, place, signal }: Step): Promise<Heard> {
    const isFirst = !this.isOpened;
    this.isOpened = true;
    if (isFirst) await this.connect();
    // The client connects again by itself, without the subscriptions.
    if (this.failure) throw this.failure;
    signal.throwIfAborted();
    const before = place === null ? null : (JSON.parse(place) as { ledger: number }).ledger;
    const checked = this.checks.next([...this.subscribed.keys()].filter((one) => watched.has(one)));
    const checkedFrom = (checked !== null && this.subscribed.get(checked)) || null;
    if (checked !== null) this.subscribed.delete(checked);
    // First the subscription, then the gap before it: nothing falls between them.
    const added = new Set(await this.subscribe(watched));
    const touches: Touch[] = [];
    const marks = new Map<string, string>();
    const owed = new Map<string, number>();
    const { brokenAt } = this;
    this.brokenAt = null;
    for (const [address, mark] of watched) {
      const isBroken = brokenAt !== null && this.subscribed.get(address)! <= brokenAt;
      const from =
        (address === checked ? checkedFrom : added.has(address) ? before : null) ?? (isBroken ? brokenAt : null);
      if (mark) owed.set(address, Number(mark));
      else if (from !== null) owed.set(address, from);
    }
    const { answered, hasMore } = await this.catchUp.ask([...owed.keys()], signal, async (address) => {
      append(touches, await this.since(address, owed.get(address)!));
    });
    for (const [address, ledger] of owed) marks.set(address, answered.has(address) ? '' : String(ledger));
    // A connection that ended while the gap was asked for: what was answered is kept, and the next step fails.
    if (this.failure && answered.size === 0) throw this.failure;
    if (!this.failure && performance.now() - this.heardAt > SILENT_MS) {
      throw this.problem('no ledger closed for 30 s', 'no_answer');
    }
    for (const touch of this.held) if (watched.has(touch.address)) touches.push(touch);
    if (this.hasMissed) for (const address of watched.keys()) touches.push({ address, txHash: null, block: null });
    this.held = [];
    this.hasMissed = false;
    const { ledger } = this;
    return {
      touches,
      marks,
      // What was left out while the gap was asked for is asked for in the next step, also by another process.
      place: JSON.stringify({ ledger: this.brokenAt ?? ledger }),
      lastBlock: ledger,
      head: ledger,
      reorganisedFrom: null,
      hasMore,
    };
  }

  close(): void {
    this.closing.abort(new Error('The listener is closed'));
    this.client.removeAllListeners();
    // A connection that fails while it is closed has nothing to say.
    this.client.on('error', () => {});
    this.client.disconnect().catch(() => {});
  }

  private async connect(): Promise<void> {
    await this.ask(this.client.connect());
    const { result } = await this.ask(this.client.request({ command: 'server_info' }));
    const { network_id: network } = result.info;
    if (network !== undefined && network !== MAIN_NETWORK) {
      throw this.problem(`it serves network ${network}, not the main one`, 'other_network');
    }
    this.heardAt = performance.now();
    const stream = await this.ask(this.client.request({ command: 'subscribe', streams: ['ledger'] }));
    // The stream begins after this ledger, and may have gone on already.
    const { ledger_index: newest } = stream.result as { ledger_index?: number };
    if (!Number(newest)) throw this.problem('it has no validated ledger', 'unusable_answer');
    this.ledger = Math.max(this.ledger, Number(newest));
  }

  /** Returns the addresses that were not listened to before. */
  private async subscribe(watched: ReadonlyMap<string, unknown>): Promise<string[]> {
    const added = [...watched.keys()].filter((address) => !this.subscribed.has(address));
    const removed = [...this.subscribed.keys()].filter((address) => !watched.has(address));
    for (const accounts of slicesOf(added, CHUNK)) {
      await this.ask(this.client.request({ command: 'subscribe', accounts } satisfies SubscribeRequest));
      for (const account of accounts) this.subscribed.set(account, this.ledger);
    }
    for (const accounts of slicesOf(removed, CHUNK)) {
      await this.ask(this.client.request({ command: 'unsubscribe', accounts }));
      for (const account of accounts) this.subscribed.delete(account);
    }
    return added;
  }

  /**
   * Transactions of an address from a ledger on, which may have been heard in part; the newest ones. Where the server has not all
   * ledgers since, as after a restart, the address is named without one.
   */
  private async since(account: string, ledger: number): Promise<Touch[]> {
    // One behind the server before: what comes after its newest ledger is in its stream.
    if (ledger > this.ledger) return [];
    const request = { command: 'account_tx', account, ledger_index_min: ledger, limit: GAP_HASHES } as const;
    const { url, perSecond, paces } = this.options;
    const unknown = { transactions: [], ledger_index_min: ledger + 1 };
    const turn = { inBackground: true, signal: this.closing.signal };
    const leave = await paces?.of(url, perSecond).enter(turn);
    const answer = this.ask(this.client.request(request)).finally(leave);
    const { result } = await answer.catch((error: unknown) => {
      // An account that was never funded.
      if (error instanceof SourceError && /actNotFound/.test(error.reason)) return { result: { transactions: [] } };
      if (error instanceof SourceError && /lgrIdx/.test(error.reason)) return { result: unknown };
      throw error;
    });
    if (!Array.isArray(result.transactions)) throw this.problem('account_tx was answered with something else');
    const rows = result.transactions as { hash?: string; tx_json?: { hash?: string }; ledger_index?: number }[];
    const touches: Touch[] = rows.map((row) => ({
      address: account,
      txHash: hashIn(row),
      block: Number(row.ledger_index) || null,
    }));
    const { ledger_index_min: first } = result as { ledger_index_min?: number };
    return Number(first) > ledger ? [...touches, { address: account, txHash: null, block: null }] : touches;
  }

  private hold(message: object): void {
    this.heardAt = performance.now();
    if (this.held.length >= HELD_MAX) {
      this.hasMissed = true;
      return;
    }
    const { validated, ledger_index: ledger } = message as { validated?: boolean; ledger_index?: number };
    if (validated !== true) return;
    const txHash = hashIn(message);
    for (const address of partiesOf(message)) {
      if (this.subscribed.has(address)) this.held.push({ address, txHash, block: Number(ledger) || null });
    }
  }

  private async ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      const { message, data } = error as { message: string; data?: { error?: string } };
      const isLost = /connect|timeout|closed|WebSocket/i.test(`${(error as Error).name} ${message}`);
      throw this.problem(
        [data?.error, message].filter(Boolean).join(' ').slice(0, 300),
        isLost ? 'no_answer' : undefined,
      );
    }
  }

  private fail(reason: string): void {
    this.failure ??= this.problem(reason, 'no_answer');
  }

  private problem(reason: string, problem?: SourceError['problem']): SourceError {
    return new SourceError('xrp', `live: ${reason}`, { problem });
  }
}

/** Both versions of the API: the hash stands beside the transaction, or in it. */
function hashIn(message: object): string | null {
  const { hash, transaction, tx } = message as Record<'hash' | 'transaction' | 'tx', unknown>;
  const named = [hash, (transaction as { hash?: unknown })?.hash, (tx as { hash?: unknown })?.hash];
  const found = named.find((one) => typeof one === 'string' && /^[0-9A-F]{64}$/i.test(one));
  return found === undefined ? null : String(found).toUpperCase();
}

/** Accounts that a transaction names or whose entries it changed, trust lines and escrows of theirs too. */
function partiesOf(message: object): Set<string> {
  const { transaction, tx_json, meta } = message as Record<'transaction' | 'tx_json' | 'meta', Record<string, unknown>>;
  const parties = new Set<string>();
  const addFrom = (entry: Record<string, unknown> | undefined) => {
    for (const name of ['Account', 'Destination', 'Owner', 'HighLimit', 'LowLimit']) {
      const value = entry?.[name];
      const account = typeof value === 'string' ? value : (value as { issuer?: unknown } | undefined)?.issuer;
      if (typeof account === 'string') parties.add(account);
    }
  };
  addFrom(transaction);
  addFrom(tx_json);
  const nodes = Array.isArray(meta?.AffectedNodes) ? meta.AffectedNodes : [];
  for (const node of nodes as Record<string, Record<string, Record<string, unknown>>>[]) {
    for (const change of Object.values(node)) {
      addFrom(change?.FinalFields);
      addFrom(change?.NewFields);
    }
  }
  return parties;
}

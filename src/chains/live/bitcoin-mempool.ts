import { once } from 'node:events';
import WebSocket from 'ws';
import { isBareScript } from '../../domain/address/script-address.ts';
import { SourceError } from '../../errors.ts';
import type { Touch } from './port.ts';

/** Between two tries to connect. */
const AGAIN_MS = 30_000;
const CONNECT_MS = 10_000;
/** A connection that leaves a ping unanswered for so long is dead: many end without a farewell. */
const SILENT_MS = 60_000;
const MESSAGE_BYTES = 4_000_000;
/** Between two steps; what comes beyond is heard with its block. */
const HELD_MAX = 1_000;
/** Kinds of news of an address: new in the mempool, in a block, or gone from the mempool. */
const KINDS = ['mempool', 'confirmed', 'removed'] as const;

/** Hears what is in no block yet, from the websocket of a mempool backend. Its failures hold nothing: blocks are heard anyway. */
export class BitcoinMempool {
  private readonly url: string;
  private readonly silentMs: number;
  private socket: WebSocket | null = null;
  private triedAt = Number.NEGATIVE_INFINITY;
  /** When the ping was sent that nothing has come since; null where none is open. */
  private pingedAt: number | null = null;
  private tracked = '';
  private held: Touch[] = [];

  constructor(url: string, silentMs = SILENT_MS) {
    this.url = url;
    this.silentMs = silentMs;
  }

  /** Returns what was heard since the step before. */
  hear(watched: ReadonlyMap<string, unknown>): Touch[] {
    this.endSilent();
    this.connect();
    // A script without an address has no name there.
    const addresses = [...watched.keys()].filter((address) => !isBareScript(address));
    const tracked = JSON.stringify({ 'track-addresses': addresses });
    if (this.socket?.readyState === WebSocket.OPEN && tracked !== this.tracked) {
      this.socket.send(tracked);
      this.tracked = tracked;
    }
    const heard = this.held.filter(({ address }) => watched.has(address));
    this.held = [];
    return heard;
  }

  close(): void {
    this.socket?.removeAllListeners('message');
    this.socket?.terminate();
  }

  private endSilent(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (this.pingedAt === null) {
      this.pingedAt = performance.now();
      this.socket.ping();
    } else if (performance.now() - this.pingedAt > this.silentMs) this.socket.terminate();
  }

  private connect(): void {
    const isOpen = this.socket !== null && this.socket.readyState <= WebSocket.OPEN;
    if (isOpen || performance.now() - this.triedAt < AGAIN_MS) return;
    this.triedAt = performance.now();
    this.tracked = '';
    this.socket = new WebSocket(this.url, { maxPayload: MESSAGE_BYTES, handshakeTimeout: CONNECT_MS });
    // A socket that fails is closed, and tried again at a later step.
    this.socket.on('error', () => {});
    for (const event of ['open', 'pong', 'message'] as const)
      this.socket.on(event, () => {
        this.pingedAt = null;
      });
    this.socket.on('message', (message) => this.hold(String(message)));
  }

  private hold(message: string): void {
    for (const [address, txHash] of transactionsIn(message)) {
      if (this.held.length < HELD_MAX) this.held.push({ address, txHash, block: null });
    }
  }
}

/** Connects once, to say whether it can. Throws SourceError. */
export async function checkMempool(url: string, signal: AbortSignal): Promise<void> {
  const socket = new WebSocket(url, { maxPayload: MESSAGE_BYTES, handshakeTimeout: CONNECT_MS });
  try {
    await once(socket, 'open', { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = `mempool: the connection failed: ${(error as Error).message}`;
    throw new SourceError('bitcoin', reason, { problem: 'no_answer', cause: error });
  } finally {
    socket.on('error', () => {});
    socket.terminate();
  }
}

/** Addresses with the transactions that a message names; none for a message of another form. */
function* transactionsIn(message: string): Generator<[string, string]> {
  const byAddress = fieldsOf(fieldsOf(parsed(message))['multi-address-transactions']);
  for (const [address, kinds] of Object.entries(byAddress)) {
    for (const kind of KINDS) {
      const listed = fieldsOf(kinds)[kind];
      for (const transaction of Array.isArray(listed) ? listed : []) {
        const { txid } = fieldsOf(transaction);
        if (typeof txid === 'string' && /^[0-9a-f]{64}$/.test(txid)) yield [address, txid];
      }
    }
  }
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

import { slicesOf } from '../domain/slices.ts';
import { SourceError } from '../errors.ts';
import { askSource, type Endpoint, isTooLarge } from './http.ts';
import type { RequestOptions } from './port.ts';
import { inParallel } from './reply.ts';

export interface RpcCall {
  method: string;
  params: unknown[];
}

/** How one kind of node answers. */
export interface RpcDialect<T> {
  /** Reads one answer of a batch; null where the call must be asked again alone, e.g. while the node is busy. */
  read(answer: unknown): T | null;
  alone(call: RpcCall): Promise<T>;
}

/** Most calls of one request: public nodes refuse more, and a receipt or transaction may be large. */
const CALLS_MAX = 20;
/** Calls at the same time where a node refuses batches, and batches where it takes them. */
const ALONE_AT_ONCE = 8;
const BATCHES_AT_ONCE = 2;
/** Calls without a refusal after which a larger batch is tried: what a node refused once it may take today. */
const CALLS_UNTIL_LARGER = 500;

/**
 * The JSON-RPC batches that one node takes: smaller ones after it refused some, single calls after it refused two at once,
 * and now and then a larger one again.
 */
export class Batches {
  private readonly endpoint: Endpoint;
  private callsMax = CALLS_MAX;
  private callsSinceRefusal = 0;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** The answers in the order of the calls. */
  async ask<T>(calls: readonly RpcCall[], dialect: RpcDialect<T>, options?: RequestOptions): Promise<T[]> {
    this.callsSinceRefusal += calls.length;
    if (this.callsMax < CALLS_MAX && this.callsSinceRefusal > CALLS_UNTIL_LARGER) this.changeSize(this.callsMax * 2);
    const { callsMax } = this;
    if (callsMax === 1 || calls.length === 1) return inParallel([...calls], ALONE_AT_ONCE, dialect.alone);
    const parts = [...slicesOf(calls, callsMax)];
    return (await inParallel(parts, BATCHES_AT_ONCE, (part) => this.askTogether(part, dialect, options))).flat();
  }

  private async askTogether<T>(calls: RpcCall[], dialect: RpcDialect<T>, options?: RequestOptions): Promise<T[]> {
    if (calls.length === 1) return [await dialect.alone(calls[0]!)];
    const answers = await this.request(calls, options);
    if (answers === 'refused') this.changeSize(Math.min(this.callsMax, Math.floor(calls.length / 2)));
    if (answers === 'refused' || answers === 'too large') {
      const half = Math.ceil(calls.length / 2);
      const first = await this.askHalf(calls.slice(0, half), dialect, options);
      return [...first, ...(await this.askHalf(calls.slice(half), dialect, options))];
    }
    const byId = new Map(answers.map((answer) => [String((answer as { id?: unknown } | null)?.id), answer]));
    return inParallel([...calls.entries()], ALONE_AT_ONCE, async ([place, call]) => {
      const answer = byId.get(String(place + 1));
      return (answer === undefined ? null : dialect.read(answer)) ?? (await dialect.alone(call));
    });
  }

  /** False where the node refused even two calls at once. */
  get areTaken(): boolean {
    return this.callsMax > 1;
  }

  private changeSize(callsMax: number): void {
    this.callsMax = Math.min(callsMax, CALLS_MAX);
    this.callsSinceRefusal = 0;
  }

  private askHalf<T>(calls: RpcCall[], dialect: RpcDialect<T>, options?: RequestOptions): Promise<T[]> {
    if (this.callsMax > 1) return this.askTogether(calls, dialect, options);
    return inParallel(calls, ALONE_AT_ONCE, dialect.alone);
  }

  private async request(calls: RpcCall[], options?: RequestOptions): Promise<unknown[] | 'refused' | 'too large'> {
    const body = calls.map((call, place) => ({ jsonrpc: '2.0', id: place + 1, ...call }));
    try {
      const { status, json } = await askSource(this.endpoint, { ...options, body });
      if (status === 200 && Array.isArray(json)) return json;
      // One error for all, or a status of 4xx in any words: single calls show if more is wrong than the batch.
      if ((status >= 400 && status < 500) || typeof json === 'object') return 'refused';
      throw new SourceError(this.endpoint.chain, `${this.endpoint.name}: a batch was answered with something else`);
    } catch (error) {
      if (isTooLarge(error)) return 'too large';
      throw error;
    }
  }
}

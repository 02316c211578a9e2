import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../domain/chain.ts';
import { ClosingError, SourceError } from '../errors.ts';
import { AnswerRefusedError, type JsonBounds, openAnswer, readJsonAnswer } from '../outbound/request.ts';
import type { OutboundProblem } from '../outbound/use.ts';
import type { RequestOptions } from './port.ts';

/** Bounds of one reply: bytes as sent and as unpacked, values and nesting of the JSON in it. */
export interface ReplyBounds extends JsonBounds {
  bytesMax: number;
}

/** One data source of one chain. */
export interface Endpoint {
  chain: Chain;
  /** Name for logs and `coverage.sources`: `esplora`, `explorer`, `rpc`, … */
  name: string;
  baseUrl: string;
  headers?: Record<string, string>;
  /** Requests a second that it allows; absent where that is not known. */
  perSecond?: number;
  /** Where honest replies of this kind of source pass the usual bounds. */
  bounds?: Partial<ReplyBounds>;
}

/** Bounds of one request that differ from those of its source. */
export interface RequestBounds {
  timeoutMs?: number;
  /** Fewer tries than usual of what stays broken, where a slow answer is better asked for in smaller parts. */
  attempts?: number;
  /** Where honest replies to this request pass the bounds of its source (call traces). */
  bounds?: Partial<ReplyBounds>;
}

export interface SourceRequest extends RequestOptions, RequestBounds {
  /** Appended to the base URL. */
  path?: string;
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON by POST. */
  body?: unknown;
  /** Statuses that are tried again like 429, where a source says so that it is asked too often. */
  busyStatuses?: readonly number[];
  /** Returns what a source says of being busy inside an otherwise fine reply, which is tried again too; null otherwise. */
  complaint?: (reply: SourceReply) => string | null;
}

export interface SourceReply {
  status: number;
  /** The first characters of the body, for error messages. */
  excerpt: string;
  /** Parsed body; undefined where it is not JSON. Integers of 16 digits and more arrive as strings. */
  json: unknown;
}

const ATTEMPTS = 5;
/**
 * Between the tries: the first, which grows with each, and the longest.
 *
 * @internal Suites make them short.
 */
export const PAUSES = { firstMs: 250, longestMs: 10_000 };
const TIMEOUT_MS = 20_000;
const LIMIT_HEADERS = ['ratelimit-policy', 'ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit'];
/** A page of a thousand rows has 50,000 values in 1 MiB; 10,000 logs have 230,000 in 7 MiB. */
const REPLY_BOUNDS: ReplyBounds = { bytesMax: 8 * 1024 * 1024, valuesMax: 300_000, depthMax: 100 };

/**
 * Asks a chain source. 429, 5xx and broken connections are tried again with growing, jittered pauses
 * (`Retry-After` counts); what stays broken throws SourceError. Other statuses are returned.
 */
export async function askSource(endpoint: Endpoint, request: SourceRequest): Promise<SourceReply> {
  const pace = request.paces?.of(endpoint.baseUrl, endpoint.perSecond);
  const url = urlOf(endpoint, request);
  const bounds = { ...REPLY_BOUNDS, ...endpoint.bounds, ...request.bounds };
  const outbound = {
    headers: {
      accept: 'application/json',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...endpoint.headers,
    },
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
    bytesMax: bounds.bytesMax,
    signal: request.signal,
  };
  let broken = 0;
  for (let attempt = 1; ; attempt++) {
    request.signal?.throwIfAborted();
    let isBusy = false;
    let waitMs = PAUSES.firstMs * 2 ** (attempt - 1);
    let reason: string;
    let problem: OutboundProblem | undefined;
    let cause: unknown;
    let leave: (() => void) | undefined;
    try {
      leave = await pace?.enter(request);
      const answer = await openAnswer(url, outbound);
      const { status, headers } = answer;
      const { json, excerpt } = await readJsonAnswer(answer, bounds);
      const reply = { status, excerpt, json };
      const limit = statedLimit(headers);
      if (limit) pace?.noteLimit(limit);
      const isRefused = status === 429 || (request.busyStatuses?.includes(status) ?? false);
      const isFine = !isRefused && (status < 500 || !isTransient(reply));
      const complaint = isFine ? (request.complaint?.(reply) ?? null) : null;
      if (isFine && complaint === null) return reply;
      isBusy = isFine || isRefused;
      if (isBusy) pace?.slowDown();
      reason = complaint ?? `HTTP ${status}`;
      waitMs = Math.max(waitMs, retryAfterMs(headers));
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof ClosingError) throw error;
      if (error instanceof AnswerRefusedError) {
        throw new SourceError(endpoint.chain, `${endpoint.name}: ${error.message}`, { cause: error });
      }
      reason = error instanceof Error ? error.message : String(error);
      problem = 'no_answer';
      cause = error;
    } finally {
      leave?.();
    }
    // A smaller question does not help a source that is busy.
    if (!isBusy) broken += 1;
    if (attempt >= ATTEMPTS || broken >= (request.attempts ?? ATTEMPTS))
      throw new SourceError(endpoint.chain, `${endpoint.name}: ${reason}`, { cause, problem });
    await sleep(Math.min(waitMs, PAUSES.longestMs) * (0.75 + Math.random() / 2), undefined, { signal: request.signal });
  }
}

/** True when the reply passed its bounds, so that a smaller question may succeed. */
export function isTooLarge(error: unknown): error is SourceError {
  return error instanceof SourceError && error.cause instanceof AnswerRefusedError;
}

/** Bitcoin Core and others answer a JSON-RPC error with HTTP 500: that is an answer, not a fault. */
function isTransient(reply: SourceReply): boolean {
  const body = reply.json as { error?: { code?: unknown } } | undefined;
  return !(reply.status === 500 && typeof body?.error?.code === 'number');
}

function urlOf({ baseUrl }: Endpoint, { path = '', query = {} }: SourceRequest): URL {
  const url = new URL(baseUrl.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function retryAfterMs(headers: IncomingHttpHeaders): number {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}

/** The limit as most providers write it, shortened. */
function statedLimit(headers: IncomingHttpHeaders): string | null {
  const name = LIMIT_HEADERS.find((one) => typeof headers[one] === 'string');
  return name
    ? `${name}: ${String(headers[name])
        .replace(/\p{Cc}/gu, '')
        .slice(0, 100)}`
    : null;
}

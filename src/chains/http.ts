import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../domain/chain.ts';
import { SourceError } from '../errors.ts';

/** One data source of one chain. */
export interface Endpoint {
  chain: Chain;
  /** Name for logs and `coverage.sources`: `esplora`, `explorer`, `rpc`, … */
  name: string;
  baseUrl: string;
  headers?: Record<string, string>;
}

export interface SourceRequest {
  /** Appended to the base URL. */
  path?: string;
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON by POST. */
  body?: unknown;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Statuses that are tried again like 429, where a source says so that it is asked too often. */
  busyStatuses?: readonly number[];
  /** Fewer tries than usual, where a slow answer is better asked for in smaller parts. */
  attempts?: number;
  /** Deeper nesting than usual, where the protocol itself nests (call traces). */
  depthMax?: number;
}

export interface SourceReply {
  status: number;
  text: string;
  /** Parsed body; undefined where it is not JSON. Integers of 16 digits and more arrive as strings. */
  json: unknown;
}

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const TIMEOUT_MS = 20_000;
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 100;

/**
 * Asks a chain source. 429, 5xx and broken connections are tried again with growing, jittered pauses
 * (`Retry-After` counts); what stays broken throws SourceError. Other statuses are returned.
 */
export async function askSource(endpoint: Endpoint, request: SourceRequest): Promise<SourceReply> {
  for (let attempt = 1; ; attempt++) {
    request.signal?.throwIfAborted();
    let waitMs = FIRST_DELAY_MS * 2 ** (attempt - 1);
    let problem: string;
    let cause: unknown;
    try {
      const reply = await askOnce(endpoint, request);
      const isBusy = reply.status === 429 || request.busyStatuses?.includes(reply.status);
      if (!isBusy && reply.status < 500) return reply;
      if (!isTransient(reply)) return reply;
      problem = `HTTP ${reply.status}`;
      waitMs = Math.max(waitMs, reply.retryAfterMs);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof SourceError) throw error;
      problem = error instanceof Error ? error.message : String(error);
      cause = error;
    }
    if (attempt === (request.attempts ?? ATTEMPTS))
      throw new SourceError(endpoint.chain, `${endpoint.name}: ${problem}`, { cause });
    await sleep(Math.min(waitMs, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2), undefined, { signal: request.signal });
  }
}

/** Bitcoin Core and others answer a JSON-RPC error with HTTP 500: that is an answer, not a fault. */
function isTransient(reply: SourceReply): boolean {
  const body = reply.json as { error?: { code?: unknown } } | undefined;
  return !(reply.status === 500 && typeof body?.error?.code === 'number');
}

async function askOnce(endpoint: Endpoint, request: SourceRequest): Promise<SourceReply & { retryAfterMs: number }> {
  const url = new URL(endpoint.baseUrl.replace(/\/$/, '') + (request.path ?? ''));
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const timeout = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS);
  const response = await fetch(url, {
    method: request.body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...endpoint.headers,
    },
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    redirect: 'error',
    signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
  });
  const text = await readCapped(endpoint, response);
  const retryAfter = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    text,
    json: parseLossless(endpoint, text, request.depthMax ?? DEPTH_MAX),
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : 0,
  };
}

async function readCapped(endpoint: Endpoint, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) {
      throw new SourceError(endpoint.chain, `${endpoint.name}: answer is larger than ${BODY_BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON with large integers kept as strings; refuses nesting deeper than any honest answer. */
function parseLossless(endpoint: Endpoint, text: string, depthMax: number): unknown {
  let depth = 0;
  const quoted = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) => {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    else if (token[0] !== '"') return `"${token}"`;
    if (depth > depthMax) throw new SourceError(endpoint.chain, `${endpoint.name}: answer is nested too deeply`);
    return token;
  });
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

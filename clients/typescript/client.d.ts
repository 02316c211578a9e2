import type { Client, ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export interface TraceflowOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** Where the service listens, without `/api/v1`: `https://screen.example.org`. */
  baseUrl: string;
  /** `tfk_…` */
  apiKey: string;
  headers?: Record<string, string>;
  /**
   * How often a request that may be repeated (a `GET`, or one with an `Idempotency-Key`) is sent again: after a broken
   * connection, a 502 or 504, and after a 429 or 503 once its `Retry-After` of at most 60 s has passed. 2 by default.
   */
  retries?: number;
}

/** One method per HTTP verb; paths, parameters, bodies and answers are typed. */
export type Traceflow = Client<paths>;

/** The named parts of the API: `Schemas['RiskVerdict']`, `Schemas['ScanResponse']`, … */
export type Schemas = components['schemas'];

/** Returns a client that sends its key with each request. Refusals are answers (`error`); `answerOf` throws them. */
export function createTraceflow(options: TraceflowOptions): Traceflow;

/** A refusal, or no answer of the service at all. */
export class TraceflowError extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  /** A word of docs/errors.md, or a newer one; `no_answer` where the service gave none, as a proxy's page. */
  readonly code: string;
  /** What to send instead, where an address or a chain was not understood. */
  readonly hint: string | null;
  /** The faults of a request with the wrong shape (422). */
  readonly issues: Schemas['ValidationIssue'][];
  readonly requestId: string | null;
  /** Seconds after which the request may be repeated; null where waiting does not help. */
  readonly retryAfterS: number | null;
}

type Page = { next?: number | null; total?: number };

/** Returns what a call answers. Throws a TraceflowError for a refusal and for a connection that failed. */
export function answerOf<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>>;

/** Goes through all rows of a list, page by page: `ask` sends the call with an offset, `name` is the field of the rows. */
export function rowsOf<Name extends string, Row>(
  ask: (offset: number) => Promise<{
    data?: Page & Record<Name, readonly Row[]>;
    error?: unknown;
    response: Response;
  }>,
  name: Name,
): AsyncGenerator<Row>;

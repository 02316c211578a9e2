import { setMaxListeners } from 'node:events';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Guard } from './guard.ts';

export interface OutboundRequest {
  headers?: Record<string, string>;
  /** Sent by POST; without it the request is a GET. */
  body?: string | Buffer;
  /** From the call to the last byte of the answer. */
  timeoutMs: number;
  /** From the call to the headers of the answer, where this is to be shorter. */
  headersTimeoutMs?: number;
  /** Bound on the body as it arrives and as it is unpacked. */
  bytesMax: number;
  signal?: AbortSignal;
  /** For URLs that an outsider names: each connection is new and its address checked. */
  guard?: Guard;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The unpacked body. Leaving the loop early closes the connection. */
  body: AsyncGenerator<Buffer, void>;
  /** Ends an answer whose body is not wanted. */
  close(): void;
}

/** The answer passes a bound of the request or uses an encoding that was not offered. */
export class AnswerRefusedError extends Error {}

/**
 * Sends one request; redirects are not followed. One timer covers connecting, headers and body, and destroys the
 * socket: the timer holds the response itself, so garbage collection cannot detach it. Throws the signal's reason, an
 * Error that names the timeout, AnswerRefusedError, or the error of the connection.
 */
export async function openAnswer(url: URL, options: OutboundRequest): Promise<OutboundAnswer> {
  const { signal, timeoutMs, headersTimeoutMs, bytesMax } = options;
  signal?.throwIfAborted();
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, settingsOf(url, options));
  request.end(options.body);
  let response: IncomingMessage | null = null;
  let failure: { reason: unknown } | null = null;
  const stop = (reason: unknown) => {
    failure ??= { reason };
    (response ?? request).destroy();
  };
  const onAbort = () => stop(signal?.reason);
  const timer = setTimeout(() => stop(new Error(`timeout: no whole answer within ${timeoutMs} ms`)), timeoutMs);
  const headersTimer =
    headersTimeoutMs &&
    setTimeout(() => stop(new Error(`timeout: no answer within ${headersTimeoutMs} ms`)), headersTimeoutMs);
  if (signal) {
    // A scan asks many pages at once under one signal; each listener is removed with its request.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', onAbort);
  }
  const release = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  try {
    response = await headersOf(request);
  } catch (error) {
    release();
    throw failure ? (failure as { reason: unknown }).reason : error;
  } finally {
    clearTimeout(headersTimer);
  }
  const opened = response;
  async function* body(): AsyncGenerator<Buffer, void> {
    try {
      yield* bounded(unpacked(opened, bytesMax), bytesMax);
    } catch (error) {
      if (failure) throw failure.reason;
      if (error instanceof AnswerRefusedError) throw error;
      throw new Error(`the connection broke or sent damaged data: ${(error as Error).message}`, { cause: error });
    } finally {
      release();
      if (!opened.complete) opened.destroy();
    }
  }
  const close = () => {
    release();
    opened.destroy();
  };
  return { status: opened.statusCode ?? 0, headers: opened.headers, body: body(), close };
}

function settingsOf(url: URL, { headers, body, guard }: OutboundRequest): RequestOptions {
  // The look-up is not called for a literal address, and a connection that is kept was opened for someone else.
  const guarded = guard && { lookup: guard.lookup(guard.parse(url.href)), agent: false as const };
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'accept-encoding': 'gzip', 'user-agent': 'traceflow', ...length, ...headers },
    ...guarded,
  };
}

function headersOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', (response) => {
      // An error before the body is read is kept by the stream and thrown once it is.
      response.on('error', () => {});
      resolve(response);
    });
    request.on('error', reject);
    request.once('close', () => reject(new Error('the connection closed without an answer')));
  });
}

function unpacked(response: IncomingMessage, bytesMax: number): AsyncIterable<Buffer> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return response;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new AnswerRefusedError(`the answer has the encoding ${encoding.slice(0, 40)}, which was not offered`);
  }
  const unzip = createGunzip();
  pipeline(Readable.from(bounded(response, bytesMax)), unzip, () => {});
  return unzip;
}

async function* bounded(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer, void> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new AnswerRefusedError(`the answer is larger than ${bytesMax} bytes`);
    yield chunk;
  }
}

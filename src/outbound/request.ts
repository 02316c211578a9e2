import { isUtf8 } from 'node:buffer';
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
import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { storableText } from '../domain/text/storable.ts';
import { timeSlices } from '../fairness/time-slices.ts';
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

export interface JsonAnswer {
  /** Undefined where the body is not JSON. Integers of 16 digits and more arrive as strings; every text can be stored. */
  json: unknown;
  /** The first characters of the body, for error messages. */
  excerpt: string;
  /** Size of the body. */
  bytes: number;
}

const EXCERPT_BYTES = 2_000;

/** A body of no more bytes is read at once where `JSON.parse` can; most answers are such. */
const AT_ONCE_BYTES = 32 * 1024;

/** Reads a body as JSON while it arrives, in slices between other work. Throws AnswerRefusedError beyond the bounds. */
export async function readJsonAnswer({ body }: OutboundAnswer, bounds: JsonBounds): Promise<JsonAnswer> {
  const begun: Buffer[] = [];
  let bytes = 0;
  for (let isAll = false; !isAll && bytes <= AT_ONCE_BYTES; ) {
    const { value: chunk, done } = await body.next();
    if (done) isAll = true;
    else {
      begun.push(chunk);
      bytes += chunk.byteLength;
    }
  }
  const whole = Buffer.concat(begun);
  const json = bytes <= AT_ONCE_BYTES ? parseAtOnce(whole, bounds) : undefined;
  if (json !== undefined) return { json, excerpt: excerptOf(whole), bytes };
  try {
    return await readInSlices(whole, body, bounds);
  } finally {
    await body.return();
  }
}

async function readInSlices(
  begun: Buffer,
  rest: AsyncGenerator<Buffer, void>,
  bounds: JsonBounds,
): Promise<JsonAnswer> {
  const reader = new JsonReader(bounds);
  const excerpt: Buffer[] = [];
  let bytes = 0;
  let isJson = true;
  const whileJson = <T>(read: () => T): T | undefined => {
    try {
      return isJson ? read() : undefined;
    } catch (error) {
      if (error instanceof JsonBoundError) throw new AnswerRefusedError(error.message);
      isJson = false;
      return undefined;
    }
  };
  const pause = timeSlices();
  const take = (chunk: Buffer) => {
    if (bytes < EXCERPT_BYTES) excerpt.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
    bytes += chunk.byteLength;
    whileJson(() => reader.write(chunk));
  };
  take(begun);
  for await (const chunk of rest) {
    take(chunk);
    await pause();
  }
  const json = whileJson(() => reader.end());
  return { json: isJson ? json : undefined, excerpt: excerptOf(Buffer.concat(excerpt)), bytes };
}

function excerptOf(body: Buffer): string {
  return storableText(body.subarray(0, EXCERPT_BYTES).toString('utf8'));
}

/** Escapes that may stand for what no store keeps; a name that an assignment reads otherwise; and numbers that the reader keeps or refuses. */
const FOR_THE_READER = /\\u|__proto__|(?:^|[\s:,[])(?:-?\d{16}|[\d.eE+-]{401})/;

/**
 * Reads as `JsonReader` does, some ten times faster; undefined where it may read otherwise.
 *
 * @internal
 */
export function parseAtOnce(body: Buffer, { valuesMax, depthMax }: JsonBounds): unknown {
  // A document has at most one value in two bytes.
  if (body.byteLength > 2 * valuesMax || !isUtf8(body)) return undefined;
  const text = body.toString('utf8');
  if (FOR_THE_READER.test(text)) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return isDeeper(json, depthMax) ? undefined : json;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1));
}

/** Bounds of one JSON document. */
export interface JsonBounds {
  /** Strings (keys among them), numbers, literals, lists and objects. */
  valuesMax: number;
  depthMax: number;
}

/**
 * The document breaks a bound; the message names it.
 *
 * @internal
 */
export class JsonBoundError extends Error {}

const NUMBER_CHARACTERS_MAX = 400;
const NUMBER_BUFFER_BYTES = 64;
/** From this many digits on, a JavaScript number may round. */
const LARGE_INTEGER = /^-?\d{16,}$/;

/** Large integers stay text, since a JavaScript number would round them. */
class LosslessTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    if (text.length > NUMBER_CHARACTERS_MAX) {
      throw new JsonBoundError(`a number is larger than ${NUMBER_CHARACTERS_MAX} characters`);
    }
    return LARGE_INTEGER.test(text) ? (text as unknown as number) : Number(text);
  }
}

/**
 * Reads one JSON document in linear time, chunk by chunk. Integers of 16 digits and more arrive as strings. Throws
 * JsonBoundError as soon as a bound is passed, and another error for text that is not JSON.
 */
export class JsonReader {
  readonly #tokenizer = new LosslessTokenizer({ numberBufferSize: NUMBER_BUFFER_BYTES });
  readonly #parser = new TokenParser({ paths: ['$'], keepStack: true });
  readonly #bounds: JsonBounds;
  #values = 0;
  #depth = 0;
  #document: unknown;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
    this.#tokenizer.onToken = (token) => this.#take(token);
    this.#parser.onValue = ({ value }) => {
      this.#document = value;
    };
  }

  write(chunk: Uint8Array): void {
    this.#tokenizer.write(chunk);
  }

  /** The whole document. */
  end(): unknown {
    this.#tokenizer.end();
    if (!this.#parser.isEnded) this.#parser.end();
    if (this.#values === 0) throw new SyntaxError('no JSON value');
    return this.#document;
  }

  #take(parsed: ParsedTokenInfo): void {
    const { token } = parsed;
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#depth -= 1;
    else if (token !== TokenType.COMMA && token !== TokenType.COLON) {
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#depth += 1;
      this.#values += 1;
      const { valuesMax, depthMax } = this.#bounds;
      if (this.#values > valuesMax) throw new JsonBoundError(`the answer is larger than ${valuesMax} values`);
      if (this.#depth > depthMax) throw new JsonBoundError(`the answer is nested deeper than ${depthMax} levels`);
    }
    this.#parser.write(token === TokenType.STRING ? { ...parsed, value: storableText(String(parsed.value)) } : parsed);
  }
}

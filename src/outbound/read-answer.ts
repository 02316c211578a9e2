import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { storableText } from '../domain/text/storable.ts';
import { timeSlices } from '../fairness/time-slices.ts';
import { AnswerRefusedError, type OutboundAnswer } from './request.ts';

export interface JsonAnswer {
  /** Undefined where the body is not JSON. Integers of 16 digits and more arrive as strings; every text can be stored. */
  json: unknown;
  /** The first characters of the body, for error messages. */
  excerpt: string;
  /** Size of the body. */
  bytes: number;
}

const EXCERPT_BYTES = 2_000;

/** Reads a body as JSON while it arrives, in slices between other work. Throws AnswerRefusedError beyond the bounds. */
export async function readJsonAnswer({ body }: OutboundAnswer, bounds: JsonBounds): Promise<JsonAnswer> {
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
  for await (const chunk of body) {
    if (bytes < EXCERPT_BYTES) excerpt.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
    bytes += chunk.byteLength;
    whileJson(() => reader.write(chunk));
    await pause();
  }
  const json = whileJson(() => reader.end());
  return { json: isJson ? json : undefined, excerpt: storableText(Buffer.concat(excerpt).toString('utf8')), bytes };
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

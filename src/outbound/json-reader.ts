import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';

/** Bounds of one JSON document. */
export interface JsonBounds {
  /** Strings (keys among them), numbers, literals, lists and objects. */
  valuesMax: number;
  depthMax: number;
}

/** The document breaks a bound; the message names it. */
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
    this.#parser.write(parsed);
  }
}

import { timeSlices } from '../fairness/time-slices.ts';
import { JsonBoundError, type JsonBounds, JsonReader } from './json-reader.ts';
import { AnswerRefusedError, type OutboundAnswer } from './request.ts';

export interface JsonAnswer {
  /** Undefined where the body is not JSON. Integers of 16 digits and more arrive as strings. */
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
  return { json: isJson ? json : undefined, excerpt: Buffer.concat(excerpt).toString('utf8'), bytes };
}

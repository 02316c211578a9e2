import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShapeError } from '../errors.ts';

export const BODY_BYTES_MAX = 1024 * 1024;

/** JSON.parse takes 0.3 s for 1 MiB of brackets; no schema asks for as many levels or values. */
const DEPTH_MAX = 64;
/** Names of fields count too. */
const VALUES_MAX = 200_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media type of its body, where that is a file and no JSON. */
    takes?: string;
  }
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** One reader for every body, so that the size is checked before anything else about it. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.is404 || body.length === 0) return undefined;
      const mediaType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
      const { takes } = request.routeOptions.config;
      if (takes === undefined ? !JSON_TYPE.test(mediaType) : mediaType !== takes) {
        const msg = `Content-Type should be ${takes ?? 'application/json'}`;
        throw new ShapeError([{ type: 'content_type', loc: ['body'], msg }]);
      }
      await request.takeTurn?.();
      if (takes !== undefined) return body;
      if (isOversized(body))
        throw invalid(`JSON should have at most ${DEPTH_MAX} levels and ${VALUES_MAX} names and values`);
      try {
        return JSON.parse(decoder.decode(body));
      } catch {
        throw invalid('JSON decode error');
      }
    },
  );
}

function invalid(msg: string): ShapeError {
  return new ShapeError([{ type: 'json_invalid', loc: ['body'], msg }]);
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** True for JSON beyond the bounds, by its marks outside of texts, before anything is made of it. */
function isOversized(body: Buffer): boolean {
  let depth = 0;
  let marks = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      for (at++; at < body.length && body[at] !== QUOTE; at++) if (body[at] === BACKSLASH) at++;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      marks += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA || byte === COLON) marks += 1;
    if (marks > VALUES_MAX) return true;
  }
  return false;
}

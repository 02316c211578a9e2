import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OverloadError, ShapeError } from '../errors.ts';
import { callerOf } from './access.ts';

export const BODY_BYTES_MAX = 1024 * 1024;

/** The most that the JSON of a body may have. */
export const JSON_MAX = {
  /** JSON.parse takes 0.3 s for 1 MiB of brackets; no schema asks for as many levels. */
  levels: 64,
  /** Names of fields count too: a list of 5,000 addresses, each with its chain, has 25,000. */
  values: 30_000,
  /** A scene of 1 MiB of flows with all their transfers. */
  sceneValues: 200_000,
  /** Most names of one object: thousands make it a table that takes long to build and to walk. */
  names: 1_000,
};

/** A queue has place for hundreds of a caller; each of them would hold its body. */
const WAITING_BYTES_MAX = 32 * 2 ** 20;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media type of its body, where that is a file and no JSON. */
    takes?: string;
    /** Names and values that its JSON may have, where 30,000 are too few. */
    values?: number;
  }
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** One reader for every body, so that the size is checked before anything else about it. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const holdBytes = boundWaiting(app);
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.is404 || body.length === 0) return undefined;
      const mediaType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
      const { takes, values = JSON_MAX.values } = request.routeOptions.config;
      if (takes === undefined ? !JSON_TYPE.test(mediaType) : mediaType !== takes) {
        const msg = `Content-Type should be ${takes ?? 'application/json'}`;
        throw new ShapeError([{ type: 'content_type', loc: ['body'], msg }]);
      }
      holdBytes(request, body.length);
      await request.takeTurn?.();
      holdBytes(request, 0);
      if (takes !== undefined) return body;
      const bound = boundBroken(body, values);
      if (bound) throw invalid(`JSON should have at most ${bound}`);
      try {
        return JSON.parse(decoder.decode(body));
      } catch {
        if (request.headers['content-encoding'] !== undefined) throw packed();
        throw invalid('JSON decode error');
      }
    },
  );
}

/**
 * Refuses a body with OverloadError, before a byte of it is read, where those of its caller that arrive or wait would hold too much.
 * Returns how many bytes a request holds from then on.
 */
function boundWaiting(app: FastifyInstance): (request: FastifyRequest, bytes: number) => void {
  const byCaller = new Map<string, number>();
  const byRequest = new WeakMap<FastifyRequest, { caller: string; bytes: number }>();
  const hold = (request: FastifyRequest, bytes: number) => {
    const held = byRequest.get(request);
    if (!held) return;
    const all = (byCaller.get(held.caller) ?? 0) + bytes - held.bytes;
    held.bytes = bytes;
    if (all > 0) byCaller.set(held.caller, all);
    else byCaller.delete(held.caller);
  };
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = bytesStated(request);
    if (bytes === 0) return done();
    const caller = callerOf(request).id;
    const before = byCaller.get(caller) ?? 0;
    if (before > 0 && before + bytes > WAITING_BYTES_MAX) return done(new OverloadError('Too many bodies at once', 1));
    byRequest.set(request, { caller, bytes: 0 });
    hold(request, bytes);
    reply.raw.once('close', () => {
      hold(request, 0);
      byRequest.delete(request);
    });
    done();
  });
  return hold;
}

/** Returns the bytes that a body may have by its headers; one sent in chunks may have as many as its route takes. */
function bytesStated({ headers, routeOptions }: FastifyRequest): number {
  const { bodyLimit = BODY_BYTES_MAX } = routeOptions;
  return headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
    : bodyLimit;
}

function packed(): ShapeError {
  const msg = 'Content-Encoding is not read: send the JSON as it is';
  return new ShapeError([{ type: 'content_encoding', loc: ['body'], msg }]);
}

function invalid(msg: string): ShapeError {
  return new ShapeError([{ type: 'json_invalid', loc: ['body'], msg }]);
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Says what JSON has too much of, by its marks outside of texts, before anything is made of it; null where it is in bounds. */
function boundBroken(body: Buffer, valuesMax: number): string | null {
  /** Names counted on each level that is open. */
  const names: number[] = [0];
  let marks = 0;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        for (at++; at < body.length && body[at] !== QUOTE; at++) if (body[at] === BACKSLASH) at++;
        continue;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        names.pop();
        continue;
      case OPEN_LIST:
      case OPEN_OBJECT:
        names.push(0);
        break;
      case COLON:
        names.push((names.pop() ?? 0) + 1);
        break;
      case COMMA:
        break;
      default:
        continue;
    }
    marks += 1;
    const isTooLarge = names.length > JSON_MAX.levels + 1 || marks > valuesMax;
    if (isTooLarge) return `${JSON_MAX.levels} levels and ${valuesMax} names and values`;
    if (names.at(-1)! > JSON_MAX.names) return `${JSON_MAX.names} names in an object`;
  }
  return null;
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShapeError } from '../errors.ts';

export const BODY_BYTES_MAX = 1024 * 1024;

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
      if (!JSON_TYPE.test(mediaType)) {
        throw new ShapeError([{ type: 'content_type', loc: ['body'], msg: 'Content-Type should be application/json' }]);
      }
      try {
        return JSON.parse(decoder.decode(body));
      } catch {
        throw new ShapeError([{ type: 'json_invalid', loc: ['body'], msg: 'JSON decode error' }]);
      }
    },
  );
}

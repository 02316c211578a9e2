import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import swaggerUi from '@fastify/swagger-ui';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { guardAccess } from '../../http/access.ts';
import { documentRefusals } from '../../http/document-routes.ts';
import type { App } from '../../http/typed-app.ts';

// The page holds its own scripts and styles: it calls nothing but this service.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The document, the page and its files; the same file may be asked for by several paths. */
const KEPT_MAX = 32;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|javascript)|image\/svg)/;

const compress = promisify(gzip);

/** `/openapi.json` and the reference page `/docs` made from it; anyone may ask for them, so they are small and kept. */
export async function docsRoutes(app: App, ctx: Context): Promise<void> {
  // The files of the page are routes of a plugin.
  app.addHook('onRoute', (route) => {
    route.config = { access: 'page', ...route.config };
  });
  guardAccess(app, ctx);
  documentRefusals(app);
  compressAnswers(app);
  // Made once and shared by all answers.
  let document: Buffer | undefined;
  app.get(
    '/openapi.json',
    {
      exposeHeadRoute: true,
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document',
        tags: ['Service'],
        response: { 200: z.looseObject({ openapi: z.string().describe('Version of OpenAPI') }) },
      },
    },
    async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').send(document as never);
    },
  );

  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'list', filter: true },
    theme: { title: 'traceflow API' },
  });
}

/** Keeps every text that is answered as gzip and gives it an ETag, by which a browser asks again for nothing. */
function compressAnswers(app: App): void {
  const kept = new LRUCache<string, { etag: string; gzipped: Buffer }>({ max: KEPT_MAX });
  app.addHook('onSend', async ({ url, headers }, reply, payload) => {
    if (reply.statusCode !== 200 || !TEXT_TYPE.test(String(reply.getHeader('content-type')))) return payload;
    const path = url.split('?')[0]!;
    let answer = kept.get(path);
    let plain = payload as string | Buffer | Readable;
    if (!answer) {
      if (typeof plain !== 'string' && !Buffer.isBuffer(plain)) plain = await buffer(plain);
      answer = { etag: `W/"${hash('sha256', plain, 'base64url')}"`, gzipped: await compress(plain) };
      kept.set(path, answer);
    }
    reply.header('etag', answer.etag).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
    const isKnown = headers['if-none-match'] === answer.etag;
    if (!isKnown && !/\bgzip\b/.test(String(headers['accept-encoding']))) return plain;
    if (typeof plain !== 'string' && !Buffer.isBuffer(plain)) plain.destroy();
    reply.removeHeader('content-length');
    if (isKnown) {
      reply.code(304);
      return null;
    }
    reply.header('content-encoding', 'gzip');
    return answer.gzipped;
  });
}

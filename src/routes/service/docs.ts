import swaggerUi from '@fastify/swagger-ui';
import { z } from 'zod';
import type { App } from '../../http/typed-app.ts';

// The page holds its own scripts and styles: it calls nothing but this service.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json` and the reference page `/docs` made from it. */
export async function docsRoutes(app: App): Promise<void> {
  // Made once and shared by all answers: anyone may ask for it, and it is large.
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
    uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'list' },
    theme: { title: 'traceflow API' },
  });
}

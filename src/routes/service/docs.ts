import swaggerUi from '@fastify/swagger-ui';
import { z } from 'zod';
import type { App } from '../../http/typed-app.ts';

// The page holds its own scripts and styles: it calls nothing but this service.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json` and the reference page `/docs` made from it. */
export async function docsRoutes(app: App): Promise<void> {
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
    async () => app.swagger() as unknown as { openapi: string },
  );

  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'list' },
    theme: { title: 'traceflow API' },
  });
}

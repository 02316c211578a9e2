import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyReply } from 'fastify';

import type { App } from '../../http/typed-app.ts';
import { packageFolder } from '../../version.ts';

// Everything the page needs is a file of this service. Saved pictures are blobs.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Their names change with their contents. */
const KEPT = 'public, max-age=31536000, immutable';
const PACKED = /\.(?:br|gz)$/;
/** Names as the build gives them: none leads to another folder. */
const ASSET = /^[\w-][\w.-]*$/;

/** The analyst's console at `/`. Where it was not built, a browser is led to the reference page. */
export async function consoleRoutes(app: App): Promise<void> {
  const root = join(packageFolder(), 'dist/console');
  if (!existsSync(join(root, 'index.html'))) {
    app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'));
    return;
  }
  await app.register(files, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('content-security-policy', PAGE_POLICY);
      reply.header('cache-control', path.includes('/assets/') ? KEPT : 'no-cache');
    },
  });
  const serve = (url: string, answer: (reply: FastifyReply, name: string) => unknown) =>
    app.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url,
      schema: { hide: true },
      handler: (request, reply) => answer(reply, request.params.name),
    });
  for (const name of filesOf(root)) serve(`/${name}`, (reply) => reply.sendFile(name));
  serve('/', (reply) => reply.sendFile('index.html'));
  // One route for all: with one each, they were half of the service's routes and of the time that it takes to start.
  // Looked up when they are asked for: a console that was built under a running service is that of its new first page.
  serve('/assets/:name', (reply, name) =>
    ASSET.test(name) && !PACKED.test(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound(),
  );
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !PACKED.test(entry.name))
    .map(({ name }) => name);
}

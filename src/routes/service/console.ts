import { existsSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';

import type { App } from '../../http/typed-app.ts';
import { packageFolder } from '../../version.ts';

// Everything the page needs is a file of this service. Saved pictures are blobs.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Their names change with their contents. */
const KEPT = 'public, max-age=31536000, immutable';

/** The analyst's console at `/`. Where it was not built, a browser is led to the reference page. */
export async function consoleRoutes(app: App): Promise<void> {
  const root = join(packageFolder(), 'dist/console');
  if (!existsSync(join(root, 'index.html'))) {
    app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'));
    return;
  }
  await app.register(files, {
    root,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}'],
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('content-security-policy', PAGE_POLICY);
      reply.header('cache-control', path.includes('/assets/') ? KEPT : 'no-cache');
    },
  });
}

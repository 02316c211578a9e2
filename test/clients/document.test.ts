import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/clients/openapi-document.ts';

const CLIENTS = resolve(import.meta.dirname, '../../clients');

/** What a client sends and reads. Descriptions may be newer than the clients; they count with the next generation. */
const withoutProse = (document: object) =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    typeof value === 'string' && ['description', 'summary', 'title'].includes(key) ? undefined : value,
  );

it('the clients are generated from the document that the service answers; if not, run: npm run clients', async () => {
  const committed = JSON.parse(readFileSync(resolve(CLIENTS, 'openapi.json'), 'utf8'));
  expect(withoutProse(committed)).toEqual(withoutProse(await openApiDocument()));
});

it('the types of the TypeScript client are those of its document; if not, run: npm run clients', ({ skip }) => {
  const cwd = resolve(CLIENTS, 'typescript');
  if (!existsSync(resolve(cwd, 'node_modules')) && !process.env.CI) skip('needs: npm --prefix clients/typescript ci');
  expect(execFileSync('npm', ['run', 'check'], { cwd, encoding: 'utf8' })).toContain('openapi-typescript');
});

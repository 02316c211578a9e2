import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openTestApp } from '../../app/test-app.ts';

it('serves the console to anybody, under a policy that allows files of the service alone', async () => {
  const { app } = await openTestApp();
  const page = await app.inject('/');
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:/);
});

it('keeps the scripts and styles of the console in caches, since their names change with them', async () => {
  const { app } = await openTestApp();
  const { body } = await app.inject('/');
  const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const answer = await app.inject(file);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  }
});

it('loads the page and its canvas within 250 kB, compressed', async () => {
  const { app } = await openTestApp();
  const load = async (url: string) => {
    const answer = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringContaining('accept-encoding'),
    });
    return { bytes: answer.rawPayload.length, text: brotliDecompressSync(answer.rawPayload).toString() };
  };
  const namedIn = (text: string) => text.match(/\b(?:index|workspace)-[\w-]+\.(?:js|css)/g) ?? [];
  const sizes = new Map<string, number>();
  const loadAll = async (paths: string[]): Promise<void> => {
    for (const path of paths) {
      if (sizes.has(path)) continue;
      const { bytes, text } = await load(path === '' ? '/' : `/assets/${path}`);
      sizes.set(path, bytes);
      await loadAll(namedIn(text));
    }
  };
  await loadAll(['']);
  expect([...sizes.keys()].filter((path) => path.includes('workspace'))).toHaveLength(1);
  expect([...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(250_000);
});

it('answers 404 in JSON for files that the console does not have', async () => {
  const { app } = await openTestApp();
  for (const path of ['/assets/none.js', '/assets/../package.json', '/console']) {
    const answer = await app.inject(path);
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: expect.any(String) }]);
  }
});

it.each([
  ['if-match', '"x"', 412, 'Precondition failed'],
  ['if-unmodified-since', 'Thu, 01 Jan 2015 00:00:00 GMT', 412, 'Precondition failed'],
  ['range', 'bytes=99999999-', 416, 'Range is outside the file'],
])('answers a file request with %s: %s by %i', async (name, value, status, detail) => {
  const { app } = await openTestApp();
  const answer = await app.inject({ url: '/', headers: { [name]: value } });
  expect([answer.statusCode, answer.json()]).toMatchObject([status, { detail }]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

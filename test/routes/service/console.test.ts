import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { packageFolder } from '../../../src/version.ts';
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

it('serves what a build adds under a running service, so that its new first page finds its files', async () => {
  const { app } = await openTestApp();
  const name = `late-${randomUUID()}.js`;
  const file = join(packageFolder(), 'dist/console/assets', name);
  await writeFile(file, 'export {};');
  onTestFinished(() => rm(file));
  const answer = await app.inject(`/assets/${name}`);
  expect([answer.statusCode, answer.body]).toEqual([200, 'export {};']);
});

/** Bytes of all files that a reader loads for a page in one language, each once, as `encoding` packs them: the font apart. */
async function firstLoad(page: string, encoding: 'br' | 'gzip'): Promise<number> {
  const { app } = await openTestApp();
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync }[encoding];
  const loaded = new Map<string, Promise<string>>();
  let bytes = 0;
  const load = (path: string): Promise<string> => {
    const text = loaded.get(path) ?? loadFirst(path);
    loaded.set(path, text);
    return text;
  };
  const loadFirst = async (path: string): Promise<string> => {
    const answer = await app.inject({ url: path, headers: { 'accept-encoding': encoding } });
    expect(answer.headers).toMatchObject({
      'content-encoding': encoding,
      vary: expect.stringContaining('accept-encoding'),
    });
    const text = unpacked(answer.rawPayload).toString();
    bytes += answer.rawPayload.length;
    for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) await load(`/assets/${name}`);
    return text;
  };
  const named = [...(await load('/')).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  const scripts = await Promise.all(named.map(load));
  // What the start loads of itself: the words of one language, here of the longest, and the page.
  const lazy = [...new Set(scripts.join().match(/\b[\w-]+\.(?:js|css)\b/g))];
  const byName = (name: string) => lazy.filter((file) => file.startsWith(`${name}-`));
  const wanted = [...byName(`${page}-page`)];
  for (const words of ['console', 'codes', 'reports']) {
    const sizes = await Promise.all(byName(words).map(async (file) => [file, await sizeOf(file)] as const));
    expect(sizes.length, words).toBeGreaterThanOrEqual(3);
    wanted.push(sizes.sort((one, other) => other[1] - one[1])[0]![0]);
  }
  expect(wanted.length).toBe(4);
  for (const file of wanted) await load(`/assets/${file}`);
  await app.close();
  return bytes;

  async function sizeOf(file: string): Promise<number> {
    return (await app.inject(`/assets/${file}`)).rawPayload.length;
  }
}

it('loads the start within 260 kB, with the Japanese font and packed by gzip', async () => {
  const { app } = await openTestApp();
  const font = (await app.inject('/noto-sans-jp.woff2')).rawPayload.length;
  expect(font).toBeGreaterThan(50_000);
  expect((await firstLoad('home', 'gzip')) + font).toBeLessThanOrEqual(260_000);
});

it('loads the page and its canvas within 245 kB, packed by Brotli', async () => {
  expect(await firstLoad('investigate', 'br')).toBeLessThanOrEqual(245_000);
});

it('answers 404 in JSON for files that the console does not have', async () => {
  const { app } = await openTestApp();
  const others = ['/assets/..%2findex.html', '/assets/.hidden'];
  for (const path of ['/assets/none.js', '/assets/../package.json', '/console', ...others]) {
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

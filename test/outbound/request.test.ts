import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AnswerRefusedError, type OutboundRequest, openAnswer, readJsonAnswer } from '../../src/outbound/request.ts';
import { drip, serve } from '../setup/dripping-source.ts';
import { longestPause, PAUSE_MS_MAX } from '../setup/longest-pause.ts';

const MIB = 1024 * 1024;
const BOUNDS = { valuesMax: 300_000, depthMax: 100 };

async function ask(url: URL, options: Partial<OutboundRequest> = {}) {
  const answer = await openAnswer(url, { timeoutMs: 20_000, bytesMax: 8 * MIB, ...options });
  return { status: answer.status, ...(await readJsonAnswer(answer, BOUNDS)) };
}

describe('one timer for the whole exchange', () => {
  it('ends a source that drips, whatever the garbage collector does, and closes the connection', async () => {
    let closed = 0;
    const url = await serve(drip('[', () => closed++));
    await expect(ask(url, { timeoutMs: 400 })).rejects.toThrow(/timeout: .* 400 ms/);
    await expect.poll(() => closed).toBe(1);
  });

  it('ends with the reason of the signal, whatever the garbage collector does', async () => {
    let closed = 0;
    const given = new AbortController();
    const reason = new Error('deadline of the job');
    const url = await serve(
      drip(
        '[',
        () => closed++,
        () => given.abort(reason),
      ),
    );
    await expect(ask(url, { signal: given.signal })).rejects.toBe(reason);
    await expect.poll(() => closed).toBe(1);
  });

  it('ends a source that never sends headers', async () => {
    const url = await serve(() => {});
    await expect(ask(url, { timeoutMs: 100 })).rejects.toThrow(/timeout/);
  });

  it('ends an answer that nobody reads', async () => {
    let closed = 0;
    const url = await serve(drip('[', () => closed++));
    await openAnswer(url, { timeoutMs: 100, bytesMax: MIB });
    await expect.poll(() => closed).toBe(1);
  });

  it('fails when the connection breaks in the middle', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('[1');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(ask(url)).rejects.toThrow();
  });

  it('sends nothing where the signal was given before', async () => {
    await expect(ask(new URL('http://127.0.0.1:1/'), { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow(
      'over',
    );
  });
});

describe('answers', () => {
  it('are read as JSON whether packed or not, by GET and by POST', async () => {
    const url = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = JSON.stringify({ method: request.method, sent: Buffer.concat(chunks).toString() });
      const isPacked = request.method === 'POST';
      response.writeHead(200, isPacked ? { 'content-encoding': 'gzip' } : {});
      response.end(isPacked ? gzipSync(text) : text);
    });
    expect((await ask(url)).json).toEqual({ method: 'GET', sent: '' });
    expect((await ask(url, { body: '{"ü":1}' })).json).toEqual({ method: 'POST', sent: '{"ü":1}' });
  });

  it('that are not JSON come with their first characters', async () => {
    const url = await serve((_, response) => response.writeHead(502).end('<html>Bad gateway'.padEnd(10_000, '.')));
    const { status, json, excerpt } = await ask(url);
    expect({ status, json, length: excerpt.length }).toEqual({ status: 502, json: undefined, length: 2_000 });
    expect(excerpt).toMatch(/^<html>Bad gateway/);
  });

  it('that redirect are not followed', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect((await ask(url)).status).toBe(302);
  });

  it('are taken up to their bound to the byte, and refused beyond', async () => {
    const url = await serve((_, response) => response.end('[1, 2]'));
    expect((await ask(url, { bytesMax: 6 })).json).toEqual([1, 2]);
    await expect(ask(url, { bytesMax: 5 })).rejects.toThrow('the answer is larger than 5 bytes');
  });

  it('in an encoding that was not offered are refused', async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'));
    await expect(ask(url)).rejects.toBeInstanceOf(AnswerRefusedError);
  });
});

/** Answers made to hold the process, and whether they are refused or only not JSON. */
const HOSTILE: [name: string, body: () => Uint8Array | string, isRefused: boolean][] = [
  ['millions of objects in 64 kB of gzip', () => gzipSync(`[${'{},'.repeat(22_000_000)}{}]`), true],
  ['a gigabyte of blanks in 1 MB of gzip', () => Buffer.concat(Array(64).fill(gzipSync(' '.repeat(16 * MIB)))), true],
  ['gzip that never yields anything', () => Buffer.concat(Array(500_000).fill(gzipSync(''))), true],
  ['a number of a million digits', () => `{"result":${'9'.repeat(1_000_000)}}`, true],
  ['nesting without end', () => '['.repeat(1_000_000), true],
  ['an object of many fields', () => `{${Array.from({ length: 400_000 }, (_, i) => `"k${i * 7}":1`).join()}}`, true],
  ['a text of quotes that never ends', () => `{"result":"${'\\"'.repeat(1_000_000)}`, false],
  ['megabytes of escapes', () => `{"result":"${'\\u0061'.repeat(1_000_000)}"`, false],
];

describe('hostile answers', () => {
  it.each(HOSTILE)('%s keep other work waiting for moments only', async (_, body, isRefused) => {
    const bytes = body();
    const headers = typeof bytes === 'string' ? {} : { 'content-encoding': 'gzip' };
    const url = await serve((_request, response) => response.writeHead(200, headers).end(bytes));
    let outcome: unknown;
    const pauseMs = await longestPause(async () => {
      outcome = await ask(url).catch((error: unknown) => error);
    });
    expect(pauseMs).toBeLessThan(PAUSE_MS_MAX);
    if (isRefused) expect(outcome).toBeInstanceOf(AnswerRefusedError);
    else expect(outcome).toMatchObject({ status: 200, json: undefined });
  });
});

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addProbes, openTestApp, type TestApp } from '../app/test-app.ts';

const SLOW = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';

/** A service with a route that answers when `release` is called, and connections to it. */
async function openSlow(inFlightMax: number, sendMs?: number) {
  const test: TestApp = await openTestApp({}, { inFlightMax, sendMs });
  await addProbes(test);
  const waiting: (() => void)[] = [];
  const left: string[] = [];
  test.app.get('/slow', async (request, reply) => {
    reply.raw.once('close', () => left.push(request.id));
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return { done: true };
  });
  test.app.get('/big', async () => 'x'.repeat(20_000_000));
  const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
  const send = async (text: string): Promise<{ socket: Socket; received: () => string }> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        received += chunk;
      });
    socket.write(text);
    return { socket, received: () => received };
  };
  const release = () => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { ...test, url, send, waiting, left, release };
}

it('frees the places of all requests that a caller sent on one connection before it broke', async () => {
  const { url, send, waiting, left, release, logged } = await openSlow(5);
  const { socket } = await send(SLOW.repeat(4));
  await expect.poll(() => waiting.length).toBe(4);
  expect((await fetch(`${url}/probe/public`)).status).toBe(503);
  socket.resetAndDestroy();
  await expect.poll(async () => (await fetch(`${url}/probe/public`)).status).toBe(200);
  await expect.poll(() => left.length).toBe(4);
  release();
  await sleep(50);
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^http_requests_in_flight 1$/m);
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('"route":"/slow"'));
  expect(lines.map((line) => JSON.parse(line).aborted)).toEqual([true, true, true, true]);
});

it('frees the places of requests before one that is not HTTP', async () => {
  const { url, send, left } = await openSlow(4);
  const { socket } = await send(`${SLOW.repeat(3)}no HTTP\r\n\r\n`);
  await new Promise((resolve) => socket.once('close', resolve));
  await expect.poll(() => left.length).toBe(3);
  expect((await fetch(`${url}/probe/public`)).status).toBe(200);
});

it('answers requests on one connection in their order, and counts each once', async () => {
  const { url, send, waiting, release, logged } = await openSlow(10);
  const { socket, received } = await send(`${SLOW}GET /probe/public HTTP/1.1\r\nHost: a\r\n\r\n${SLOW}`);
  await expect.poll(() => waiting.length).toBe(2);
  expect(received()).toBe('');
  release();
  await expect.poll(() => received().match(/\{.*\}/g)).toEqual(['{"done":true}', '{"account":null}', '{"done":true}']);
  socket.destroy();
  await expect.poll(async () => await (await fetch(`${url}/metrics`)).text()).toMatch(/^http_requests_in_flight 1$/m);
  expect(logged()).not.toContain('"aborted"');
});

it('disconnects a client who takes nothing of its answer', async () => {
  const { url, send } = await openSlow(10, 1_500);
  const count = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())![1]);
  const { socket } = await send('GET /big HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
  socket.pause();
  await expect.poll(() => count('http_requests_in_flight')).toBe(4);
  await expect.poll(() => count('http_requests_in_flight')).toBe(1);
});

it('gives a request all the time that it needs, also behind another one on its connection', async () => {
  const { send, waiting, release } = await openSlow(10, 200);
  const { received } = await send(`GET /probe/public HTTP/1.1\r\nHost: a\r\n\r\n${SLOW}`);
  const { received: alone } = await send(SLOW);
  await expect.poll(() => waiting.length).toBe(2);
  await sleep(1_000);
  release();
  await expect.poll(() => received().match(/\{.*\}/g)).toEqual(['{"account":null}', '{"done":true}']);
  await expect.poll(() => alone().match(/\{.*\}/g)).toEqual(['{"done":true}']);
});

// Those who keep connections alive do so for 75 s, which this test does not have.
it('closes once what is under way is answered, whatever connections clients keep open', async () => {
  const { app, url, send, waiting, release } = await openSlow(5);
  const silent = await send('');
  const kept = fetch(`${url}/slow`);
  await expect.poll(() => waiting.length).toBe(1);
  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => silent.socket.once('close', resolve));
  expect(isClosed).toBe(false);
  release();
  expect(await (await kept).json()).toEqual({ done: true });
  await closed;
});

it('gives a request 30 s to arrive: Node takes the longer of the times for headers and for all of it', async () => {
  const { app } = await openTestApp();
  await app.ready();
  expect(Math.max(app.server.headersTimeout, app.server.requestTimeout)).toBe(30_000);
});

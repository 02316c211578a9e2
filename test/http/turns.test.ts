import { setImmediate } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openTurns, type Turn } from '../../src/http/access.ts';

/** An app whose answers wait for `end`; `running` names those that have a place. */
async function open() {
  const app = fastify();
  onTestFinished(() => app.close());
  const willTakeTurn = openTurns(app);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  app.addHook('onRequest', async (request, reply) => {
    const { account, turn } = request.query as { account: string; turn: Turn };
    willTakeTurn(request, reply, { turn, caller: { id: account, atOnce: 2 } });
  });
  app.get('/:name', async (request) => {
    const { name } = request.params as { name: string };
    running.push(name);
    await new Promise<void>((end) => ends.set(name, end));
    return { name };
  });
  const ask = (name: string, account: string, turn: Turn = 'answers', signal?: AbortSignal) =>
    app.inject({ url: `/${name}`, query: { account, turn }, signal });
  return { ask, running, end: (name: string) => ends.get(name)!() };
}

it('lets a burst of one account wait behind itself, and never a check before signing', async () => {
  const { ask, running, end } = await open();
  const burst = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, 'a'));
  await expect.poll(() => running).toEqual(['a1', 'a2']);
  const others = [ask('b1', 'b'), ask('a presign', 'a', 'presign')];
  await expect.poll(() => running).toEqual(['a1', 'a2', 'b1', 'a presign']);
  end('a1');
  await expect.poll(() => running).toContain('a3');
  expect(running).not.toContain('a4');
  end('a2');
  await expect.poll(() => running).toContain('a4');
  for (const name of ['a3', 'a4', 'b1', 'a presign']) end(name);
  const statuses = (await Promise.all([...burst, ...others])).map(({ statusCode }) => statusCode);
  expect(statuses).toEqual(Array(6).fill(200));
});

it('answers no request whose caller has left before its turn', async () => {
  const { ask, running, end } = await open();
  const burst = ['a1', 'a2'].map((name) => ask(name, 'a'));
  await expect.poll(() => running).toEqual(['a1', 'a2']);
  const leaving = new AbortController();
  const left = ask('gone', 'a', 'answers', leaving.signal).catch((error: Error) => error.name);
  const next = ask('a3', 'a');
  await setImmediate();
  leaving.abort();
  expect(await left).toBe('AbortError');
  end('a1');
  await expect.poll(() => running).toEqual(['a1', 'a2', 'a3']);
  end('a2');
  end('a3');
  await Promise.all([...burst, next]);
});

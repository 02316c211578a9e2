import { expect, it, onTestFinished } from 'vitest';
import { GraphTimeoutError, UnavailableError } from '../../src/errors.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import type { Graph } from '../../src/graph/port.ts';
import { type GateBounds, openQuestionGate } from '../../src/graph/question-gate.ts';
import { transfer } from './world.ts';

const BOUNDS: GateBounds = { overall: 4, keyless: 3, perAccount: 2, perAddress: 2 };
const account = (id: string) => ({ id, keyless: false });
const address = (id: string) => ({ id, keyless: true });

async function openGraph(): Promise<Graph> {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  return graph;
}

/** Questions that end on request, and who is running. */
function held() {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const question = (name: string) => () =>
    new Promise<string>((resolve) => {
      running.push(name);
      ends.set(name, () => {
        running.splice(running.indexOf(name), 1);
        resolve(name);
      });
    });
  return { running, question, end: (name: string) => ends.get(name)!() };
}

it('bounds the questions of one account, of one address, of all without a key, and of all', async () => {
  const gate = openQuestionGate(await openGraph(), { bounds: BOUNDS, waitMs: 60_000 });
  const { running, question, end } = held();
  const asked = [
    ...['a1', 'a2', 'a3'].map((name) => gate.ask(address('a'), question(name))),
    ...['b1', 'b2'].map((name) => gate.ask(address('b'), question(name))),
    ...['x1', 'x2', 'x3'].map((name) => gate.ask(account('x'), question(name))),
  ];
  await expect.poll(() => running).toEqual(['a1', 'a2', 'b1', 'x1']);
  expect([gate.running, gate.waiting]).toEqual([4, 4]);
  // The oldest that has room enters: a3 and b2 wait for keyless room, x3 for its account's.
  end('x1');
  await expect.poll(() => running).toEqual(['a1', 'a2', 'b1', 'x2']);
  end('a1');
  await expect.poll(() => running).toEqual(['a2', 'b1', 'x2', 'a3']);
  for (const name of ['a2', 'b1', 'x2', 'a3']) end(name);
  await expect.poll(() => running).toEqual(['b2', 'x3']);
  for (const name of ['b2', 'x3']) end(name);
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'x1', 'x2', 'x3']);
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
});

it('refuses with 503 what finds no room in time, and has room again after a question failed', async () => {
  const gate = openQuestionGate(await openGraph(), { bounds: { ...BOUNDS, overall: 1 }, waitMs: 50 });
  const { question, end, running } = held();
  const first = gate.ask(account('x'), question('x1'));
  await expect.poll(() => running).toEqual(['x1']);
  const refused = gate.ask(account('y'), question('y1'));
  await expect(refused).rejects.toThrow(UnavailableError);
  await expect(refused).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
  end('x1');
  await first;
  const failing = gate.ask(account('y'), () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
});

it('keeps the room of a query that runs on in the engine after its time', async () => {
  const graph = await openGraph();
  const many = Array.from({ length: 1_000 }, (_, i) => transfer({ from: 'hub', to: `r${i}` }, i));
  await ingestTransfers(graph, many);
  const pairs = many.map(({ from, to }) => [`ethereum:${from}`, `ethereum:${to}`]);
  const gate = openQuestionGate(graph, { bounds: BOUNDS });
  const late = gate.ask(account('x'), (limited) =>
    limited.read('ingest/read-facts', { by_sender: pairs, by_receiver: [] }, { timeoutMs: 1 }),
  );
  await expect(late).rejects.toThrow(GraphTimeoutError);
  expect(gate.running).toBe(1);
  await expect.poll(() => gate.running, { timeout: 25_000 }).toBe(0);
});

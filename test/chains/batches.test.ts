import { expect, it, onTestFinished } from 'vitest';
import { openRpc } from '../../src/chains/evm/node/rpc.ts';
import { serveUpstream, takingBatches, type Upstream, type UpstreamReply } from '../contract/upstream.ts';

const calls = (count: number) => Array.from({ length: count }, (_, n) => ({ method: 'eth_double', params: [n] }));
const doubled = (count: number) => Array.from({ length: count }, (_, n) => ({ result: 2 * n }));
const double: Upstream = ({ body }) => {
  const { id, params } = body as { id: number; params: number[] };
  return { json: { jsonrpc: '2.0', id, result: 2 * params[0]! } };
};
const refusal: UpstreamReply = { json: { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'too many' } } };

async function open(upstream: Upstream) {
  const server = await serveUpstream(upstream);
  onTestFinished(() => server.close());
  const rpc = openRpc({ chain: 'ethereum', name: 'rpc', baseUrl: server.url });
  const sizes = () => server.requests.splice(0).map(({ body }) => (Array.isArray(body) ? body.length : 0));
  return { rpc, sizes };
}

const sizeOf = (body: unknown) => (Array.isArray(body) ? body.length : 1);

it('asks twenty things in a request and gives the answers in the order of the calls', async () => {
  const shuffled: Upstream = async (request) => {
    const reply = await takingBatches(double)(request);
    return { json: (JSON.parse(reply.text ?? JSON.stringify(reply.json)) as unknown[]).toReversed() };
  };
  const { rpc, sizes } = await open(shuffled);
  expect(await rpc.attemptAll(calls(45))).toEqual(doubled(45));
  expect(sizes().toSorted((a, b) => b - a)).toEqual([20, 20, 5]);
});

it.each([
  ['one error for all', refusal],
  ['HTTP 403', { status: 403, text: 'no batches' }],
])('asks singly, from then on too, where a node answers batches with %s', async (_, reply) => {
  const { rpc, sizes } = await open((request) => (Array.isArray(request.body) ? reply : double(request)));
  expect(await rpc.attemptAll(calls(12))).toEqual(doubled(12));
  sizes();
  expect(await rpc.attemptAll(calls(3))).toEqual(doubled(3));
  expect(sizes()).toEqual([0, 0, 0]);
});

it('remembers that a node takes smaller batches only', async () => {
  const upstream: Upstream = (request) => (sizeOf(request.body) > 5 ? refusal : takingBatches(double)(request));
  const { rpc, sizes } = await open(upstream);
  expect(await rpc.attemptAll(calls(20))).toEqual(doubled(20));
  sizes();
  expect(await rpc.attemptAll(calls(10))).toEqual(doubled(10));
  expect(sizes()).toEqual([5, 5]);
});

it('tries a larger batch after five hundred calls, and stays with it where the node takes it', async () => {
  let largest = 1;
  const upstream: Upstream = (request) =>
    Array.isArray(request.body) && request.body.length > largest ? refusal : takingBatches(double)(request);
  const { rpc, sizes } = await open(upstream);
  await rpc.attemptAll(calls(2));
  largest = 20;
  await rpc.attemptAll(calls(500));
  expect(sizes().filter((size) => size > 0)).toEqual([2]);
  await rpc.attemptAll(calls(2));
  for (let n = 0; n < 4; n++) await rpc.attemptAll(calls(501));
  sizes();
  expect(await rpc.attemptAll(calls(20))).toEqual(doubled(20));
  expect(sizes()).toEqual([20]);
});

it('asks again, alone, what a node was too busy for or left out', async () => {
  const partly: Upstream = async (request) => {
    const reply = await takingBatches(double)(request);
    if (!Array.isArray(request.body)) return reply;
    const answers = JSON.parse(reply.text!) as { id: number }[];
    const busy = { jsonrpc: '2.0', id: 1, error: { code: 429, message: 'rate limit' } };
    return { json: [busy, ...answers.slice(2)] };
  };
  const { rpc, sizes } = await open(partly);
  expect(await rpc.attemptAll(calls(4))).toEqual(doubled(4));
  expect(sizes()).toEqual([4, 0, 0]);
});

it('refuses a node that answers with a page of HTML', async () => {
  const { rpc } = await open(() => ({ text: '<html>Just a moment...</html>' }));
  await expect(rpc.attemptAll(calls(2))).rejects.toMatchObject({ status: 500, retryable: true });
});

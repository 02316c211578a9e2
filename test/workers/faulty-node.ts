import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { answerPage } from '../chains/live/page-instead.ts';

type NodeFault = 'cut' | 'page' | 'other_chain' | 'huge' | 'deep' | 'held';

/** A node behind a door of ours that can be cut off, or answer what no honest one does. */
export async function startFaultyNode(url: string) {
  const door = { url: '', fault: null as NodeFault | null, requests: 0, sentBytes: 0 };
  const server = createServer(async (request, response) => {
    door.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    while (door.fault === 'held') await setTimeout(10);
    if (door.fault === 'cut') return void request.socket.destroy();
    if (door.fault === 'page') return answerPage(response, 503);
    if (door.fault === 'huge') return void sendForever(response, door);
    if (door.fault === 'deep') return void response.end(`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(10_000)}`);
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    if (door.fault === 'other_chain' && method === 'eth_chainId') {
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x89' }));
    }
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    response.end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  door.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return door;
}

const HUGE_BYTES = 200 * 1024 * 1024;

function sendForever(response: ServerResponse, door: { sentBytes: number }): void {
  const part = Buffer.alloc(64 * 1024, '1');
  let sent = 0;
  response.write('{"jsonrpc":"2.0","id":1,"result":"0x');
  const more = () => {
    while (sent < HUGE_BYTES && !response.destroyed) {
      sent += part.byteLength;
      door.sentBytes += part.byteLength;
      if (!response.write(part)) return void response.once('drain', more);
    }
    response.end('"}');
  };
  more();
}

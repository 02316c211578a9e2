import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  /** The raw body. */
  body: string;
}

/** A real webhook endpoint on loopback; closed with the test. */
export async function startReceiver(answer: (response: ServerResponse, received: Received) => void = ok) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(one);
    answer(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/hook`, port, close };
}

function ok(response: ServerResponse): void {
  response.writeHead(204).end();
}

/** Settings under which webhooks may reach receivers of this machine. */
export const LOCAL_WEBHOOKS = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' };

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface UpstreamRequest {
  method: string;
  url: URL;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed JSON body; undefined for GET. */
  body: unknown;
}

/** What a test source answers: `json`, `text` or `bytes`, or `hang` to never answer. */
export interface UpstreamReply {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  bytes?: Uint8Array;
  hang?: true;
}

/** One protocol-true data source, as a function from request to reply. */
export type Upstream = (request: UpstreamRequest) => UpstreamReply | Promise<UpstreamReply>;

export interface ServedUpstream {
  url: string;
  requests: UpstreamRequest[];
  close: () => Promise<void>;
}

/** Puts a data source on a real local port. */
export async function serveUpstream(upstream: Upstream): Promise<ServedUpstream> {
  const requests: UpstreamRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const request: UpstreamRequest = {
        method: incoming.method ?? 'GET',
        url: new URL(incoming.url ?? '/', 'http://127.0.0.1'),
        headers: incoming.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(request);
      const reply = await upstream(request);
      if (reply.hang) return;
      outgoing.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      outgoing.end(reply.bytes ?? reply.text ?? JSON.stringify(reply.json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A JSON-RPC node that answers batches call by call; one call that fails as HTTP fails the batch. */
export function takingBatches(single: Upstream): Upstream {
  return async (request) => {
    if (!Array.isArray(request.body)) return single(request);
    const texts: string[] = [];
    for (const call of request.body as { id: number }[]) {
      const reply = await single({ ...request, body: call });
      if (reply.hang || (reply.status ?? 200) !== 200) return reply;
      texts.push(reply.text ?? JSON.stringify({ ...(reply.json as object), id: call.id }));
    }
    return { text: `[${texts.join(',')}]` };
  };
}

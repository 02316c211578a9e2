import { onTestFinished } from 'vitest';
import { serveSocket } from '../../../fixtures/chain-servers/serve-socket.ts';

export type { Peer } from '../../../fixtures/chain-servers/serve-socket.ts';

/** A WebSocket server on loopback that speaks JSON; closed with the test. */
export async function startSocketServer(...asked: Parameters<typeof serveSocket>) {
  const server = await serveSocket(...asked);
  onTestFinished(() => server.close());
  return server;
}

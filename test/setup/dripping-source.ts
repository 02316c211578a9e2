import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

/**
 * Sends headers and a beginning, and then one byte every 20 ms for as long as the connection lives. While its reader waits,
 * garbage is collected, which takes what nobody holds any more.
 */
export function drip(beginning: string, ended: () => void, collected = () => {}): RequestListener {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(beginning);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => {
      clearInterval(timer);
      ended();
    });
    void collectAgain().then(collected);
  };
}

/** Its address; it ends with the test. */
export async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** Each goes through all that the suites of a worker hold. */
const COLLECTIONS = 3;

async function collectAgain(): Promise<void> {
  for (let i = 0; i < COLLECTIONS; i++) {
    await setTimeout(30);
    collectGarbage();
  }
}

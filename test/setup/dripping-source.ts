import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import { onTestFinished } from 'vitest';

/** Sends headers and a beginning, and then one byte every 20 ms for as long as the connection lives. */
export function drip(beginning: string, ended: () => void): RequestListener {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(beginning);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => {
      clearInterval(timer);
      ended();
    });
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

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

/** Collects garbage every 30 ms while the work goes on. */
export async function underCollection<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(collectGarbage, 30);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

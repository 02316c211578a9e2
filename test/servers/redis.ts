import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort, newFolder, outputOf, type Service, ServiceMissing, startServer } from './service.ts';

/** The Redis that is installed, empty, nothing kept on disk. */
export async function startRedis(): Promise<Service> {
  if (!outputOf('redis-server', ['--version'])) throw new ServiceMissing('Redis is not installed (no redis-server)');
  const folder = newFolder('redis');
  const port = await freePort();
  const stop = await startServer('Redis', {
    command: 'redis-server',
    args: ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder],
    folder,
    answers: () => ping(port),
  });
  return { settings: { REDIS_URL: `redis://127.0.0.1:${port}` }, stop };
}

async function ping(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    if (!String(answer).startsWith('+PONG')) throw new Error(`Redis answered ${answer}`);
  } finally {
    socket.destroy();
  }
}

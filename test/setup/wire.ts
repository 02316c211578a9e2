import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Carries bytes to a port until it is cut; new connections are refused then. */
export async function openWire(target: number) {
  const sockets = new Set<Socket>();
  let port = 0;
  let listener: Server;
  const restore = async () => {
    listener = createServer((near) => {
      const far = connect(target, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => other.destroy());
        socket.pipe(other);
      }
    }).listen(port, '127.0.0.1');
    await once(listener, 'listening');
    port = (listener.address() as { port: number }).port;
  };
  /** What is connected now carries nothing more; what connects later does. */
  const stall = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const cut = async () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await sleep(50);
  };
  await restore();
  return { port, cut, restore, stall };
}

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP way to a server that can be cut and restored, as if the server went away and came back. */
export interface Way {
  port: number;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

export async function openWay(target: number): Promise<Way> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  let server: Server | undefined;
  const listen = async (port: number) => {
    server = createServer((inner) => {
      const outer = keep(connect(target, '127.0.0.1'));
      keep(inner).pipe(outer).pipe(inner);
      inner.once('close', () => outer.destroy());
      outer.once('close', () => inner.destroy());
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  };
  const port = await listen(0);
  return {
    port,
    cut: async () => {
      const closed = server && once(server, 'close');
      server?.close();
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
      server = undefined;
    },
    restore: async () => {
      if (!server) await listen(port);
    },
  };
}

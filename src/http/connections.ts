import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** The request itself counts as destroyed once its body is read; only its connection says whether anybody waits. */
export function callerHasLeft({ socket }: { socket: Socket }): boolean {
  return socket.destroyed;
}

const openResponses = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes the response when its connection breaks. Node does this only for the response that is being sent: those of
 * pipelined requests behind it would stay open for ever.
 */
export function closeWithConnection(response: ServerResponse, socket: Socket): void {
  const open = openResponses.get(socket) ?? watchConnection(socket);
  open.add(response);
  response.once('close', () => open.delete(response));
}

function watchConnection(socket: Socket): Set<ServerResponse> {
  const open = new Set<ServerResponse>();
  openResponses.set(socket, open);
  socket.once('close', () => {
    for (const response of open) {
      const isClosedByNode = response.socket !== null || response.writableFinished;
      if (isClosedByNode) continue;
      response.destroy();
      response.emit('close');
    }
  });
  return open;
}

/**
 * From now on the response is ready to be sent: breaks its connection once the client takes nothing of it for `ms`, at the
 * latest after twice as long, since Node forgives an interval in which bytes moved. Node sets the time of idle
 * connections itself, after the last response.
 */
export function sendWithin(ms: number, response: ServerResponse): void {
  // A request from this process itself has no connection.
  if (response.socket instanceof Socket) response.socket.setTimeout(ms);
  // Behind another response: its time begins with its turn.
  else if (response.socket === null) response.once('socket', (socket: Socket) => socket.setTimeout(ms));
}

/** The time of the response before it does not count for one that is still being made. */
export function makeWithoutLimit(response: ServerResponse): void {
  if (response.socket === null) response.once('socket', (socket: Socket) => socket.setTimeout(0));
}

/**
 * Lets the server close once its requests are answered. Node closes the connections that are idle when closing begins;
 * those that become idle later would stay for their keep-alive time, and those without a request yet until the client
 * leaves. Call the answer when closing begins.
 */
export function closeUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy();
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    response.once('close', () => {
      if (isClosing) server.closeIdleConnections();
    });
  });
  return () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
  };
}

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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

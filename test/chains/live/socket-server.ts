import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export interface Peer {
  send: (message: object) => void;
}

/** A WebSocket server on loopback that speaks JSON; `cut` drops every connection without a farewell. */
export async function startSocketServer(
  onMessage: (peer: Peer, message: Record<string, unknown>) => void,
  { answersPings = true } = {},
) {
  const sockets = new Set<Socket>();
  let pings = 0;
  let refusal: number | null = null;
  const server = createServer((_, response) => response.writeHead(426).end());
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (refusal !== null) {
      const page = '<!doctype html><p>Slow down, please.</p>';
      const head = `HTTP/1.1 ${refusal} Refused\r\nContent-Type: text/html\r\nContent-Length: ${page.length}`;
      return void socket.end(`${head}\r\nConnection: close\r\n\r\n${page}`);
    }
    socket.on('end', () => socket.end());
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const peer = { send: (message: object) => void socket.write(textFrame(JSON.stringify(message))) };
    let buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let frame = readFrame(buffer); frame; frame = readFrame(buffer)) {
        buffer = buffer.subarray(frame.length);
        if (frame.opcode === 8) socket.end();
        if (frame.opcode === 9) pings += 1;
        if (frame.opcode === 9 && answersPings) socket.write(Buffer.from([0x8a, 0]));
        if (frame.opcode === 1) onMessage(peer, JSON.parse(frame.text) as Record<string, unknown>);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const broadcast = (message: object) => {
    for (const socket of sockets) socket.write(textFrame(JSON.stringify(message)));
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    broadcast,
    connections: () => sockets.size,
    pings: () => pings,
    /** From now on a connection is answered with a page of this status; null: it is taken again. */
    refuse: (status: number | null) => {
      refusal = status;
    },
  };
}

function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(10);
  head[0] = 0x81;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

/** A client's frames are masked. */
function readFrame(buffer: Buffer): { opcode: number; text: string; length: number } | null {
  if (buffer.length < 2) return null;
  const short = buffer[1]! & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extra + 4;
  if (buffer.length < start) return null;
  const size = extra === 0 ? short : extra === 2 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
  if (buffer.length < start + size) return null;
  const mask = buffer.subarray(start - 4, start);
  const body = buffer.subarray(start, start + size).map((byte, place) => byte ^ mask[place % 4]!);
  return { opcode: buffer[0]! & 0x0f, text: Buffer.from(body).toString('utf8'), length: start + size };
}

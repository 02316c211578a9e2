import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHostResolver, type ResolveHost } from '../../src/outbound/guard.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;

/** A real name server on loopback; `answer` gives the addresses of a name each time it is asked. */
export async function startNameServer(answer: (name: string, times: number) => string[]): Promise<ResolveHost> {
  const asked = new Map<string, number>();
  const server = createSocket('udp4');
  server.on('message', (query, from) => {
    const end = query.indexOf(0, 12);
    const name = labels(query.subarray(12, end)).join('.');
    const type = query.readUInt16BE(end + 1);
    const times = (asked.get(`${name} ${type}`) ?? 0) + 1;
    asked.set(`${name} ${type}`, times);
    const addresses = answer(name, times).filter((address) => isIPv6(address) === (type === TYPE_AAAA));
    server.send(reply(query.subarray(0, end + 5), addresses), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());

  return createHostResolver({ servers: [`127.0.0.1:${server.address().port}`] });
}

function labels(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += bytes[at]! + 1)
    found.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]!));
  return found;
}

function reply(question: Buffer, addresses: string[]): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  return Buffer.concat([header, ...addresses.map(record)]);
}

function record(address: string): Buffer {
  const data = isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  // The name of the question, class IN, no time to live.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIPv6(address) ? TYPE_AAAA : TYPE_A, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const bytes = Buffer.alloc(16);
  for (const [i, group] of [...groups(head), ...zeros, ...groups(tail)].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2);
  }
  return bytes;
}

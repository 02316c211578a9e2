import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Headers by which proxies say for whom they ask. */
const FORWARDING =
  /^(forwarded|via|x-forwarded-.+|x-original-.+|x-real-ip|(x-|true-|x-cluster-|fastly-)?client-ip|cf-.+|x-envoy-.+)$/;

/** True for the bearer of METRICS_TOKEN; without a token for requests of this host that no proxy passed on. */
export function isFromOperator(
  { METRICS_TOKEN: token, TRUST_PROXY: proxies }: Config,
  request: FastifyRequest,
): boolean {
  if (token === undefined) return /^(false)?$/.test(proxies) && isLocal(request);
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && isSame(given, token);
}

/** Hashes are of one length, so that the comparison takes the same time whatever was sent. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

/** A proxy on this machine, or a page in its browser, also comes from loopback: what they pass on is not local. */
function isLocal({ headers, hostname, socket }: FastifyRequest): boolean {
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return isLoopback(socket.remoteAddress ?? '') && (host === 'localhost' || isLoopback(host));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  const version = isIP(plain);
  return version !== 0 && loopback.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

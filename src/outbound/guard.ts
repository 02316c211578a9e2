import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { hasAddress, networkList } from './networks.ts';

export interface GuardSettings {
  /** Networks allowed on any port, even if they are not public. */
  allowCidrs: readonly string[];
  /** True where `http:` and port 80 are allowed. */
  allowHttp: boolean;
}

/** Keeps requests to user-supplied URLs away from internal addresses (SSRF protection). */
export interface Guard {
  /** Parses the URL. Throws ForbiddenUrlError if it is forbidden whatever its host resolves to; does no DNS lookup. */
  parse(text: string): URL;
  /** Throws ForbiddenUrlError when the host has no address, or any that is not allowed. */
  checkHost(url: URL): Promise<void>;
  /** A DNS lookup for one connection that returns only checked addresses, which prevents DNS rebinding. */
  lookup(url: URL): LookupFunction;
}

/** The message says what is wrong with the URL; it never names an address that a host resolved to. */
export class ForbiddenUrlError extends Error {}

/** One text, so that it does not show which internal names exist. */
const NO_PUBLIC_ADDRESS = 'its host has no public address';
const PUBLIC_PORTS = [443, 8443];
const URL_LENGTH_MAX = 2_000;
const INTERNAL_NAMES = /(^|\.)(localhost|local|internal|localdomain|lan|home\.arpa)$|^(metadata|instance-data)$/;

/** Special-purpose networks of the IANA registries: private, loopback, link-local, documentation, multicast, reserved. */
const IPV4_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
/** The only part of IPv6 that is handed out as public addresses, and the special-purpose networks within it. */
const PUBLIC_IPV6 = ['2000::', 3] as const;
const IPV6_NETWORKS = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;
/** IPv6 forms that hold an IPv4 address in their last 32 bits: compatible, mapped, translated. */
const EMBEDDING_NETWORKS = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
] as const;

const notPublic = new BlockList();
for (const [network, bits] of IPV4_NETWORKS) notPublic.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of IPV6_NETWORKS) notPublic.addSubnet(network, bits, 'ipv6');
const publicIPv6 = new BlockList();
publicIPv6.addSubnet(...PUBLIC_IPV6, 'ipv6');
const embedding = new BlockList();
for (const [network, bits] of EMBEDDING_NETWORKS) embedding.addSubnet(network, bits, 'ipv6');

export function createGuard(settings: GuardSettings, resolve: ResolveHost = createHostResolver()): Guard {
  const allowed = networkList(settings.allowCidrs);
  const ports = settings.allowHttp ? [...PUBLIC_PORTS, 80] : PUBLIC_PORTS;

  const refuseName = (url: URL) => {
    if (isInternalName(url)) throw new ForbiddenUrlError('its host name is internal');
    if (!ports.includes(portOf(url))) throw new ForbiddenUrlError(`its port must be one of ${ports.join(', ')}`);
  };
  const refuseAddress = (url: URL, address: string) => {
    const meant = embeddedAddress(address);
    if (hasAddress(allowed, address) || hasAddress(allowed, meant)) return;
    if (!isPublic(meant)) throw new ForbiddenUrlError(literalOf(url) ? 'its address is not public' : NO_PUBLIC_ADDRESS);
    refuseName(url);
  };
  const checked = async (url: URL): Promise<string[]> => {
    const literal = literalOf(url);
    const addresses = literal ? [literal] : await resolve(url.hostname.replace(/\.$/, ''));
    if (addresses.length === 0) throw new ForbiddenUrlError(NO_PUBLIC_ADDRESS);
    for (const address of addresses) refuseAddress(url, address);
    return addresses;
  };

  return {
    parse: (text) => {
      if (text.length > URL_LENGTH_MAX) throw new ForbiddenUrlError('it is too long');
      if (!URL.canParse(text)) throw new ForbiddenUrlError('it is not an absolute URL');
      const url = new URL(text);
      // Escapes make it longer, and the parsed form is what is kept and parsed again.
      if (url.href.length > URL_LENGTH_MAX) throw new ForbiddenUrlError('it is too long');
      if (url.protocol !== 'https:' && !(settings.allowHttp && url.protocol === 'http:')) {
        throw new ForbiddenUrlError(
          settings.allowHttp ? 'it must begin with http(s)://' : 'it must begin with https://',
        );
      }
      if (url.username || url.password) throw new ForbiddenUrlError('it must not hold a user or password');
      const literal = literalOf(url);
      if (literal) refuseAddress(url, literal);
      else if (settings.allowCidrs.length === 0) refuseName(url);
      return url;
    },
    checkHost: async (url) => {
      await checked(url);
    },
    lookup: (url) => (_host, options, callback) => {
      checked(url).then(
        (addresses) => {
          const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
          if (options.all) callback(null, all);
          else callback(null, all[0]!.address, all[0]!.family);
        },
        (error) => callback(error, ''),
      );
    },
  };
}

function isPublic(address: string): boolean {
  return !hasAddress(notPublic, address) && (!isIPv6(address) || hasAddress(publicIPv6, address));
}

/** The host if it is an IP address, else null. The URL parser has already normalized notations such as `0x7f.1`. */
function literalOf({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) ? host : null;
}

function isInternalName({ hostname }: URL): boolean {
  return INTERNAL_NAMES.test(hostname.toLowerCase().replace(/\.$/, ''));
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** The IPv4 address inside an IPv6 form that stands for one, else the address itself. */
function embeddedAddress(address: string): string {
  if (!isIPv6(address) || !embedding.check(address, 'ipv6')) return address;
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** All addresses of a host name; none where it has none or cannot be resolved in time. */
export type ResolveHost = (host: string) => Promise<string[]>;

interface ResolverSettings {
  /** Name servers as `address:port`; default: those of the system. */
  servers?: string[];
  timeoutMs?: number;
  /** Names resolved at once; further ones are refused. */
  atOnceMax?: number;
}

const QUERY_MS = 1_000;
const QUERY_TRIES = 2;

/**
 * Asks DNS directly, so that a name server that hangs holds none of the process's few threads, as the system's own
 * look-up would. The hosts file and search domains are not used; `localhost` is 127.0.0.1.
 *
 * @internal
 */
export function createHostResolver({
  servers,
  timeoutMs = 5_000,
  atOnceMax = 128,
}: ResolverSettings = {}): ResolveHost {
  let open = 0;
  return async (host) => {
    if (/^(.+\.)?localhost$/i.test(host)) return ['127.0.0.1'];
    if (open >= atOnceMax) return [];
    const resolver = new Resolver({ timeout: QUERY_MS, tries: QUERY_TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    open += 1;
    try {
      const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return families.flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
    } finally {
      open -= 1;
      clearTimeout(timer);
    }
  };
}

import { BlockList, isIP, isIPv6 } from 'node:net';

/** True for an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const { address, bits } = parts(network);
    list.addSubnet(address, bits, family(address));
  }
  return list;
}

/** False for what is not an IP address. */
export function hasAddress(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, family(address));
}

/** True where one of the networks holds all of this one. */
export function isWithin(network: string, networks: readonly string[]): boolean {
  const { address, bits } = parts(network);
  return networks.some((outer) => {
    const { address: outerAddress, bits: outerBits } = parts(outer);
    return family(outerAddress) === family(address) && outerBits <= bits && hasAddress(networkList([outer]), address);
  });
}

function parts(network: string): { address: string; bits: number } {
  const [address = '', bits] = network.split('/');
  return { address, bits: bits === undefined ? (isIPv6(address) ? 128 : 32) : Number(bits) };
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

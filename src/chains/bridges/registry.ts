import { hash } from 'node:crypto';
import { canonicalAddress } from '../../domain/address/address.ts';
import { BRIDGE_PROTOCOLS, type BridgeProtocol, PROTOCOLS } from '../../domain/bridges/protocols.ts';
import { type Chain, isChain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isNullAddress } from '../../domain/tracing/asset-id.ts';
import type { Emitter, Registry } from './decoding/facts.ts';

const FAMILY = /^[\w:.-]{1,64}$/;

/** The given contracts by address and by role. */
export function registryOf(emitters: readonly Emitter[]): Registry {
  const byAddress = groupBy(emitters, ({ chain, address }) => `${chain}:${address}`);
  const byRole = groupBy(emitters, ({ protocol, chain, role }) => `${protocol}:${chain}:${role}`);
  const name = hash('sha256', emitters.map(textOf).sort().join());
  return {
    name,
    protocols: new Map([...byAddress].map(([key, [first]]) => [key, first!.protocol])),
    at: (chain: Chain, address: string) => byAddress.get(`${chain}:${address}`) ?? [],
    of: (protocol: BridgeProtocol, chain: Chain, role: string) => byRole.get(`${protocol}:${chain}:${role}`) ?? [],
  };
}

function textOf({ protocol, chain, role, address, token, peer, family }: Emitter): string {
  return JSON.stringify([protocol, chain, role, address, token, peer, family]);
}

/** The contracts in the table of protocols. Throws RangeError for a bad line. */
export function knownContracts(): Emitter[] {
  return BRIDGE_PROTOCOLS.flatMap((protocol) => linesOf(protocol).map((cells) => emitterOf([protocol, ...cells])));
}

/** The lines of a row as cells, one for each chain. */
function linesOf(protocol: BridgeProtocol): string[][] {
  return PROTOCOLS[protocol].contracts
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [chains = '', ...cells] = line.split(',');
      return chains.split(' ').map((chain) => [chain, ...cells]);
    });
}

/** Lists what a contract can be to each protocol. */
const ROLES = new Map(
  BRIDGE_PROTOCOLS.map((protocol) => [protocol, new Set(linesOf(protocol).map(([, role]) => role!))]),
);

/** Protocol, chain, role, address, token, peer, family. Throws RangeError with the reason for a bad one. */
export function emitterOf(cells: readonly string[]): Emitter {
  const [protocol = '', chain = '', role = '', address = '', token = '', peer = '', family = ''] = cells;
  if (!isProtocol(protocol)) throw new RangeError(`protocol is not one of ${BRIDGE_PROTOCOLS.join(', ')}`);
  if (!isChain(chain)) throw new RangeError('chain is not supported');
  const roles = ROLES.get(protocol)!;
  if (!roles.has(role)) throw new RangeError(`role of ${protocol} is not one of ${[...roles]}`);
  if (peer !== '' && !isChain(peer)) throw new RangeError('peer is not a supported chain');
  if (peer === chain) throw new RangeError("peer is the contract's own chain");
  if (family !== '' && !FAMILY.test(family)) throw new RangeError('family is not a short name');
  return {
    protocol,
    chain,
    role,
    address: canonicalIn(chain, address, 'address'),
    ...(token !== '' && { token: token === 'coin' ? null : canonicalIn(chain, token, 'token') }),
    ...(isChain(peer) && { peer }),
    ...(family !== '' && { family }),
  };
}

function isProtocol(text: string): text is BridgeProtocol {
  return (BRIDGE_PROTOCOLS as string[]).includes(text);
}

function canonicalIn(chain: Chain, text: string, what: string): string {
  const found = canonicalAddress(chain, text);
  if (!found) throw new RangeError(`${what} is not an address of ${chain}`);
  if (isNullAddress(found.address)) throw new RangeError(`${what} is an address that nobody holds`);
  return found.address;
}

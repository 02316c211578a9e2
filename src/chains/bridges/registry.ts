import { canonicalAddress } from '../../domain/address/address.ts';
import { BRIDGE_PROTOCOLS, type BridgeProtocol } from '../../domain/bridges/message.ts';
import { type Chain, isChain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isNobody } from '../../domain/tracing/asset-id.ts';
import type { Emitter, Registry } from './decoding/facts.ts';

/** What a contract can be to its protocol. */
const ROLES: Partial<Record<BridgeProtocol, readonly string[]>> = {
  cctp_v1: ['token_messenger', 'message_transmitter'],
  cctp_v2: ['token_messenger', 'message_transmitter'],
  across: ['spoke_pool'],
  layerzero: ['endpoint', 'oft', 'token_messaging'],
  wormhole: ['core', 'token_bridge'],
  celer: ['pool'],
  debridge: ['source', 'destination'],
  optimism_native: ['messenger', 'bridge'],
  arbitrum_native: ['inbox', 'bridge', 'outbox', 'arbsys'],
  polygon_native: ['state_sender', 'state_receiver', 'child_manager'],
  hop: ['bridge', 'wrapper'],
  thorchain: ['router'],
};
const FAMILY = /^[\w:.-]{1,64}$/;

/** The given contracts by address and by role. */
export function registryOf(emitters: readonly Emitter[]): Registry {
  const byAddress = groupBy(emitters, ({ chain, address }) => `${chain}:${address}`);
  const byRole = groupBy(emitters, ({ protocol, chain, role }) => `${protocol}:${chain}:${role}`);
  return {
    at: (chain: Chain, address: string) => byAddress.get(`${chain}:${address}`) ?? [],
    of: (protocol: BridgeProtocol, chain: Chain, role: string) => byRole.get(`${protocol}:${chain}:${role}`) ?? [],
  };
}

/** The contracts of a table, one a line; lines that begin with `#` are comments. Throws RangeError for a bad line. */
export function emittersOf(table: string): Emitter[] {
  const lines = table.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => emitterOf(line.split(',').map((cell) => cell.trim())));
}

/** Protocol, chain, role, address, token, peer, family. Throws RangeError with the reason for a bad one. */
export function emitterOf(cells: readonly string[]): Emitter {
  const [protocol = '', chain = '', role = '', address = '', token = '', peer = '', family = ''] = cells;
  if (!isProtocol(protocol)) throw new RangeError(`protocol is not one of ${Object.keys(ROLES).join(', ')}`);
  if (!isChain(chain)) throw new RangeError('chain is not one of the twelve');
  if (!ROLES[protocol]?.includes(role)) throw new RangeError(`role of ${protocol} is not one of ${ROLES[protocol]}`);
  if (peer !== '' && !isChain(peer)) throw new RangeError('peer is not one of the twelve chains');
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
  return (BRIDGE_PROTOCOLS as readonly string[]).includes(text) && text in ROLES;
}

function canonicalIn(chain: Chain, text: string, what: string): string {
  const found = canonicalAddress(chain, text);
  if (!found) throw new RangeError(`${what} is not an address of ${chain}`);
  if (isNobody(found.address)) throw new RangeError(`${what} is an address that nobody holds`);
  return found.address;
}

import { chainName, isChain } from '../chain.ts';

/** Chains that are not served, by their EIP-155 ids, as their makers write them. */
const NAMES: Readonly<Record<string, string>> = {
  25: 'Cronos',
  100: 'Gnosis',
  130: 'Unichain',
  146: 'Sonic',
  169: 'Manta Pacific',
  204: 'opBNB',
  250: 'Fantom',
  324: 'ZKsync Era',
  480: 'World Chain',
  999: 'HyperEVM',
  1088: 'Metis',
  1101: 'Polygon zkEVM',
  1135: 'Lisk',
  1284: 'Moonbeam',
  1329: 'Sei',
  1868: 'Soneium',
  5000: 'Mantle',
  34443: 'Mode',
  42170: 'Arbitrum Nova',
  42220: 'Celo',
  57073: 'Ink',
  59144: 'Linea',
  80094: 'Berachain',
  81457: 'Blast',
  534352: 'Scroll',
  7777777: 'Zora',
  1313161554: 'Aurora',
};

/** Protocols that write a chain as its EIP-155 id; the same number means another chain to the others. */
const BY_EIP155: readonly string[] = [
  'across',
  'celer',
  'debridge',
  'optimism_native',
  'arbitrum_native',
  'polygon_native',
  'hop',
];

/** Returns the name of a chain to which a bridge leads, served or not; null where its number alone is known. */
export function farChainName(protocol: string, chain: string): string | null {
  if (isChain(chain)) return chainName(chain);
  return BY_EIP155.includes(protocol) ? (NAMES[chain] ?? null) : null;
}

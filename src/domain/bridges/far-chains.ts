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

/**
 * Chains by the numbers that deBridge writes (the lists of supported chains in its documentation and its API): most are its own, two
 * are EIP-155 ids.
 */
const OF_DEBRIDGE: Readonly<Record<string, string>> = {
  100000001: 'Neon',
  100000002: 'Gnosis',
  100000004: 'Metis',
  100000008: 'Zilliqa',
  100000009: 'Flow',
  100000013: 'Story',
  100000014: 'Sonic',
  100000015: 'Zircuit',
  100000017: 'Abstract',
  100000019: 'Cronos',
  100000020: 'Berachain',
  100000021: 'BOB',
  100000022: 'HyperEVM',
  100000023: 'Mantle',
  100000024: 'Plume',
  100000025: 'Sophon',
  100000027: 'Sei',
  100000028: 'Plasma',
  100000029: 'Injective',
  100000030: 'Monad',
  100000031: 'MegaETH',
  250: 'Fantom',
  59144: 'Linea',
};

/** Protocols that write a chain as its EIP-155 id; the same number means another chain to the others. */
const BY_EIP155: readonly string[] = ['across', 'celer', 'optimism_native', 'arbitrum_native', 'polygon_native', 'hop'];

/** Returns the name of a chain to which a bridge leads, served or not; null where its number alone is known. */
export function farChainName(protocol: string, chain: string): string | null {
  if (isChain(chain)) return chainName(chain);
  if (protocol === 'debridge') return OF_DEBRIDGE[chain] ?? null;
  return BY_EIP155.includes(protocol) ? (NAMES[chain] ?? null) : null;
}

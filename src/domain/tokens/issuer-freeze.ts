import { type Chain, isEvmChain } from '../chain.ts';
import { verifiedToken } from './token.ts';

// Issuers of stablecoins can stop an address from moving their token, and say so in its contract.

/** How the contract of a token says that an address is frozen. */
export interface FreezeTerms {
  /** The view that answers for one address, and its selector. */
  view: string;
  selector: string;
  /** First topics of the events that freeze an address. */
  events: readonly string[];
  /** True where the address is a topic of them; else it stands in their data. */
  isIndexed: boolean;
  /** The names of the same events. */
  names: readonly string[];
}

/** A token whose issuer keeps an address from moving it, as of now. */
export interface FrozenToken {
  token: string;
  /** Epoch ms; null where it is not known since when. */
  since: number | null;
}

/**
 * How a freeze counts as a label, whether a list or the chain states it: adverse, but only a report. Issuers freeze on request of
 * authorities and of who was robbed, and need no proof.
 */
export const FREEZE_REPORT = { category: 'scam', confidence: 60 } as const;
/** Families of sources that state freezes: issuers' contracts, or the ledger, as scans read them; lists. */
export const FREEZE_SOURCES = { stated: 'issuer', listed: 'freezes' } as const;

/** True for a source that states freezes, such as `issuer:USDT tron`. */
export function statesFreezes(source: string): boolean {
  return Object.values(FREEZE_SOURCES).some((family) => source.startsWith(`${family}:`));
}

const TETHER: FreezeTerms = {
  view: 'isBlackListed(address)',
  selector: '0xe47d6060',
  events: ['0x42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc'],
  isIndexed: false,
  names: ['AddedBlackList'],
};
/** Tether's contracts on the chains it came to later. */
const TETHER_2: FreezeTerms = {
  view: 'isBlocked(address)',
  selector: '0xfbac3951',
  events: ['0x406bbf2d8d145125adf1198d2cf8a67c66cc4bb0ab01c37dccd4f7c0aae1e7c7'],
  isIndexed: true,
  names: ['BlockPlaced'],
};
const CIRCLE: FreezeTerms = {
  view: 'isBlacklisted(address)',
  selector: '0xfe575a87',
  events: ['0xffa4e6181777692565cf28528fc88fd1516ea86b56da075235fa575af6a4b855'],
  isIndexed: true,
  names: ['Blacklisted'],
};
const PAXOS: FreezeTerms = {
  view: 'isFrozen(address)',
  selector: '0xe5839836',
  events: [
    '0x1aa660498c83ea285bc55e4cfc00afcaa7120798db87b74f3c0d7c6e001bc392',
    '0x90811a8edd3b3c17eeaefffc17f639cc69145d41a359c9843994dc2538203690',
  ],
  isIndexed: true,
  names: ['FreezeAddress', 'AddressFrozen'],
};

/** Terms by chain and symbol for the known tokens of a chain; an issuer cannot freeze bridged forms of its token. */
const TERMS: Partial<Record<Chain, Readonly<Record<string, FreezeTerms>>>> = {
  ethereum: { USDT: TETHER, USDC: CIRCLE, PYUSD: PAXOS, USDP: PAXOS, BUSD: PAXOS },
  polygon: { USDT: TETHER_2, USDC: CIRCLE },
  arbitrum: { USDT: TETHER_2, USDC: CIRCLE },
  avalanche: { USDT: TETHER_2, USDC: CIRCLE },
  kaia: { USDT: TETHER_2 },
  optimism: { USDC: CIRCLE },
  base: { USDC: CIRCLE },
  tron: { USDT: TETHER, USDC: CIRCLE },
};

const ISSUERS: Readonly<Record<string, string>> = {
  ...{ USDT: 'Tether', USDC: 'Circle', PYUSD: 'Paxos', USDP: 'Paxos', BUSD: 'Paxos', RLUSD: 'Ripple' },
};

/** Returns who issues a known token that its issuer can freeze; null for all others: anybody can issue a token and freeze it. */
export function freezingIssuer(chain: Chain, token: string): { issuer: string; symbol: string } | null {
  const { symbol } = verifiedToken(chain, token) ?? {};
  const issuer = symbol === undefined ? undefined : ISSUERS[symbol];
  return issuer === undefined || symbol === undefined ? null : { issuer, symbol };
}

/** Returns how a known token of a chain with contracts says whom its issuer froze; null where it does not. */
export function freezeTerms(chain: Chain, token: string): FreezeTerms | null {
  const isContract = isEvmChain(chain) || chain === 'tron';
  return (isContract && TERMS[chain]?.[verifiedToken(chain, token)?.symbol ?? '']) || null;
}

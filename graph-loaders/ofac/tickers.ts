import type { Chain } from '../../src/domain/chain.ts';

/**
 * Currency codes of the OFAC list, with the chain that the form of their addresses is expected to have: `several` for a
 * token of several chains, `other` for a chain beyond the twelve. OFAC adds codes without notice; one that is not here
 * is judged by the form of its addresses.
 */
export const OFAC_TICKERS: Readonly<Record<string, Chain | 'evm' | 'several' | 'other'>> = {
  XBT: 'bitcoin',
  BTC: 'bitcoin',
  ETH: 'evm',
  ARB: 'evm',
  BSC: 'evm',
  BNB: 'evm',
  MATIC: 'evm',
  POL: 'evm',
  AVAX: 'evm',
  OP: 'evm',
  KLAY: 'evm',
  KAIA: 'evm',
  SOL: 'solana',
  TRX: 'tron',
  XRP: 'xrp',
  USDT: 'several',
  USDC: 'several',
  DAI: 'several',
  BCH: 'other',
  BSV: 'other',
  BTG: 'other',
  DASH: 'other',
  DOGE: 'other',
  ETC: 'other',
  LTC: 'other',
  MIOTA: 'other',
  NEO: 'other',
  PTR: 'other',
  XMR: 'other',
  XVG: 'other',
  ZEC: 'other',
};

import type { Chain } from '../src/domain/chain.ts';

/**
 * Currency codes of the OFAC list whose addresses live on the twelve chains, with the chain their form is
 * expected to have; null where the code is a token of several chains. Codes that are absent are other chains.
 */
export const OFAC_TICKERS: Readonly<Record<string, Chain | 'evm' | null>> = {
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
  USDT: null,
  USDC: null,
  DAI: null,
};

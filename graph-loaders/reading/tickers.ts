import type { LabelChain } from '../../src/domain/chain.ts';

/**
 * Currency codes of the OFAC list with their chain; `several` for a token on several chains, `other` for an unsupported
 * chain that shares no keys with a supported one. Addresses under a code that is missing here are assigned by their form.
 */
export const OFAC_TICKERS: Readonly<Record<string, LabelChain | 'several' | 'other'>> = {
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
  BCH: 'bitcoin_cash',
  BSV: 'bitcoin_sv',
  BTG: 'other',
  DASH: 'other',
  DOGE: 'other',
  ETC: 'ethereum_classic',
  LTC: 'other',
  MIOTA: 'other',
  NEO: 'other',
  PTR: 'other',
  XMR: 'other',
  XVG: 'other',
  ZEC: 'other',
};

import type { Category } from '../../src/domain/label.ts';
import { wordTable } from '../reading/word-table.ts';

/**
 * GraphSense's concepts (INTERPOL's dark-web and virtual-asset taxonomy) to our categories. What a tag is
 * accused of counts before what it is; concepts that are absent are `other`. Fraud in all its forms is
 * `scam`.
 */
export const ABUSE_CATEGORIES = wordTable<Category>({
  sanction: 'sanctioned',
  terrorism: 'terrorism',
  dark_web: 'darknet',
  child_sexual_exploitation: 'child_abuse',
  csam: 'child_abuse',
  drugs: 'darknet',
  money_laundering: 'darknet',
  ransomware: 'ransomware',
  extortion: 'scam',
  sextortion: 'scam',
  scam: 'scam',
  fraud: 'scam',
  phishing: 'scam',
  ponzi_scheme: 'scam',
  pyramid_scheme: 'scam',
  investment_fraud: 'scam',
  social_engineering: 'scam',
  service_hack: 'theft',
  hack: 'theft',
  theft: 'theft',
  malware: 'scam',
  rug_pull: 'scam',
});

export const CONCEPT_CATEGORIES = wordTable<Category>({
  exchange: 'exchange',
  hosted_wallet: 'exchange',
  wallet_service: 'exchange',
  payment_processor: 'service',
  miner: 'service',
  mining_service: 'service',
  atm: 'exchange',
  broker: 'exchange',
  mixing_service: 'mixer',
  coinjoin: 'mixer',
  gambling: 'gambling',
  defi_dex: 'dex',
  defi_dex_aggregator: 'dex_router',
  defi_bridge: 'bridge',
  bridge: 'bridge',
});

/** Concepts whose meaning depends on the chain: a UTXO `market` sells on the dark web, an EVM one sells NFTs. */
export const UTXO_CONCEPT_CATEGORIES = wordTable<Category>({ market: 'darknet' });

/** How sure a pack is of its tags, 0-100 (GraphSense's confidence taxonomy). */
export const CONFIDENCES = wordTable<number>({
  ownership: 100,
  authority_data: 100,
  ledger_immanent: 100,
  manual_transaction: 100,
  override: 100,
  forensic: 80,
  trusted_provider: 80,
  service_api: 70,
  service_data: 70,
  forensic_investigation: 70,
  untrusted_transaction: 40,
  web_crawl: 40,
  heuristic: 20,
  unknown: 5,
});
export const CONFIDENCE_UNSTATED = 50;

/** Currency and network names of the packs to the chains on which the tag can stand; absent: another chain. */
export const TAGPACK_CHAINS = wordTable<string>({
  BTC: 'bitcoin',
  XBT: 'bitcoin',
  ETH: 'ethereum',
  TRX: 'tron',
  XRP: 'xrp',
  RIPPLE: 'xrp',
  SOL: 'solana',
  BSC: 'bsc',
  BNB: 'bsc',
  BEP20: 'bsc',
  MATIC: 'polygon',
  POL: 'polygon',
  AVAX: 'avalanche',
  AVAXC: 'avalanche',
  ARB: 'arbitrum',
  ARBITRUM: 'arbitrum',
  OP: 'optimism',
  OPTIMISM: 'optimism',
  BASE: 'base',
  KLAY: 'kaia',
  KAIA: 'kaia',
  ERC20: 'ethereum',
  TRC20: 'tron',
  // Tokens of several chains: the address's form decides.
  USDT: '',
  USDC: '',
  OMNI: '',
});

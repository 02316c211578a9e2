import { CHAINS, type Chain, caip2, EVM_CHAIN_IDS } from '../../src/domain/chain.ts';
import { wordTable } from './word-table.ts';

/** Names that exports give to chains, besides ours: of coins, token standards, CAIP-2 and numbers of EVM chains. */
const NAMES = wordTable<Chain>({
  ...Object.fromEntries(CHAINS.flatMap((chain) => [chain, caip2(chain).toLowerCase()].map((name) => [name, chain]))),
  ...Object.fromEntries(Object.entries(EVM_CHAIN_IDS).map(([chain, id]) => [String(id), chain as Chain])),
  ...{ btc: 'bitcoin', xbt: 'bitcoin', eth: 'ethereum', mainnet: 'ethereum', erc20: 'ethereum' },
  ...{ trx: 'tron', trc20: 'tron', sol: 'solana', spl: 'solana', ripple: 'xrp', xrpl: 'xrp', xrpledger: 'xrp' },
  ...{ bnb: 'bsc', bep20: 'bsc', binance: 'bsc', bnbchain: 'bsc', binancesmartchain: 'bsc', bnbsmartchain: 'bsc' },
  ...{ matic: 'polygon', pol: 'polygon', polygonpos: 'polygon', avax: 'avalanche', avalanchec: 'avalanche' },
  ...{ op: 'optimism', opmainnet: 'optimism', arb: 'arbitrum', arbitrumone: 'arbitrum', klaytn: 'kaia', klay: 'kaia' },
});

/** The chain of a name as exports write it, such as `BEP-20`, `avalanche_c` or `eip155:137`; null for another word. */
export function chainNamed(text: string): Chain | null {
  const name = text.trim().toLowerCase();
  return NAMES[name] ?? NAMES[name.replace(/[\s_-]/g, '')] ?? null;
}

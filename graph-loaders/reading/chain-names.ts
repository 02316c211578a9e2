import { CHAINS, type Chain, caip2, EVM_CHAIN_IDS } from '../../src/domain/chain.ts';
import { CHAIN_RECORDS } from '../../src/domain/chains.ts';
import { wordTable } from './word-table.ts';

/** Names that exports give to chains, besides ours: of coins, token standards, CAIP-2 and numbers of EVM chains. */
const NAMES = wordTable<Chain>({
  ...Object.fromEntries(CHAINS.flatMap((chain) => [chain, caip2(chain).toLowerCase()].map((name) => [name, chain]))),
  ...Object.fromEntries(Object.entries(EVM_CHAIN_IDS).map(([chain, id]) => [String(id), chain as Chain])),
  ...Object.fromEntries(CHAINS.flatMap((chain) => otherNames(chain).map((name) => [name, chain]))),
});

function otherNames(chain: Chain): string[] {
  return CHAIN_RECORDS[chain].otherNames.split(' ').filter(Boolean);
}

/** The chain of a name as exports write it, such as `BEP-20`, `avalanche_c` or `eip155:137`; null for another word. */
export function chainNamed(text: string): Chain | null {
  const name = text.trim().toLowerCase();
  return NAMES[name] ?? NAMES[name.replace(/[\s_-]/g, '')] ?? null;
}

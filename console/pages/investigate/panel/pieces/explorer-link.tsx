import type { Chain } from '../../../../../src/domain/chain.ts';
import { words } from '../../../../browser/words.ts';

/** Public explorers: the beginning of a transaction's page. The page asks them nothing; the reader follows the link. */
const EXPLORERS: Record<Chain, string> = {
  bitcoin: 'https://mempool.space/tx/',
  ethereum: 'https://etherscan.io/tx/',
  polygon: 'https://polygonscan.com/tx/',
  bsc: 'https://bscscan.com/tx/',
  base: 'https://basescan.org/tx/',
  arbitrum: 'https://arbiscan.io/tx/',
  optimism: 'https://optimistic.etherscan.io/tx/',
  avalanche: 'https://snowtrace.io/tx/',
  kaia: 'https://kaiascan.io/tx/',
  solana: 'https://solscan.io/tx/',
  tron: 'https://tronscan.org/#/transaction/',
  xrp: 'https://xrpscan.com/tx/',
};

function explorerUrl(chain: Chain, hash: string): string {
  return `${EXPLORERS[chain]}${encodeURIComponent(hash)}`;
}

/** Leads to a transaction in a public explorer, in a tab of its own. */
export function ExplorerLink({ chain, hash }: { chain: Chain; hash: string }) {
  const label = words().canvas.explorer;
  return (
    <a
      href={explorerUrl(chain, hash)}
      target="_blank"
      rel="noopener noreferrer"
      title={label}
      aria-label={`${label}: ${hash}`}
    >
      ↗
    </a>
  );
}

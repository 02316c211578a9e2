import { type Chain, explorerLink } from '../../src/domain/chain.ts';
import { words } from '../browser/words.ts';

/** Leads to a transaction in a public explorer, in a tab of its own. The page asks it nothing; the reader follows the link. */
export function ExplorerLink({ chain, hash }: { chain: Chain; hash: string }) {
  const label = words().canvas.explorer;
  return (
    <a
      href={explorerLink(chain, 'tx', hash) ?? undefined}
      target="_blank"
      rel="noopener noreferrer"
      title={label}
      aria-label={`${label}: ${hash}`}
    >
      ↗
    </a>
  );
}

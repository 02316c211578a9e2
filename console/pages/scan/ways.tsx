import { chainName } from '../../../src/domain/chain.ts';
import type { LabelEvidence, Way } from '../../../src/risk/detection.ts';
import { dollars } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';

interface WaysProps {
  /** The chain of the scan. */
  chain: string;
  ways: Way[];
  labels: LabelEvidence[];
}

/** The paths to the parties behind unlabelled addresses, each with every transfer from the scanned address outwards. */
export function Ways({ chain, ways, labels }: WaysProps) {
  const texts = words().scan;
  if (ways.length === 0) return null;
  return (
    <>
      <h4>{texts.ways}</h4>
      <ul class="ways">
        {ways.map((way) => {
          const label = labels.find(({ address }) => address === way.address);
          return (
            <li key={`${way.chain} ${way.address}`}>
              <AddressText chain={way.chain ?? chain} address={way.address} /> {label?.label}{' '}
              {label && <CategoryBadge category={label.category} />}{' '}
              <span class="muted">
                {chainName(way.chain ?? chain)} · {texts.hops(way.hops)} · {dollars(way.usd)}
              </span>
              <ol>
                {way.path.map((transfer) => (
                  <li key={transfer}>
                    <CopyText text={transfer} whole />
                  </li>
                ))}
              </ol>
            </li>
          );
        })}
      </ul>
    </>
  );
}

import { chainName } from '../../../../../src/domain/chain.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../../parts/category-badge.tsx';
import type { Exposures, Terminals } from '../../../../service/tracing-answers.ts';

interface PartyTextProps {
  /** The chain of the investigation. */
  chain: string;
  party: Pick<
    Exposures['direct'][number]['top'][number] | Terminals['terminals'][number],
    'chain' | 'address' | 'label'
  >;
  category: Exposures['direct'][number]['category'];
}

/** A labelled party in a narrow column: its label, category and address, and its chain where money crossed a bridge. */
export function PartyText({ chain, party, category }: PartyTextProps) {
  return (
    <>
      {party.label} <CategoryBadge category={category} />
      <br />
      <AddressText chain={party.chain} address={party.address} />
      {party.chain !== chain && <span class="muted"> {chainName(party.chain)}</span>}
    </>
  );
}

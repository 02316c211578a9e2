import { bracketed, words } from '../../../browser/words.ts';
import { EmptyNote } from '../../../parts/notes.tsx';
import { Pager } from '../../../parts/pager.tsx';
import type { CaseAddresses as AddressPage } from '../../../service/answers.ts';
import { AddressForm } from './address-form.tsx';
import { AddressListForm } from './address-list-form.tsx';
import { CaseAddressItem } from './case-address-item.tsx';

interface CaseAddressesProps {
  caseId: string;
  page: AddressPage;
  onOffset: (offset: number) => void;
  onChanged: () => void;
}

/** One page of the addresses, newest first. */
export function CaseAddressSection({ caseId, page, onOffset, onChanged }: CaseAddressesProps) {
  const { addresses, dispositions, total } = page;
  const texts = words().cases;
  return (
    <section class="card" aria-labelledby="case-addresses">
      <h2 id="case-addresses">{bracketed(texts.addresses, total)}</h2>
      {total === 0 && <EmptyNote text={texts.noAddresses} />}
      <details class="add" open={total === 0}>
        <summary>{texts.addAddress}</summary>
        <AddressForm caseId={caseId} onAdded={onChanged} />
      </details>
      <details class="add">
        <summary>{texts.list.title}</summary>
        <AddressListForm caseId={caseId} onAdded={onChanged} />
      </details>
      {addresses.map((address) => (
        <CaseAddressItem
          key={address.id}
          address={address}
          dispositions={dispositions.filter(({ address_id }) => address_id === address.id)}
          onChanged={onChanged}
        />
      ))}
      <Pager page={page} onOffset={onOffset} />
    </section>
  );
}

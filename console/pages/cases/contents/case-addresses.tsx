import { EmptyNote } from '../../../parts/notes.tsx';
import type { CaseAddress, CaseDisposition } from '../../../service/answers.ts';
import { caseTexts } from '../../../texts/cases.ts';
import { bracketed } from '../../../texts/formats.ts';
import { AddressForm } from './address-form.tsx';
import { CaseAddressItem } from './case-address-item.tsx';

interface CaseAddressesProps {
  caseId: string;
  addresses: CaseAddress[];
  dispositions: CaseDisposition[];
  onChanged: () => void;
}

export function CaseAddresses({ caseId, addresses, dispositions, onChanged }: CaseAddressesProps) {
  const texts = caseTexts();
  return (
    <section class="card" aria-labelledby="case-addresses">
      <h2 id="case-addresses">{bracketed(texts.addresses, addresses.length)}</h2>
      {addresses.length === 0 && <EmptyNote text={texts.noAddresses} />}
      {addresses.map((address) => (
        <CaseAddressItem
          key={address.id}
          address={address}
          dispositions={dispositions.filter(({ address_id }) => address_id === address.id)}
          onChanged={onChanged}
        />
      ))}
      <details class="add" open={addresses.length === 0}>
        <summary>{texts.addAddress}</summary>
        <AddressForm caseId={caseId} onAdded={onChanged} />
      </details>
    </section>
  );
}

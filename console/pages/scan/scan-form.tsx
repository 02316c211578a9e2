import { useState } from 'preact/hooks';
import { ChainSelect } from '../../parts/chain-select.tsx';
import { Field } from '../../parts/field.tsx';
import { scanTexts } from '../../texts/scan.ts';

interface ScanFormProps {
  chain: string;
  address: string;
  onScan: (wanted: { chain: string; address: string }) => void;
}

export function ScanForm({ chain: firstChain, address: firstAddress, onScan }: ScanFormProps) {
  const texts = scanTexts();
  const [chain, setChain] = useState(firstChain);
  const [address, setAddress] = useState(firstAddress);
  return (
    <form
      class="card row"
      onSubmit={(event) => {
        event.preventDefault();
        onScan({ chain, address: address.trim() });
      }}
    >
      <div class="grow">
        <Field label={texts.address}>
          <input
            required
            spellcheck={false}
            autocomplete="off"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </Field>
      </div>
      <Field label={texts.chain}>
        <ChainSelect value={chain} none={texts.detect} onChange={setChain} />
      </Field>
      <button type="submit" class="primary">
        {texts.scan}
      </button>
    </form>
  );
}

import { AddressFields } from './address-fields.tsx';
import { given } from './form.tsx';

interface StartFormProps {
  chain: string;
  address: string;
  chainRequired?: boolean;
  /** Text of the button. */
  submit: string;
  /** Receives an empty chain where it is to be detected. */
  onStart: (wanted: { chain: string; address: string }) => void;
}

/** The address that a page begins with. */
export function StartForm({ chain, address, chainRequired, submit, onStart }: StartFormProps) {
  const start = (event: Event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    onStart({ chain: given(fields, 'chain') ?? '', address: given(fields, 'address') ?? '' });
  };
  return (
    <form class="card row start" onSubmit={start}>
      <AddressFields chain={chain} address={address} chainRequired={chainRequired} />
      <button type="submit" class="primary">
        {submit}
      </button>
    </form>
  );
}

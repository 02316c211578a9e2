import { CHAINS, chainName } from '../../../src/domain/chain.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../field.tsx';
import { ChoiceSelect } from './choice-select.tsx';

interface AddressFieldsProps {
  /** First value of the field. */
  address?: string;
  chain?: string;
  /** Without it, no chain means: detect it from the address. */
  chainRequired?: boolean;
}

export const CHAIN_CHOICES = Object.fromEntries(CHAINS.map((chain) => [chain, chainName(chain)]));

/** The fields `address` and `chain` of a form. */
export function AddressFields({ address, chain, chainRequired = false }: AddressFieldsProps) {
  const texts = words().parts;
  return (
    <>
      <Field label={texts.address}>
        <input name="address" required spellcheck={false} autocomplete="off" defaultValue={address} />
      </Field>
      <Field label={texts.chain}>
        <ChoiceSelect
          name="chain"
          required={chainRequired}
          none={chainRequired ? texts.chooseChain : texts.detect}
          choices={CHAIN_CHOICES}
          initial={chain}
        />
      </Field>
    </>
  );
}

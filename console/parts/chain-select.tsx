import { CHAINS } from '../../src/domain/chain.ts';

interface ChainSelectProps {
  id?: string;
  value: string;
  /** The first choice, for no chain. */
  none: string;
  onChange: (chain: string) => void;
}

export function ChainSelect({ id, value, none, onChange }: ChainSelectProps) {
  return (
    <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{none}</option>
      {CHAINS.map((chain) => (
        <option key={chain} value={chain}>
          {chain}
        </option>
      ))}
    </select>
  );
}

import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { Field } from '../field.tsx';

interface DeleteByNameProps {
  label: string;
  /** The name that has to be typed. */
  name: string;
  disabled?: boolean;
  onDelete: () => void;
}

/** Deletes what cannot be brought back, once its name is typed. */
export function DeleteByName({ label, name, disabled, onDelete }: DeleteByNameProps) {
  const [typed, setTyped] = useState('');
  return (
    <details>
      <summary>{label}</summary>
      <Field label={words().parts.typeName(name)}>
        <input value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      </Field>
      <button
        type="button"
        class="danger"
        disabled={disabled || typed.trim() !== name.trim()}
        aria-label={`${label}: ${name}`}
        onClick={onDelete}
      >
        {label}
      </button>
    </details>
  );
}

interface CheckboxProps {
  name: string;
  value?: string;
  label: string;
  hint?: string;
  checked?: boolean;
}

/** A box of a form with its label beside it. */
export function Checkbox({ name, value = 'on', label, hint, checked = false }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} />
      <span>
        {label} {hint && <small class="hint">{hint}</small>}
      </span>
    </label>
  );
}

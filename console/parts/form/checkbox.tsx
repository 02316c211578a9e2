interface CheckboxProps {
  name: string;
  value?: string;
  label: string;
  hint?: string;
  checked?: boolean;
}

/** A labelled checkbox of a form. */
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

interface InForm {
  name: string;
  value?: string;
  label: string;
  hint?: string;
  checked?: boolean;
}

interface Controlled {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A labelled checkbox: a field of a form by `name`, or controlled by `checked` and `onChange`. */
export function Checkbox(props: InForm | Controlled) {
  if ('onChange' in props) {
    const { label, checked, onChange } = props;
    return (
      <label class="checkbox">
        <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span>{label}</span>
      </label>
    );
  }
  const { name, value = 'on', label, hint, checked = false } = props;
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} />
      <span>
        {label} {hint && <small class="hint">{hint}</small>}
      </span>
    </label>
  );
}

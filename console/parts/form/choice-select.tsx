interface ChoiceSelectProps {
  id?: string;
  'aria-label'?: string;
  /** Values with the texts that stand for them. */
  choices: Record<string, string>;
  /** A first choice for no value. */
  none?: string;
  disabled?: boolean;
}

interface InForm {
  name: string;
  required?: boolean;
  initial?: string;
}

interface Controlled {
  value: string;
  onChange: (value: string) => void;
}

/** A select: a field of a form by `name`, or controlled by `value` and `onChange`. */
export function ChoiceSelect(props: ChoiceSelectProps & (InForm | Controlled)) {
  const { choices, none, ...rest } = props;
  const options = none === undefined ? Object.entries(choices) : [['', none], ...Object.entries(choices)];
  if ('value' in rest) {
    const { onChange, ...select } = rest;
    return (
      <select {...select} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    );
  }
  const { initial, ...select } = rest;
  return (
    <select {...select}>
      {options.map(([value, text]) => (
        <option key={value} value={value} ref={value === initial ? asDefault : undefined}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A reset of the form returns to the option that has the attribute, which Preact does not set. */
function asDefault(option: HTMLOptionElement | null) {
  option?.setAttribute('selected', '');
  return () => option?.removeAttribute('selected');
}

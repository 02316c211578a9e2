import { type ComponentChildren, cloneElement, toChildArray, type VNode } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  hint?: string;
  /** One input, select or textarea. */
  children: ComponentChildren;
}

/** An input under its label. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const [input] = toChildArray(children) as VNode<{ id?: string; 'aria-describedby'?: string }>[];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {input && cloneElement(input, hint ? { id, 'aria-describedby': `${id}-hint` } : { id })}
      {hint && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  );
}

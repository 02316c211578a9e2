import type { ComponentChildren } from 'preact';
import { useAction } from '../../service/use-action.ts';
import { ErrorNote } from '../notes.tsx';

interface FormProps {
  /** Names the form for screen readers. */
  label: string;
  /** Text of the button. */
  submit: string;
  /** Leaves what was typed when the call succeeds: a question is often asked again with a change. */
  keeps?: boolean;
  /** Set while what it needs is not there yet. */
  disabled?: boolean;
  /** Fields with a `name`. They keep what was typed when the call fails, and are emptied when it succeeds. */
  children: ComponentChildren;
  onSubmit: (fields: FormData) => Promise<unknown>;
}

export function Form({ label, submit, keeps = false, disabled = false, children, onSubmit }: FormProps) {
  const { run, busy, error } = useAction(onSubmit);
  const send = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const isDone = await run(new FormData(form));
    if (isDone && !keeps) form.reset();
  };
  return (
    <form aria-label={label} onSubmit={send}>
      {children}
      <ErrorNote error={error} />
      <button type="submit" class="primary" disabled={busy || disabled}>
        {submit}
      </button>
    </form>
  );
}

/** Returns what was typed, without blanks around it; undefined where nothing was. */
export function given(fields: FormData, name: string): string | undefined {
  return String(fields.get(name) ?? '').trim() || undefined;
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Holds what is made, and asked for, only once it is opened. */
export function OnDemand({ summary, content }: { summary: string; content: () => ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && content()}
    </details>
  );
}

import { words } from '../browser/words.ts';

/** A refusal or failure in its own words, read out by screen readers. */
export function ErrorNote({ error }: { error: Error | string | null | undefined }) {
  if (!error) return null;
  return (
    <p class="note error" role="alert">
      {typeof error === 'string' ? error : error.message}
    </p>
  );
}

export function Loading({ text }: { text?: string }) {
  return (
    <p class="note loading" role="status">
      <span class="spinner" aria-hidden="true" /> {text ?? words().parts.loading}
    </p>
  );
}

export function EmptyNote({ text }: { text: string }) {
  return <p class="note">{text}</p>;
}

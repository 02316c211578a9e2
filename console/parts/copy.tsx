import { useState } from 'preact/hooks';
import { words } from '../browser/words.ts';

/** Copies a text of several lines. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const { copied, copy } = useCopy(text);
  return (
    <button type="button" onClick={copy}>
      {copied ? words().parts.copied : label}
    </button>
  );
}

const SHOWN_MS = 1_500;

/** Copies a text; `copied` is true for a moment after it. */
export function useCopy(text: () => string): { copied: boolean; copy: () => Promise<void> } {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return { copied, copy };
}

/** Copies the statements by which an answer was found, for Neo4j Browser. */
export function CopyCypher({ text }: { text: string | undefined }) {
  return text === undefined ? null : <CopyButton label={words().parts.copyCypher} text={() => text} />;
}

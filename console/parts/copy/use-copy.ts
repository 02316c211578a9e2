import { useState } from 'preact/hooks';

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

import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';

/** Copies a text of several lines. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" onClick={copy}>
      {copied ? words().parts.copied : label}
    </button>
  );
}

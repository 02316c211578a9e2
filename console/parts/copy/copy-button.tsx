import { words } from '../../browser/words.ts';
import { useCopy } from './use-copy.ts';

/** Copies a text of several lines. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const { copied, copy } = useCopy(text);
  return (
    <button type="button" onClick={copy}>
      {copied ? words().parts.copied : label}
    </button>
  );
}

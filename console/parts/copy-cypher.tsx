import { useState } from 'preact/hooks';
import { words } from '../browser/words.ts';

/** Copies the statements by which an answer was found, for Neo4j Browser. */
export function CopyCypher({ text }: { text: string | undefined }) {
  const [copied, setCopied] = useState<string | null>(null);
  const texts = words().parts;
  if (text === undefined) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <button type="button" onClick={copy}>
      {copied === text ? texts.copied : texts.copyCypher}
    </button>
  );
}

import { useState } from 'preact/hooks';
import { words } from '../browser/words.ts';

interface SecretOnceProps {
  title: string;
  /** Instruction beside the secret. */
  text: string;
  secret: string;
  onDone: () => void;
}

/** A secret in full, until the reader has stored it: the service does not show it a second time. */
export function SecretOnce({ title, text, secret, onDone }: SecretOnceProps) {
  const texts = words().parts;
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <section class="card secret" role="status" aria-label={title}>
      <h2>{title}</h2>
      <p>{text}</p>
      <p>
        <code class="secret-value">{secret}</code>
      </p>
      <div class="row">
        <button type="button" class="primary" onClick={copy}>
          {copied ? texts.copied : texts.copy}
        </button>
        <button type="button" onClick={onDone}>
          {texts.stored}
        </button>
      </div>
    </section>
  );
}

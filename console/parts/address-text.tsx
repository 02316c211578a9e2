import { linkTo } from '../browser/route.ts';
import { shortened } from '../browser/shortened.ts';
import { words } from '../browser/words.ts';
import { useCopy } from './copy.tsx';

interface CopyTextProps {
  text: string;
  link?: string;
  /** Shows the text in full, over several lines where it needs them. */
  whole?: boolean;
}

/** An address or hash, shortened unless `whole`, with a button that copies all of it. */
export function CopyText({ text, link, whole = false }: CopyTextProps) {
  const { copied, copy } = useCopy(() => text);
  const texts = words().parts;
  const shown = whole ? text : shortened(text);
  return (
    <span class={whole ? 'copy-text whole' : 'copy-text'}>
      {link ? (
        <a href={link} title={text}>
          <code>{shown}</code>
        </a>
      ) : (
        <code title={text}>{shown}</code>
      )}
      <button type="button" class="icon" onClick={copy} aria-label={`${texts.copy} ${text}`} title={texts.copy}>
        <CopyIcon done={copied} />
      </button>
    </span>
  );
}

/** An address that leads to what is known of it, which costs nothing. */
export function AddressText({ chain, address }: { chain: string; address: string }) {
  return <CopyText text={address} link={linkTo('address', [chain, address])} />;
}

function CopyIcon({ done }: { done: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={done ? 'M3 8.5l3.5 3.5L13 5' : 'M6 5.5h7.5V14H6zM3.5 10.5H2.5V2H10v1.5'} />
    </svg>
  );
}

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** For a navigation that scrolls sideways on a phone: brings the link of the shown page, named by anything, into view. */
export function useShownLink(shown: string | undefined): RefObject<HTMLElement | null> {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);
  return nav;
}

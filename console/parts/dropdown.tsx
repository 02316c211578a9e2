import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DropdownProps {
  label: ComponentChildren;
  /** It leads to the page that is shown. */
  shown?: boolean;
  children: ComponentChildren;
}

/** A button that opens a small sheet below it; Escape, a click or the focus elsewhere and a link in it close it. */
export function Dropdown({ label, shown = false, children }: DropdownProps) {
  const frame = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const details = frame.current;
      if (!details?.open) return;
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (event instanceof KeyboardEvent ? !isEscape : isWithin(details, event)) return;
      details.open = false;
      if (isEscape) details.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', close);
    addEventListener('click', close);
    addEventListener('keydown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('click', close);
      removeEventListener('keydown', close);
      removeEventListener('focusin', close);
    };
  }, []);
  return (
    <details ref={frame} class="dropdown">
      <summary aria-current={shown ? 'page' : undefined}>{label}</summary>
      <div class="dropdown-sheet">{children}</div>
    </details>
  );
}

/** True for what is done inside the sheet, but for a link that was followed. */
function isWithin(details: HTMLElement, { type, target }: Event): boolean {
  const element = target as Element;
  return details.contains(element) && !(type === 'click' && element.closest('a'));
}

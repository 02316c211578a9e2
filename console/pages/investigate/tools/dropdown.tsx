import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A button that opens a small sheet below it; Escape and a click elsewhere close it. */
export function Dropdown({ label, children }: { label: string; children: ComponentChildren }) {
  const frame = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const details = frame.current;
      if (!details?.open) return;
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (!isEscape && (event instanceof KeyboardEvent || details.contains(event.target as Node))) return;
      details.open = false;
      if (isEscape) details.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details ref={frame} class="dropdown">
      <summary>{label}</summary>
      <div class="dropdown-sheet">{children}</div>
    </details>
  );
}

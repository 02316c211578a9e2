import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import type { CanvasAction } from '../../canvas-session/actions.ts';
import type { Point } from '../../scene/edits.ts';

interface MenuProps {
  at: Point;
  actions: readonly CanvasAction[];
  onClose: () => void;
}

/** The actions on what is chosen, at the pointer; by keyboard with arrows, Enter and Escape. */
export function Menu({ at, actions, onClose }: MenuProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(at);
  // Within the canvas, however near its edge the pointer is.
  useLayoutEffect(() => {
    const [own, around] = [frame.current, frame.current?.parentElement];
    if (!own || !around) return;
    setPlace({
      x: Math.max(0, Math.min(at.x, around.clientWidth - own.offsetWidth)),
      y: Math.max(0, Math.min(at.y, around.clientHeight - own.offsetHeight)),
    });
  }, [at]);
  useEffect(() => {
    frame.current?.querySelector('button')?.focus();
    const onPointer = (event: Event) => {
      if (!frame.current?.contains(event.target as Node)) onClose();
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, []);
  const leave = () => {
    onClose();
    document.querySelector<HTMLElement>('.graph-canvas')?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') leave();
    else if (step === undefined) return;
    const items = [...(frame.current?.querySelectorAll('button') ?? [])];
    const now = items.indexOf(document.activeElement as HTMLButtonElement);
    items[(now + (step ?? 0) + items.length) % items.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={frame}
      class="menu"
      role="menu"
      tabIndex={-1}
      aria-label={words().canvas.menu}
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
      onKeyDown={onKey}
    >
      {actions.map(({ id, key, run }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          onClick={() => {
            leave();
            run();
          }}
        >
          <span>{words().canvas.actions[id]}</span> <kbd>{key}</kbd>
        </button>
      ))}
    </div>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { CHOSEN_KEYS, pictureActions, type Stagehand } from '../../desk/actions.ts';
import type { Desk } from '../../desk/desk.ts';

/** All keys of the canvas. */
export function Shortcuts({ desk, hand, onClose }: { desk: Desk; hand: Stagehand; onClose: () => void }) {
  const texts = words().canvas;
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => frame.current?.showModal(), []);
  const keys = [
    ...Object.entries(CHOSEN_KEYS).map(([id, key]) => ({ id: id as keyof typeof CHOSEN_KEYS, key })),
    ...pictureActions(desk, hand),
  ];
  return (
    <dialog ref={frame} class="shortcuts" aria-labelledby="shortcuts" onClose={onClose}>
      <h2 id="shortcuts">{texts.shortcuts}</h2>
      <dl class="facts">
        {keys.map(({ id, key }) => [
          <dt key={`${id} key`}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={id}>{texts.actions[id]}</dd>,
        ])}
        <dt>
          <kbd>← ↑ → ↓</kbd>
        </dt>
        <dd>{texts.walk}</dd>
        <dt>
          <kbd>Shift+F10</kbd>
        </dt>
        <dd>{texts.menu}</dd>
      </dl>
      <button type="button" class="primary" onClick={() => frame.current?.close()}>
        {texts.close}
      </button>
    </dialog>
  );
}

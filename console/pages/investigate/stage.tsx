import type { Core } from 'cytoscape';
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { Canvas } from '../../canvas/canvas.tsx';
import { actionOf, actionsOf } from '../../desk/actions.ts';
import type { Desk } from '../../desk/desk.ts';
import { warmLayout } from '../../desk/layout-client.ts';
import type { Saving } from '../../desk/saving.ts';
import { drawPasted } from '../../desk/search.ts';
import { walk } from '../../desk/walk.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import type { Point } from '../../scene/edits.ts';
import { Beginning } from './beginning.tsx';
import { EndPointer } from './end-pointer.tsx';
import { LaneNames } from './lane-names.tsx';
import { Legend } from './legend.tsx';
import { Lists } from './lists.tsx';
import { Menu } from './menu.tsx';
import { Minimap } from './minimap.tsx';
import { Panel } from './panel/panel.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { bringIntoSight, isTyping, isUnseen, lookAt, lookAtWay, placeOfChoice, stagehandOf } from './stagehand.ts';
import { Timeline } from './timeline.tsx';
import { Conflict } from './tools/conflict.tsx';
import { Toolbar } from './tools/toolbar.tsx';

/** Where all keys of the canvas act. Its buttons keep the focus once they were pressed. */
const KEYS_AT = 'body, main, .graph-canvas, .toolbar > button, .minimap button';

/** Shows the canvas at full size: search and tools above, one panel at the side, timeline and tables below. */
export function CanvasStage({ desk, saving }: { desk: Desk; saving: Saving }) {
  const texts = words().canvas;
  const canvas = useRef<Core | null>(null);
  const [menu, setMenu] = useState<Point | null>(null);
  const [helps, setHelps] = useState(false);
  const [sheet, setSheet] = useState(false);
  const hand = stagehandOf(
    canvas,
    () => setHelps(true),
    () => setSheet(true),
  );
  const actions = actionsOf(desk, hand);
  const { nodes, edges } = desk.shown.value;

  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      setMenu(placeOfChoice(canvas.current, desk));
      return;
    }
    const action = actionOf(event, actions);
    if (!action && !walk(desk, event.key)) return;
    event.preventDefault();
    action?.run();
  };
  const onKeyNow = useRef(onKey);
  onKeyNow.current = onKey;
  useEffect(() => {
    // On the canvas, at its buttons, or where nothing has the focus, every key; search, undo and redo from everywhere but a field.
    const onPageKey = (event: KeyboardEvent) => {
      const isField = isTyping(event.target);
      const isSearch = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (isSearch) hand.search();
      else if (isField || event.defaultPrevented) return;
      else if ((event.target as Element).matches(KEYS_AT)) return onKeyNow.current(event);
      else if (event.key === '/') hand.search();
      else if (event.key === '?') hand.help();
      else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey))
        event.shiftKey ? desk.redo() : desk.undo();
      else return;
      event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      void desk.run((signal) => drawPasted(desk, text, signal));
    };
    addEventListener('keydown', onPageKey);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('keydown', onPageKey);
      removeEventListener('paste', onPaste);
    };
  }, [desk]);
  useEffect(() => warmLayout(edges.length), [edges.length]);
  useEffect(() => {
    // A saved board is looked at as it was when it was saved.
    if (desk.fits.value === 0 && !isUnseen(desk)) return;
    // Large pictures are drawn over several frames.
    const timer = setTimeout(() => lookAt(canvas.current, desk, hand), 60);
    return () => clearTimeout(timer);
  }, [desk.fits.value]);
  useEffect(() => {
    if (desk.way.value) lookAtWay(canvas.current, desk.way.value);
  }, [desk.way.value]);
  useEffect(() => {
    if (desk.chosen.value.size > 0) setSheet(true);
    bringIntoSight(canvas.current, desk.chosen.value);
  }, [desk.chosen.value]);

  return (
    <div class="stage">
      <Toolbar desk={desk} saving={saving} actions={actions} />
      <Conflict saving={saving} />
      <div class="stage-middle">
        <div class="stage-canvas">
          <div class="stage-picture">
            <Canvas
              desk={desk}
              label={texts.canvas(nodes.length, edges.length)}
              onMenu={setMenu}
              onReady={(core) => {
                canvas.current = core;
              }}
            />
            {nodes.length === 0 && <Beginning />}
            <LaneNames desk={desk} canvas={canvas.current} />
            <EndPointer desk={desk} canvas={canvas.current} />
            {menu && <Menu at={menu} actions={actions} onClose={() => setMenu(null)} />}
            {nodes.length > 0 && <Minimap desk={desk} canvas={canvas.current} actions={actions} />}
          </div>
          <Legend desk={desk} />
          <Timeline desk={desk} />
        </div>
        <aside class="stage-panel" data-open={sheet} aria-label={texts.panel}>
          <button type="button" class="sheet-handle" aria-expanded={sheet} onClick={() => setSheet(!sheet)}>
            {sheet ? texts.closePanel : texts.openPanel}
          </button>
          <ErrorNote error={desk.error.value} />
          <p role="status" class="muted">
            {desk.busy.value ? words().investigate.working : desk.notice.value}
          </p>
          <Panel desk={desk} />
        </aside>
      </div>
      {nodes.length > 0 && <Lists desk={desk} />}
      {helps && <Shortcuts desk={desk} hand={hand} onClose={() => setHelps(false)} />}
    </div>
  );
}

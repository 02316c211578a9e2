import type { Core } from 'cytoscape';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { shortened } from '../../browser/shortened.ts';
import { shownTheme } from '../../browser/theme.ts';
import { language, words } from '../../browser/words.ts';
import { Canvas } from '../../canvas/canvas.tsx';
import { addressName, edgeName } from '../../canvas/elements.ts';
import { windowOf } from '../../canvas/loudest.ts';
import { iconUrls } from '../../canvas/node-icons.ts';
import { legendOf } from '../../canvas/picture.ts';
import {
  actionOf,
  actionsOf,
  type CanvasAction,
  CHOSEN_KEYS,
  chosenActions,
  pictureActions,
  type Stagehand,
} from '../../canvas-session/actions.ts';
import type { CanvasSession } from '../../canvas-session/canvas-session.ts';
import { drafts } from '../../canvas-session/drafts.ts';
import { warmLayout } from '../../canvas-session/layout-client.ts';
import type { Saving } from '../../canvas-session/saving.ts';
import { drawPasted } from '../../canvas-session/search.ts';
import { walkerOf } from '../../canvas-session/walk.ts';
import { chooseWay, mainEnd } from '../../canvas-session/way.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import type { Point } from '../../scene/edits.ts';
import { laneNames, lanesIn } from '../../scene/lanes.ts';
import { search } from '../../service/search.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { Lists } from './lists.tsx';
import { Menu } from './menu.tsx';
import { Minimap } from './minimap.tsx';
import { Panel } from './panel/panel.tsx';
import { bringIntoSight, isTooWide, lookAt, lookAtWay, stagehandOf } from './stagehand.ts';
import { Timeline } from './timeline.tsx';
import { Toolbar } from './tools/toolbar.tsx';

/** Where all keys of the canvas act. Its buttons keep the focus once they were pressed. */
const KEYS_AT = 'body, main, .graph-canvas, .tools > button, .minimap button';

/** Shows the canvas at full size: search and tools above, one panel at the side, timeline and tables below. */
export function CanvasStage({ session, saving }: { session: CanvasSession; saving: Saving }) {
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
  const actions = actionsOf(session, hand);
  const walk = useMemo(() => walkerOf(session), [session]);
  const { nodes, edges } = session.shown.value;

  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      setMenu(placeOfChoice(canvas.current, session));
      return;
    }
    const action = actionOf(event, actions);
    if (!action && !walk(event)) return;
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
      else if (event.key === 'Escape' && (event.target as Element).id === 'canvas-search') hand.canvas();
      else if (isField || event.defaultPrevented) return;
      else if ((event.target as Element).matches(KEYS_AT)) return onKeyNow.current(event);
      else if (event.key === '/') hand.search();
      else if (event.key === '?') hand.help();
      else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey))
        event.shiftKey ? session.redo() : session.undo();
      else return;
      event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      void session.run((signal) => drawPasted(session, text, signal));
    };
    addEventListener('keydown', onPageKey);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('keydown', onPageKey);
      removeEventListener('paste', onPaste);
    };
  }, [session]);
  useEffect(() => warmLayout(edges.length), [edges.length]);
  useEffect(() => {
    // A saved board is looked at as it was when it was saved.
    if (session.fits.value === 0 && !isUnseen(session)) return;
    // Large pictures are drawn over several frames.
    const timer = setTimeout(() => lookAt(canvas.current, session, hand), 60);
    return () => clearTimeout(timer);
  }, [session.fits.value]);
  useEffect(() => {
    if (session.way.value) lookAtWay(canvas.current, session.way.value);
  }, [session.way.value]);
  useEffect(() => {
    if (session.chosen.value.size > 0) setSheet(true);
    bringIntoSight(canvas.current, session.chosen.value);
  }, [session.chosen.value]);

  return (
    <div class="stage">
      <Toolbar session={session} saving={saving} actions={actions} />
      <Conflict saving={saving} />
      <div class="stage-middle">
        <div class="stage-canvas">
          <div class="stage-picture">
            <Canvas
              session={session}
              label={texts.canvas(nodes.length, edges.length)}
              onMenu={setMenu}
              onReady={(core) => {
                canvas.current = core;
                core.on('resize', () => bringIntoSight(core, session.chosen.peek()));
              }}
            />
            {nodes.length === 0 && <Beginning />}
            <Spoken session={session} canvas={canvas.current} />
            <LaneNames session={session} canvas={canvas.current} />
            <EndPointer session={session} canvas={canvas.current} />
            {isTooWide(session) && (
              <button type="button" class="too-wide" onClick={() => actions.find(({ id }) => id === 'arrange')?.run()}>
                {texts.tooWide}
              </button>
            )}
            {menu && <Menu at={menu} actions={menuOf(session, hand)} onClose={() => setMenu(null)} />}
            {nodes.length > 0 && <Minimap session={session} canvas={canvas.current} actions={actions} />}
          </div>
          <Legend session={session} />
          <Timeline session={session} />
        </div>
        <aside
          class="stage-panel"
          data-open={sheet}
          aria-label={texts.panel}
          tabIndex={-1}
          onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && hand.canvas()}
        >
          <button type="button" class="sheet-handle" aria-expanded={sheet} onClick={() => setSheet(!sheet)}>
            {sheet ? texts.closePanel : texts.openPanel}
          </button>
          <ErrorNote error={session.error.value} />
          <p role="status" class="muted">
            {session.busy.value ? words().investigate.working : session.notice.value}
          </p>
          <Panel session={session} />
        </aside>
      </div>
      {nodes.length > 0 && <Lists session={session} />}
      {helps && <Shortcuts session={session} hand={hand} onClose={() => setHelps(false)} />}
    </div>
  );
}

/** The actions on what is chosen; where nothing is, those on the picture. */
function menuOf(session: CanvasSession, hand: Stagehand): CanvasAction[] {
  const ofChosen = chosenActions(session, hand);
  return ofChosen.length > 0 ? ofChosen : pictureActions(session, hand);
}

const RECENT_MAX = 8;

/** Lists the boards and addresses that were looked at last. */
function Recent() {
  const { answer } = useAnswer((signal) => search('', signal), [language.value]);
  if (!answer?.length) return null;
  const title = words().canvas.recent;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {answer.slice(0, RECENT_MAX).map(({ id, title: name, about, link: [page, parts] = ['', []], place }) => (
          <li key={id}>
            <a href={linkTo(page, parts)} title={name}>
              {place ? shortened(name) : name}
            </a>{' '}
            <span class="muted">{about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An empty canvas: how to begin, and the pictures of this tab that are on no board yet. */
function Beginning() {
  const texts = words().canvas;
  const kept = drafts();
  return (
    <div class="stage-empty">
      <p>{texts.begin}</p>
      <Recent />
      {kept.length > 0 && (
        <section aria-label={texts.drafts}>
          <h2>{texts.drafts}</h2>
          <ul>
            {kept.map(({ id, title, at }) => (
              <li key={id}>
                <a href={linkTo('investigate', ['draft', id])}>{title}</a> <span class="muted">{momentText(at)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Says what is chosen to who does not see it. */
function Spoken({ session, canvas }: { session: CanvasSession; canvas: Core | null }) {
  const { edges } = session.shown.value;
  const [id, ...others] = session.chosen.value;
  const nameOf = (wanted = '') => canvas?.getElementById(wanted).data('title') as string | undefined;
  const edge = edges.find((one) => one.id === id);
  const ofEdge = edge && `${nameOf(edge.from)} → ${nameOf(edge.to)}: ${edgeName(edge).replaceAll('\n', ' · ')}`;
  const text = others.length > 0 ? words().canvas.chosen(others.length + 1) : (ofEdge ?? nameOf(id));
  return (
    <p class="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}

/** Names the end with most of the followed money while it lies outside of the window, and leads to it. */
function EndPointer({ session, canvas }: { session: CanvasSession; canvas: Core | null }) {
  const end = mainEnd(session);
  if (!end || !canvas) return null;
  const { view } = session.stage.value.scene;
  const x = (end.x - view.x) * view.zoom + canvas.width() / 2;
  const y = (end.y - view.y) * view.zoom + canvas.height() / 2;
  const side = x > canvas.width() ? 'right' : x < 0 ? 'left' : y < 0 ? 'top' : y > canvas.height() ? 'bottom' : null;
  if (!side) return null;
  const { label, address } = end.row;
  const name = `${addressName({ label, address: address ?? '' })} · ${end.share}`;
  return (
    <button type="button" class="end-pointer" data-side={side} onClick={() => chooseWay(session, end.row)}>
      {name}
    </button>
  );
}

/** The chain of each lane, where that stands on the screen. */
function LaneNames({ session, canvas }: { session: CanvasSession; canvas: Core | null }) {
  const [, move] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    const onViewport = () => move(null);
    canvas?.on('viewport resize', onViewport);
    return () => void canvas?.removeListener('viewport resize', onViewport);
  }, [canvas]);
  const lanes = lanesIn(session.shown.value);
  if (!canvas) return null;
  return (
    <div class="lane-names" aria-hidden="true">
      {laneNames(lanes, windowOf(canvas)).map(({ name, left, top, width }) => (
        <span key={name} style={{ left: `${left}px`, top: `${top}px`, width: `${width}px` }}>
          {name}
        </span>
      ))}
    </div>
  );
}

/** The signs of the categories that are drawn, in their colours. */
function Legend({ session }: { session: CanvasSession }) {
  // Colours are those of the theme.
  void shownTheme.value;
  const entries = legendOf(session.shown.value);
  if (entries.length === 0) return null;
  return (
    <ul class="legend">
      {entries.map(({ category, name, color }) => {
        const [icon] = iconUrls(null, category, color);
        return (
          <li key={name}>
            {icon ? <img src={icon} alt="" /> : <span style={{ background: color }} aria-hidden="true" />} {name}
          </li>
        );
      })}
    </ul>
  );
}

/** All keys of the canvas. */
function Shortcuts({ session, hand, onClose }: { session: CanvasSession; hand: Stagehand; onClose: () => void }) {
  const texts = words().canvas;
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => frame.current?.showModal(), []);
  const keys = [
    ...Object.entries(CHOSEN_KEYS).map(([id, key]) => ({ id: id as keyof typeof CHOSEN_KEYS, key })),
    ...pictureActions(session, hand),
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
        {texts.walkKeys.map(([key, text]) => [
          <dt key={`${key} key`}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={key}>{text}</dd>,
        ])}
      </dl>
      <button type="button" class="primary" onClick={() => frame.current?.close()}>
        {texts.close}
      </button>
    </dialog>
  );
}

/** Asks what to do where a newer version was saved elsewhere: nothing is lost either way. */
function Conflict({ saving }: { saving: Saving }) {
  if (saving.state.value !== 'conflict') return null;
  const texts = words().canvas.conflict;
  return (
    <div class="note error row center" role="alert">
      <span class="grow">{texts.text}</span>
      <button type="button" onClick={() => saving.takeTheirs()}>
        {texts.theirs}
      </button>
      <button type="button" onClick={() => saving.keepMine()}>
        {texts.mine}
      </button>
      <button type="button" onClick={() => saving.keepBoth(`${saving.board.value?.title ?? ''} (2)`)}>
        {texts.both}
      </button>
    </div>
  );
}

/** True of a scene that was never looked at. */
function isUnseen({ stage }: CanvasSession): boolean {
  const { view } = stage.value.scene;
  return view.x === 0 && view.y === 0 && view.zoom === 1;
}

/** True for a field that takes letters, so that no key acts on the picture. */
function isTyping(target: EventTarget | null): boolean {
  const fields =
    'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]';
  return target instanceof Element && target.matches(fields);
}

/** The place at which the menu opens by keyboard. */
function placeOfChoice(canvas: Core | null, session: CanvasSession): Point {
  const [id] = session.chosen.value;
  const node = id === undefined ? undefined : canvas?.getElementById(id);
  return node?.nonempty() && node.isNode() ? node.renderedPosition() : { x: 40, y: 40 };
}

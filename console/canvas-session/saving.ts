import { effect, type Signal, signal } from '@preact/signals';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { linkTo } from '../browser/route.ts';
import { fittingScene, readScene } from '../scene/fit-scene.ts';
import { isSamePicture } from '../scene/stage.ts';
import type { Board, BoardWithScene } from '../service/answers.ts';
import { ApiError, apiPath, call } from '../service/api.ts';
import { type CanvasSession, usualTitle } from './canvas-session.ts';
import { forgetDraft, keepDraft, left, readDraft } from './drafts.ts';

/** Saved by itself at most so often. */
const EVERY_MS = 15_000;
const DRAFT_PAUSE_MS = 500;

/** `conflict`: another tab or person has saved a newer version. */
type SavingState = 'none' | 'unsaved' | 'saving' | 'saved' | 'conflict' | 'failed';

export interface Saving {
  /** Null before the first saving. */
  board: Signal<Board | null>;
  state: Signal<SavingState>;
  error: Signal<Error | null>;
  /** Saves now, as a new board where there is none. */
  save: (title: string) => Promise<void>;
  change: (changes: { title?: string; case_id?: string | null }) => Promise<void>;
  /** Takes as part of the board what the graph was asked while it opened: that makes no version. */
  recalled: () => void;
  /** After a conflict: the newest version in the place of what is here; undo brings that back. */
  takeTheirs: () => Promise<void>;
  /** After a conflict: this picture as the next version; the other one stays among the versions. */
  keepMine: () => Promise<void>;
  /** After a conflict: this picture as a board of its own. */
  keepBoth: (title: string) => Promise<void>;
  close: () => void;
}

/** Reads a board that a link names. */
export async function loadBoard(id: string, signal: AbortSignal): Promise<{ board: Board; scene: Scene }> {
  const { board } = await call<{ board: BoardWithScene }>(apiPath`/boards/${id}`, { signal });
  const scene = await readScene(board.scene);
  if (!scene) throw new Error('scene');
  return { board, scene };
}

/** Returns the picture that was left unsaved, by its id, or at this entry of the tab's history; null where the reader comes by a link. */
export async function leftDraft(id = draftId()): Promise<Scene | null> {
  const draft = id === null ? null : readDraft(id);
  if (draft) markDraft(id);
  return draft && readScene(draft.scene);
}

/** The name of the draft that an entry of the tab's history bears: Back and a reload find it again. */
function draftId(): string | null {
  const state = history.state as { draft?: string } | null;
  return state?.draft ?? null;
}

/** Names a draft in the present entry, once. */
function markDraft(named: string | null = null): string {
  const id = named ?? draftId() ?? crypto.randomUUID();
  history.replaceState({ draft: id }, '');
  return id;
}

/**
 * Saves the scene of a canvas as a board: by itself while it changes, and when the tab is hidden. One without a board is kept as a
 * draft where the reader leaves it.
 */
export function savingOf(session: CanvasSession, opened: Board | null): Saving {
  const board = signal(opened);
  const state = signal<SavingState>(opened ? 'saved' : 'none');
  const error = signal<Error | null>(null);
  let saved = session.stage.peek().scene;
  let lastAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let draft = opened ? null : draftId();
  const keep = () => {
    if (draft !== null) keepDraft(draft, usualTitle(session), session.stage.peek().scene);
  };

  const send = async (ask: (scene: Scene) => Promise<{ board: Board }>) => {
    const { scene } = session.stage.peek();
    state.value = 'saving';
    error.value = null;
    lastAt = Date.now();
    try {
      board.value = (await ask(fittingScene(scene))).board;
      saved = scene;
      if (draft !== null) forgetDraft(draft);
      draft = null;
      state.value = isSamePicture(session.stage.peek().scene, scene) ? 'saved' : 'unsaved';
      if (state.value === 'unsaved') plan();
    } catch (refused) {
      state.value = refused instanceof ApiError && refused.status === 412 ? 'conflict' : 'failed';
      error.value = refused as Error;
    }
  };
  const put = (body: object, version = board.value?.version) =>
    call<{ board: Board }>(apiPath`/boards/${board.value?.id ?? ''}`, { method: 'PUT', version, body });
  const create = async (title: string) => {
    await send((scene) => call('/boards', { method: 'POST', body: { title, case_id: board.value?.case_id, scene } }));
    if (!board.value) return;
    history.replaceState(null, '', linkTo('investigate', ['board', board.value.id]));
  };
  const update = () => send((scene) => put({ scene }));
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(update, Math.max(0, lastAt + EVERY_MS - Date.now()));
  };
  const stop = effect(() => {
    const { scene, past } = session.stage.value;
    if (!board.peek() && past.length > 0) {
      draft ??= markDraft();
      clearTimeout(timer);
      timer = setTimeout(keep, DRAFT_PAUSE_MS);
    }
    // Looking around changes nothing: each saving is a version, and another tab would have to decide on it.
    if (isSamePicture(scene, saved) || !board.peek() || state.peek() === 'conflict') return;
    if (state.peek() !== 'saving') state.value = 'unsaved';
    plan();
  });
  // A picture that the reader never touched is drawn again by its link.
  const leave = () => {
    if (state.value === 'unsaved') void update();
    // What no board took is a draft too.
    if (state.value === 'failed' || state.value === 'conflict') draft ??= crypto.randomUUID();
    keep();
  };
  const isUnsaved = () => (board.peek() ? state.peek() !== 'saved' : draft !== null);
  const onUnload = (event: BeforeUnloadEvent) => {
    keep();
    if (isUnsaved()) event.preventDefault();
  };
  const onHidden = () => {
    if (document.visibilityState === 'hidden') leave();
  };
  document.addEventListener('visibilitychange', onHidden);
  addEventListener('beforeunload', onUnload);
  const newest = async () => loadBoard(board.value?.id ?? '', AbortSignal.timeout(30_000));

  return {
    board,
    state,
    error,
    save: (title) => (board.value ? update() : create(title)),
    change: (changes) => send((scene) => put(isSamePicture(scene, saved) ? changes : { ...changes, scene })),
    recalled: () => {
      if (session.stage.peek().past.length > 0) return;
      clearTimeout(timer);
      saved = session.stage.peek().scene;
      state.value = 'saved';
    },
    takeTheirs: async () => {
      const theirs = await newest();
      saved = theirs.scene;
      board.value = theirs.board;
      session.edit(() => theirs.scene);
      state.value = 'saved';
    },
    keepMine: async () => {
      const { board: theirs } = await newest();
      await send((scene) => put({ scene }, theirs.version));
    },
    keepBoth: (title) => create(title),
    close: () => {
      stop();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onHidden);
      removeEventListener('beforeunload', onUnload);
      leave();
      if (draft !== null && isUnsaved()) left.value = { id: draft, title: usualTitle(session), hash: location.hash };
    },
  };
}

/** Puts the scene of a file onto the canvas as one step; returns false where the file holds none. */
export async function importScene(session: CanvasSession, file: File): Promise<boolean> {
  const given: unknown = await file
    .text()
    .then(JSON.parse, () => null)
    .catch(() => null);
  const scene = (await readScene(given)) ?? (await readScene((given as { scene?: unknown } | null)?.scene));
  if (!scene) return false;
  session.edit(() => scene);
  return true;
}

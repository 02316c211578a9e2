import { effect, type Signal, signal } from '@preact/signals';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { linkTo } from '../browser/route.ts';
import { fittingScene, readScene } from '../scene/fit-scene.ts';
import { isSamePicture } from '../scene/stage.ts';
import type { Board, BoardWithScene } from '../service/answers.ts';
import { ApiError, apiPath, call } from '../service/api.ts';
import { key } from '../service/session.ts';
import type { Desk } from './desk.ts';

/** Saved by itself at most so often. */
const EVERY_MS = 15_000;

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

const DRAFT = 'traceflow-draft';

/** Returns the picture that was left unsaved at this entry of the tab's history; null where the reader comes by a link. */
export async function leftDraft(): Promise<Scene | null> {
  const text = sessionStorage.getItem(`${DRAFT} ${draftId()}`);
  return text === null ? null : readScene(JSON.parse(text));
}

/** The name of the draft that an entry of the tab's history bears: Back and a reload find it again. */
function draftId(): string | null {
  const state = history.state as { draft?: string } | null;
  return state?.draft ?? null;
}

/** Names a draft in the present entry, once. */
function markDraft(): string {
  const id = draftId() ?? crypto.randomUUID();
  history.replaceState({ draft: id }, '');
  return id;
}

function keepDraft(id: string, scene: Scene): void {
  // With the key, all that the tab kept is forgotten.
  if (!key.value) return;
  try {
    sessionStorage.setItem(`${DRAFT} ${id}`, JSON.stringify(fittingScene(scene)));
  } catch {
    // The browser's room is full: older drafts give way, and this one comes with the next change.
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(DRAFT)) sessionStorage.removeItem(name);
  }
}

/**
 * Saves the scene of a desk as a board: by itself while it changes, and when the tab is hidden. One without a board is kept as a
 * draft where the reader leaves it.
 */
export function savingOf(desk: Desk, opened: Board | null): Saving {
  const board = signal(opened);
  const state = signal<SavingState>(opened ? 'saved' : 'none');
  const error = signal<Error | null>(null);
  let saved = desk.stage.peek().scene;
  let lastAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let draft = opened ? null : draftId();

  const send = async (ask: (scene: Scene) => Promise<{ board: Board }>) => {
    const { scene } = desk.stage.peek();
    state.value = 'saving';
    error.value = null;
    lastAt = Date.now();
    try {
      board.value = (await ask(fittingScene(scene))).board;
      saved = scene;
      state.value = isSamePicture(desk.stage.peek().scene, scene) ? 'saved' : 'unsaved';
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
    if (board.value) history.replaceState(null, '', linkTo('investigate', ['board', board.value.id]));
  };
  const update = () => send((scene) => put({ scene }));
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(update, Math.max(0, lastAt + EVERY_MS - Date.now()));
  };
  const stop = effect(() => {
    const { scene, past } = desk.stage.value;
    if (!board.peek() && past.length > 0) draft ??= markDraft();
    // Looking around changes nothing: each saving is a version, and another tab would have to decide on it.
    if (isSamePicture(scene, saved) || !board.peek() || state.peek() === 'conflict') return;
    if (state.peek() !== 'saving') state.value = 'unsaved';
    plan();
  });
  // A picture that the reader never touched is drawn again by its link.
  const leave = () => {
    if (state.value === 'unsaved') void update();
    else if (!board.peek() && draft !== null) keepDraft(draft, desk.stage.peek().scene);
  };
  const onHidden = () => {
    if (document.visibilityState === 'hidden') leave();
  };
  document.addEventListener('visibilitychange', onHidden);
  const newest = async () => loadBoard(board.value?.id ?? '', AbortSignal.timeout(30_000));

  return {
    board,
    state,
    error,
    save: (title) => (board.value ? update() : create(title)),
    change: (changes) => send((scene) => put(isSamePicture(scene, saved) ? changes : { ...changes, scene })),
    takeTheirs: async () => {
      const theirs = await newest();
      saved = theirs.scene;
      board.value = theirs.board;
      desk.edit(() => theirs.scene);
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
      leave();
    },
  };
}

/** Puts the scene of a file onto the desk, as one step; false where it is none. */
export async function importScene(desk: Desk, file: File): Promise<boolean> {
  const given: unknown = await file
    .text()
    .then(JSON.parse, () => null)
    .catch(() => null);
  const scene = (await readScene(given)) ?? (await readScene((given as { scene?: unknown } | null)?.scene));
  if (!scene) return false;
  desk.edit(() => scene);
  return true;
}

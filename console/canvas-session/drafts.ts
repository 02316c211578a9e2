import { signal } from '@preact/signals';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { fittingScene } from '../scene/fit-scene.ts';
import { isSignedIn } from '../service/session.ts';

/** A picture that is on no board yet; the browser forgets it with its tab. */
interface Draft {
  title: string;
  /** ISO. */
  at: string;
  scene: unknown;
}

const DRAFT = 'traceflow-draft ';

/** The picture that was left for the page that is shown, without a board. */
export const left = signal<{ id: string; title: string; hash: string } | null>(null);

/** Counts changes of what is kept, so that lists of drafts follow. */
const changes = signal(0);

export function keepDraft(id: string, title: string, scene: Scene): void {
  // With the key or session, all that the tab kept is forgotten.
  if (!isSignedIn.value) return;
  const draft: Draft = { title, at: new Date().toISOString(), scene: fittingScene(scene) };
  try {
    sessionStorage.setItem(DRAFT + id, JSON.stringify(draft));
  } catch {
    // The browser's room is full: the oldest draft gives way, and this one comes with the next change.
    const oldest = drafts().at(-1);
    if (oldest) sessionStorage.removeItem(DRAFT + oldest.id);
  }
  changes.value += 1;
}

export function readDraft(id: string): Draft | null {
  const text = sessionStorage.getItem(DRAFT + id);
  return text === null ? null : JSON.parse(text);
}

export function forgetDraft(id: string): void {
  sessionStorage.removeItem(DRAFT + id);
  changes.value += 1;
}

/** Lists the drafts of this tab, the newest first. */
export function drafts(): { id: string; title: string; at: string }[] {
  void changes.value;
  return Object.keys(sessionStorage)
    .filter((name) => name.startsWith(DRAFT))
    .flatMap((name) => {
      const id = name.slice(DRAFT.length);
      const draft = readDraft(id);
      return draft ? [{ id, title: draft.title, at: draft.at }] : [];
    })
    .sort((a, b) => b.at.localeCompare(a.at));
}

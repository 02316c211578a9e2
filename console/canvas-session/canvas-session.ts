import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Scene, SceneNode } from '../../src/domain/scene/scene.ts';
import { type Shown, shownOf } from '../../src/domain/scene/shown.ts';
import { shortened } from '../browser/shortened.ts';
import { words } from '../browser/words.ts';
import type { Room } from '../scene/arrange.ts';
import { type Edit, edited, isSamePicture, learned, redone, type Stage, stageOf, undone } from '../scene/stage.ts';
import type { Scan } from '../service/answers.ts';
import type { AddressFunds, OpenedTransaction } from '../service/tracing-answers.ts';

/** Around a picture that is fitted into its window. */
export const ROOM_MARGIN = 40;

/** The addresses and arrows by which money came to an end of the account, all by id. */
export interface ChosenWay {
  ids: ReadonlySet<string>;
  end: string;
}

type RiskLevel = Scan['risk_level'];

/** Holds one canvas and what the reader does on it. */
export interface CanvasSession {
  stage: Signal<Stage>;
  /** The scene, which is another one once the picture changes, not where it is looked at. */
  picture: ReadonlySignal<Scene>;
  shown: ReadonlySignal<Shown>;
  /** Ids of the chosen nodes and arrows of the picture. */
  chosen: Signal<ReadonlySet<string>>;
  /** The last way that a row of the account chose; while it is chosen, the account stays in the panel. */
  way: Signal<ChosenWay | null>;
  /** The account of the followed money. */
  funds: Signal<AddressFunds | null>;
  /** The parts of opened transactions by key, until an address is read. */
  opened: Signal<ReadonlyMap<string, OpenedTransaction>>;
  /** Levels of the reader's own scans, by key. */
  levels: Signal<ReadonlyMap<string, RiskLevel>>;
  /** Counts how often the picture is to be fitted into the window. */
  fits: Signal<number>;
  busy: Signal<boolean>;
  error: Signal<Error | null>;
  /** The outcome of the last action, in words. */
  notice: Signal<string>;
  /** The window of the picture. */
  room: () => Room;
  edit: (edit: Edit) => void;
  learn: (edit: Edit) => void;
  undo: () => void;
  redo: () => void;
  /** Runs one question at a time and keeps its refusal for display. */
  run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  close: () => void;
}

export function openCanvasSession(scene: Scene): CanvasSession {
  const stage = signal(stageOf(scene));
  let drawn = scene;
  const picture = computed(() => {
    const now = stage.value.scene;
    if (!isSamePicture(drawn, now)) drawn = now;
    return drawn;
  });
  const shown = computed(remembering());
  const chosen = signal<ReadonlySet<string>>(new Set());
  const busy = signal(false);
  const error = signal<Error | null>(null);
  const notice = signal('');
  const abort = new AbortController();

  function remembering() {
    let last: { scene: Scene; shown: Shown } | null = null;
    // Notes and texts change nothing of what it shows.
    return (): Shown => {
      const now = picture.value;
      if (!last || !showsTheSame(last.scene, now)) last = { scene: now, shown: shownOf(now) };
      return last.shown;
    };
  }

  return {
    stage,
    picture,
    shown,
    chosen,
    way: signal<ChosenWay | null>(null),
    funds: signal<AddressFunds | null>(null),
    opened: signal<ReadonlyMap<string, OpenedTransaction>>(new Map()),
    levels: signal<ReadonlyMap<string, RiskLevel>>(new Map()),
    fits: signal(0),
    busy,
    error,
    notice,
    room: () => {
      const frame = document.querySelector('.graph-canvas');
      // A picture is laid out before its canvas is there: beside the panel, below header and tools.
      const [width, height] = frame
        ? [frame.clientWidth, frame.clientHeight]
        : [innerWidth > 800 ? 0.72 * innerWidth : innerWidth, innerHeight - 130];
      return { width: width - 2 * ROOM_MARGIN, height: height - 2 * ROOM_MARGIN };
    },
    edit: (edit) => {
      stage.value = edited(stage.value, edit);
    },
    learn: (edit) => {
      stage.value = learned(stage.value, edit);
    },
    undo: () => {
      stage.value = undone(stage.value);
    },
    redo: () => {
      stage.value = redone(stage.value);
    },
    run: async (work) => {
      if (busy.value) return;
      busy.value = true;
      error.value = null;
      notice.value = '';
      await work(abort.signal).catch((refused: Error) => {
        if (!abort.signal.aborted) error.value = refused;
      });
      busy.value = false;
    },
    close: () => abort.abort(),
  };
}

/** Addresses that the chosen nodes stand for. */
export function chosenKeys({ shown, chosen }: CanvasSession): string[] {
  return shown.value.nodes.flatMap(({ id, keys }) => (chosen.value.has(id) ? keys : []));
}

export function nodeOfKey({ stage }: CanvasSession, key: string): SceneNode | undefined {
  return stage.value.scene.nodes.find((node) => node.key === key);
}

/** The title of a picture that has none yet: the address where it began. */
export function usualTitle(session: CanvasSession): string {
  const subject = nodeOfKey(session, session.stage.value.scene.subject ?? '');
  return subject ? (subject.label ?? shortened(subject.address)) : words().canvas.board;
}

function showsTheSame(a: Scene, b: Scene): boolean {
  const parts = ['nodes', 'flows', 'groups', 'filters', 'subject', 'followed'] as const;
  return parts.every((part) => a[part] === b[part]);
}

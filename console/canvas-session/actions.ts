import { NODE_COLOURS } from '../../src/domain/scene/bounds.ts';
import { words } from '../browser/words.ts';
import { changeNodes, groupNodes, ungroup, unhideAll, writeText } from '../scene/edits.ts';
import { arrange, drawCounterparties, drawFunds, regroup } from './asks.ts';
import { type CanvasSession, chosenKeys, nodeOfKey } from './canvas-session.ts';

export type ActionId = keyof ReturnType<typeof words>['canvas']['actions'];

export interface CanvasAction {
  id: ActionId;
  /** As a keyboard names it; with `Ctrl+` also for the command key. */
  key: string;
  run: () => void;
}

/** Keys of actions that need something chosen. */
export const CHOSEN_KEYS = {
  expand: 'E',
  followSent: 'M',
  followReceived: 'B',
  note: 'N',
  hide: 'H',
  pin: 'P',
  colour: 'C',
  group: 'G',
} as const;

/** The page's part in actions: its view, its fields and its dialogs. */
export interface Stagehand {
  fit: () => void;
  zoom: (factor: number) => void;
  /** The middle of the picture. */
  middle: () => { x: number; y: number };
  search: () => void;
  help: () => void;
  /** Leads the keyboard to the picture, and to what the panel says of it. */
  canvas: () => void;
  panel: () => void;
  /** Leads the keyboard to a field of the panel. */
  goToField: (name: 'note' | 'group' | 'text') => void;
}

/** Actions on what is chosen, then on the whole picture; each one is in a menu, in the list of shortcuts and on a key. */
export function actionsOf(session: CanvasSession, hand: Stagehand): CanvasAction[] {
  return [...chosenActions(session, hand), ...pictureActions(session, hand)];
}

export function chosenActions(session: CanvasSession, hand: Stagehand): CanvasAction[] {
  const keys = chosenKeys(session);
  const nodes = keys.flatMap((key) => nodeOfKey(session, key) ?? []);
  const [first] = nodes;
  if (!first) return [];
  const actions: CanvasAction[] = [];
  const add = (name: keyof typeof CHOSEN_KEYS, run: () => void, id: ActionId = name) =>
    actions.push({ id, key: CHOSEN_KEYS[name], run });
  if (nodes.length === 1 && !first.transaction) {
    add('expand', () => void session.run((signal) => drawCounterparties(session, first, signal)));
    add(
      'followSent',
      () => void session.run((signal) => drawFunds(session, { key: first.key, direction: 'sent' }, signal)),
    );
    add(
      'followReceived',
      () => void session.run((signal) => drawFunds(session, { key: first.key, direction: 'received' }, signal)),
    );
  }
  if (nodes.length === 1) add('note', () => hand.goToField('note'));
  add('hide', () => {
    session.edit(changeNodes(keys, { hidden: true }));
    session.chosen.value = new Set();
  });
  const isPinned = nodes.every(({ pinned }) => pinned);
  add('pin', () => session.edit(changeNodes(keys, { pinned: !isPinned })), isPinned ? 'unpin' : 'pin');
  add('colour', () => {
    const next = [...NODE_COLOURS, null][(first.colour === null ? -1 : NODE_COLOURS.indexOf(first.colour)) + 1];
    session.edit(changeNodes(keys, { colour: next ?? null }));
  });
  const { group } = first;
  if (nodes.length > 1) {
    add('group', () => {
      void regroup(session, groupNodes(keys, `group:${Date.now()}`, words().canvas.newGroup));
      hand.goToField('group');
    });
  } else if (group !== null) add('group', () => void regroup(session, ungroup(group)), 'ungroup');
  return actions;
}

export function pictureActions(session: CanvasSession, hand: Stagehand): CanvasAction[] {
  return [
    { id: 'search', key: '/', run: hand.search },
    { id: 'undo', key: 'Ctrl+Z', run: session.undo },
    { id: 'redo', key: 'Ctrl+Shift+Z', run: session.redo },
    {
      id: 'chooseAll',
      key: 'Ctrl+A',
      run: () => {
        session.chosen.value = new Set(session.shown.value.nodes.map(({ id }) => id));
      },
    },
    {
      id: 'chooseNone',
      key: 'Escape',
      run: () => {
        session.chosen.value = new Set();
      },
    },
    { id: 'unhide', key: 'U', run: () => session.edit(unhideAll()) },
    { id: 'arrange', key: 'A', run: () => void session.run(() => arrange(session)) },
    { id: 'fit', key: 'F', run: hand.fit },
    {
      id: 'text',
      key: 'T',
      run: () => {
        const id = `text:${Date.now()}`;
        session.edit(writeText(id, words().canvas.newText, hand.middle()));
        session.chosen.value = new Set([id]);
        hand.goToField('text');
      },
    },
    { id: 'panel', key: 'Enter', run: hand.panel },
    { id: 'zoomIn', key: '+', run: () => hand.zoom(1.25) },
    { id: 'zoomOut', key: '-', run: () => hand.zoom(0.8) },
    { id: 'help', key: '?', run: hand.help },
  ];
}

/** The action of a key that was pressed. */
export function actionOf(event: KeyboardEvent, actions: readonly CanvasAction[]): CanvasAction | undefined {
  const name = event.key === 'Delete' || event.key === 'Backspace' ? CHOSEN_KEYS.hide : event.key;
  const pressed = event.ctrlKey || event.metaKey ? `Ctrl+${event.shiftKey ? 'Shift+' : ''}${name.toUpperCase()}` : name;
  if (event.altKey) return undefined;
  return actions.find(({ key }) => key.toUpperCase() === pressed.toUpperCase());
}

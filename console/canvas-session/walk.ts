import { byWeight } from '../../src/domain/scene/arrows.ts';
import { moveTo } from '../scene/edits.ts';
import { type CanvasSession, chosenKeys } from './canvas-session.ts';

const STEPS: Record<string, { x: number; y: number }> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** Units by which one key moves a card. */
const MOVE = 20;

interface Place {
  id: string;
  x: number;
  y: number;
}

/** Keys that lead from one thing of a picture to the next. Where several are chosen, the last one is where the reader stands. */
export function walkerOf(session: CanvasSession): (event: KeyboardEvent) => boolean {
  const { chosen } = session;
  /** The card whose arrows are looked at one after the other. */
  let around: string | null = null;
  return (event) => {
    const isCtrl = event.ctrlKey || event.metaKey;
    const step = STEPS[event.key];
    if (event.altKey || (isCtrl && !step)) return false;
    if (event.key.toUpperCase() === 'L') {
      around = nextArrow(session, around);
      return true;
    }
    if (!step) return false;
    if (isCtrl) return moveChosen(session, step);
    const next = nearest(session, step);
    if (next !== null) chosen.value = new Set(event.shiftKey ? [...chosen.value, next] : [next]);
    return true;
  };
}

/** Cards and texts, and the middle of each chosen arrow. */
function placesOf({ shown, stage, chosen }: CanvasSession): Place[] {
  const { nodes, edges } = shown.value;
  const at = new Map(nodes.map((node) => [node.id, node]));
  const middles = edges.flatMap(({ id, from, to }) => {
    const [start, end] = [at.get(from), at.get(to)];
    return chosen.value.has(id) && start && end ? [{ id, x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }] : [];
  });
  return [...nodes, ...stage.value.scene.texts, ...middles];
}

/** The nearest card or text in a direction; the start, or the first one, where nothing is chosen yet. */
function nearest(session: CanvasSession, step: { x: number; y: number }): string | null {
  const { chosen, shown, stage } = session;
  const places = placesOf(session);
  const last = [...chosen.value].at(-1);
  const from = places.find(({ id }) => id === last);
  const first = places.find(({ id }) => id === stage.value.scene.subject) ?? places[0];
  if (!from) return first?.id ?? null;
  const arrows = new Set(shown.value.edges.map(({ id }) => id));
  let best: { id: string; away: number } | null = null;
  for (const { id, x, y } of places) {
    const [dx, dy] = [x - from.x, y - from.y];
    const ahead = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    // Farther aside than ahead lies in another direction.
    if (arrows.has(id) || ahead <= 0 || aside > 2 * ahead) continue;
    const away = ahead + 2 * aside;
    if (!best || away < best.away) best = { id, away };
  }
  return best?.id ?? (arrows.has(from.id) ? null : from.id);
}

/** Chooses the next arrow of a card, the largest first; returns the card. */
function nextArrow({ chosen, shown }: CanvasSession, around: string | null): string | null {
  const { nodes, edges } = shown.value;
  const last = [...chosen.value].at(-1);
  const now = edges.find(({ id }) => id === last);
  const isOf = (card: string | null, { from, to }: { from: string; to: string }) => card === from || card === to;
  const card = now ? (isOf(around, now) ? around : now.from) : (nodes.find(({ id }) => id === last)?.id ?? null);
  const arrows = edges
    .filter((edge) => isOf(card, edge))
    .toSorted(byWeight)
    .reverse();
  const next = arrows[(arrows.findIndex(({ id }) => id === last) + 1) % Math.max(1, arrows.length)];
  if (next) chosen.value = new Set([next.id]);
  return card;
}

function moveChosen(session: CanvasSession, step: { x: number; y: number }): boolean {
  const { stage, chosen } = session;
  const keys = new Set(chosenKeys(session));
  const { nodes, texts } = stage.value.scene;
  const moved = [
    ...nodes.filter(({ key }) => keys.has(key)).map(({ key, x, y }) => ({ id: key, x, y })),
    ...texts.filter(({ id }) => chosen.value.has(id)),
  ];
  if (moved.length > 0)
    session.edit(moveTo(new Map(moved.map(({ id, x, y }) => [id, { x: x + MOVE * step.x, y: y + MOVE * step.y }]))));
  return true;
}

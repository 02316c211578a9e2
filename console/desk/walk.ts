import type { Desk } from './desk.ts';

const STEPS: Record<string, { x: number; y: number }> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** Moves the choice to the nearest node in the direction of an arrow key; true where the key is one. */
export function walk({ shown, chosen, stage }: Desk, key: string): boolean {
  const step = STEPS[key];
  if (!step) return false;
  const { nodes } = shown.value;
  const from =
    nodes.find(({ id }) => chosen.value.has(id)) ??
    nodes.find(({ id }) => id === stage.value.scene.subject) ??
    nodes[0];
  if (!from) return true;
  let best: { id: string; away: number } | null = null;
  for (const { id, x, y } of nodes) {
    const [dx, dy] = [x - from.x, y - from.y];
    const ahead = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    // Farther aside than ahead lies in another direction.
    if (ahead <= 0 || aside > 2 * ahead) continue;
    const away = ahead + 2 * aside;
    if (!best || away < best.away) best = { id, away };
  }
  chosen.value = new Set([best?.id ?? from.id]);
  return true;
}

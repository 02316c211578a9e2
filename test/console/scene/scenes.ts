import type { Additions } from '../../../console/scene/additions.ts';
import { begun, grown } from '../../../console/scene/grow.ts';
import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import type { Scene, SceneFlow, SceneTransfer } from '../../../src/domain/scene/scene.ts';

export const key = (name: string): string => `ethereum:${name}`;

export const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;

export const moved = (day: number, usd: number, asset = 'USDC'): SceneTransfer => ({
  tx_hash: `0x${day}${usd}`,
  at: at(day),
  asset,
  amount: String(usd),
  usd,
});

/** A flow of listed transfers. */
export function flowOf(from: string, to: string, transfers: SceneTransfer[], more: Partial<SceneFlow> = {}): SceneFlow {
  const days = transfers.map((one) => one.at).sort();
  return {
    id: `${key(from)}>${key(to)}`,
    from: key(from),
    to: key(to),
    usd: transfers.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    assets: null,
    tx_count: transfers.length,
    first_at: days[0] ?? at(1),
    last_at: days.at(-1) ?? at(1),
    tx_hash: transfers[0]?.tx_hash ?? '0x',
    transfers,
    share: null,
    bridge: null,
    ...more,
  };
}

/** A scene that begins at `start` and holds the flows. */
export function sceneOf(start: string, flows: SceneFlow[], nodes: Additions['nodes'] = []): Scene {
  return grown(begun(EMPTY_SCENE, key(start)), { nodes, flows });
}

export const nodeIn = (scene: Scene, name: string) => scene.nodes.find((node) => node.key === key(name))!;

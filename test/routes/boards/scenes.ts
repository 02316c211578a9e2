import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import type { Scene } from '../../../src/domain/scene/scene.ts';

const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;

/** A scene of so many addresses, each with this label. */
export function sceneOf(count: number, label: string | null = null): Scene {
  const nodes = Array.from({ length: count }, (_, i) => ({
    key: `ethereum:${address(i)}`,
    chain: 'ethereum' as const,
    address: address(i),
    label,
    category: 'unknown' as const,
    entity: null,
    read: null,
    x: i,
    y: 0,
    pinned: false,
    hidden: false,
    colour: null,
    note: null,
    group: null,
    bundle: null,
  }));
  return { ...EMPTY_SCENE, nodes };
}

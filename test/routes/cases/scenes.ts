import { bareNode, EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import type { Scene } from '../../../src/domain/scene/scene.ts';

const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;

/** A scene of so many addresses, each with this label. */
export function sceneOf(count: number, label: string | null = null): Scene {
  const nodes = Array.from({ length: count }, (_, i) => ({
    ...bareNode({ chain: 'ethereum', address: address(i) }),
    label,
    x: i,
  }));
  return { ...EMPTY_SCENE, nodes };
}

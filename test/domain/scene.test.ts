import { describe, expect, it } from 'vitest';
import { SCENE_NODES_MAX } from '../../src/domain/scene/bounds.ts';
import { bareNode, EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import { type Scene, SceneSchema } from '../../src/domain/scene/scene.ts';

const node = (address: string) => bareNode({ chain: 'ethereum', address });
const scene = (changes: Partial<Scene>): unknown => ({ ...EMPTY_SCENE, ...changes });
const isTaken = (given: unknown) => SceneSchema.safeParse(given).success;

describe('the scene of a board', () => {
  it('takes an empty one, and text of any kind in names and notes', () => {
    const named = { ...node('0xa'), label: '<script>alert(1)</script>', note: '"><img src=x onerror=alert(1)>' };
    expect(isTaken(EMPTY_SCENE)).toBe(true);
    expect(SceneSchema.parse(scene({ nodes: [named] })).nodes).toEqual([named]);
  });

  it('keeps no control characters, and none that turn text around', () => {
    const named = { ...node('0xa'), label: 'Bin\u202eance\u0000', note: 'one\n\u2066two\u001b' };
    const [kept] = SceneSchema.parse(scene({ nodes: [named] })).nodes;
    expect(kept).toMatchObject({ label: 'Binance', note: 'one\ntwo' });
  });

  it.each([
    ['another version', { version: 2 as 1 }],
    ['a field of its own', { extra: 1 } as Partial<Scene>],
    ['more nodes than a board holds', { nodes: Array.from({ length: 50_000 }, (_, n) => node(`0x${n}`)) }],
    ['one node twice', { nodes: [node('0xa'), node('0xa')] }],
    ['a key of another address', { nodes: [{ ...node('0xa'), key: 'ethereum:0xb' }] }],
    ['a chain that is not served', { nodes: [{ ...node('0xa'), chain: 'dogecoin' as 'bitcoin' }] }],
    ['a place beyond all bounds', { nodes: [{ ...node('0xa'), x: Number.POSITIVE_INFINITY }] }],
    ['a group that it does not hold', { nodes: [{ ...node('0xa'), group: 'g' }] }],
    ['a subject that it does not hold', { subject: 'ethereum:0xa' }],
  ])('refuses %s', (_, changes) => {
    expect(isTaken(scene(changes))).toBe(false);
  });

  it('refuses a flow whose end it does not hold', () => {
    const flow = {
      id: 'f',
      from: 'ethereum:0xa',
      to: 'ethereum:0xb',
      usd: 1,
      assets: { USDC: '1' },
      tx_count: 1,
      first_at: '2026-01-01T00:00:00Z',
      last_at: '2026-01-01T00:00:00Z',
      tx_hash: '0x1',
      transfers: [],
      share: null,
      bridge: null,
    };
    expect(isTaken(scene({ nodes: [node('0xa')], flows: [flow] }))).toBe(false);
    expect(isTaken(scene({ nodes: [node('0xa'), node('0xb')], flows: [flow] }))).toBe(true);
  });

  it('holds as many nodes as it says', () => {
    expect(isTaken(scene({ nodes: Array.from({ length: SCENE_NODES_MAX }, (_, n) => node(`0x${n}`)) }))).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import {
  changeGroup,
  changeNodes,
  groupNodes,
  moveTo,
  setFilters,
  setView,
  ungroup,
  unhideAll,
  writeText,
} from '../../../console/scene/edits.ts';
import { followedFrom, grown, informed } from '../../../console/scene/grow.ts';
import { type Edit, edited, isSamePicture, learned, redone, stageOf, undone } from '../../../console/scene/stage.ts';
import type { Scene } from '../../../src/domain/scene/scene.ts';
import { flowOf, key, moved, sceneOf } from './scenes.ts';

const base = sceneOf('a', [flowOf('a', 'b', [moved(1, 100)]), flowOf('b', 'c', [moved(2, 90)])]);
const grouped = groupNodes([key('b'), key('c')], 'group:1', 'Both')(base);
const EDITS: [string, Edit][] = [
  ['hiding', changeNodes([key('b')], { hidden: true })],
  ['pinning', changeNodes([key('b')], { pinned: true })],
  ['a colour', changeNodes([key('b')], { colour: 'red' })],
  ['a note', changeNodes([key('b')], { note: 'seen' })],
  ['moving', moveTo(new Map([[key('b'), { x: 7, y: 8 }]]))],
  ['a group', groupNodes([key('b'), key('c')], 'group:2', 'Ours')],
  ['ungrouping', ungroup('group:1')],
  ['folding a group', changeGroup('group:1', { collapsed: true })],
  ['a text', writeText('text:1', 'Here', { x: 1, y: 2 })],
  ['a filter', setFilters({ min_usd: 95 })],
  ['more that is drawn', (scene) => grown(scene, { nodes: [], flows: [flowOf('c', 'd', [moved(3, 5)])] })],
  [
    'the followed money',
    (scene) => followedFrom(scene, { key: key('a'), direction: 'sent' }, { nodes: [], flows: [] }),
  ],
];

describe('the history of a scene', () => {
  it.each(EDITS)('undoes %s, and does it again', (_, edit) => {
    const done = edited(stageOf(grouped), edit);
    expect(done.scene).not.toEqual(grouped);
    expect(undone(done).scene).toEqual(grouped);
    expect(redone(undone(done)).scene).toEqual(done.scene);
  });

  it.each(EDITS)(
    'takes a scene after %s as another picture than before, and as the same again once undone',
    (_, edit) => {
      const done = edited(stageOf(grouped), edit);
      expect(isSamePicture(done.scene, grouped)).toBe(false);
      expect(isSamePicture(undone(done).scene, grouped)).toBe(true);
    },
  );

  it('takes a scene that is looked at from elsewhere as the same picture', () => {
    expect(isSamePicture(setView({ x: 5, y: 6, zoom: 2 })(grouped), grouped)).toBe(true);
  });

  it('undoes showing what was hidden', () => {
    const hidden = changeNodes([key('b')], { hidden: true })(base);
    expect(undone(edited(stageOf(hidden), unhideAll())).scene).toEqual(hidden);
  });

  it('makes no step of an edit that changes nothing, and forgets what was undone once there is another', () => {
    const stage = stageOf(base);
    expect(edited(stage, changeNodes([key('b')], { hidden: false }))).toBe(stage);
    const other = edited(undone(edited(stage, changeNodes([key('b')], { pinned: true }))), setFilters({ min_usd: 1 }));
    expect(other.future).toEqual([]);
    expect(undone(undone(other)).scene).toEqual(base);
  });

  it('undoes no looking around: the reader stays where he is', () => {
    const moved = learned(edited(stageOf(base), setFilters({ min_usd: 1 })), setView({ x: 9, y: 9, zoom: 2 }));
    expect(undone(moved).scene).toEqual({ ...base, view: { x: 9, y: 9, zoom: 2 } });
  });

  it('undoes what a reading brought, but not that the address was read', () => {
    const unread = informed(base, [{ key: key('c'), read: false }]);
    const more = (scene: Scene) => grown(scene, { nodes: [], flows: [flowOf('c', 'd', [moved(3, 5)])] });
    const read = learned(edited(stageOf(unread), more), (scene) => informed(scene, [{ key: key('c'), read: true }]));
    expect(undone(read).scene).toEqual(informed(unread, [{ key: key('c'), read: true }]));
  });

  it('removes a group with its last member, and a text that is emptied', () => {
    expect(ungroup('group:1')(grouped).groups).toEqual([]);
    const written = writeText('text:1', 'Here', { x: 1, y: 2 })(base);
    expect(writeText('text:1', ' ', { x: 0, y: 0 })(written).texts).toEqual([]);
  });
});

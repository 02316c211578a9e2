import type { Scene, SceneFilters, SceneNode } from '../../src/domain/scene/scene.ts';
import type { Edit } from './stage.ts';

export interface Point {
  x: number;
  y: number;
}

type NodeChanges = Partial<Pick<SceneNode, 'hidden' | 'pinned' | 'colour' | 'note' | 'group'>>;

export function changeNodes(keys: Iterable<string>, changes: NodeChanges): Edit {
  const wanted = new Set(keys);
  return changeEach((node) => (wanted.has(node.key) ? changed(node, changes) : node));
}

export function unhideAll(): Edit {
  return changeEach((node) => (node.hidden ? { ...node, hidden: false } : node));
}

/** Moves nodes and texts, by key and id. */
export function moveTo(places: ReadonlyMap<string, Point>): Edit {
  return (scene) => {
    const nodes = mapped(scene.nodes, (node) => placed(node, places.get(node.key)));
    const texts = mapped(scene.texts, (text) => placed(text, places.get(text.id)));
    return nodes === scene.nodes && texts === scene.texts ? scene : { ...scene, nodes, texts };
  };
}

/** Makes one group of the nodes; groups that lost all of theirs go. */
export function groupNodes(keys: Iterable<string>, id: string, name: string): Edit {
  return (scene) => {
    const grouped = changeNodes(keys, { group: id })(scene);
    return withoutEmptyGroups({ ...grouped, groups: [...grouped.groups, { id, name, collapsed: false }] });
  };
}

export function ungroup(id: string): Edit {
  return (scene) =>
    withoutEmptyGroups(changeEach((node) => (node.group === id ? { ...node, group: null } : node))(scene));
}

export function changeGroup(id: string, changes: { name?: string; collapsed?: boolean }): Edit {
  return (scene) => ({
    ...scene,
    groups: mapped(scene.groups, (one) => (one.id === id ? changed(one, changes) : one)),
  });
}

/** Adds a text note, or changes it; an empty one goes. */
export function writeText(id: string, text: string, place: Point): Edit {
  return (scene) => {
    const others = scene.texts.filter((one) => one.id !== id);
    const known = scene.texts.find((one) => one.id === id);
    const written = { ...place, ...known, id, text };
    return { ...scene, texts: text.trim() === '' ? others : [...others, written] };
  };
}

export function setFilters(changes: Partial<SceneFilters>): Edit {
  return (scene) => {
    const filters = changed(scene.filters, changes);
    return filters === scene.filters ? scene : { ...scene, filters };
  };
}

export function setView(view: Scene['view']): Edit {
  return (scene) => ({ ...scene, view });
}

function withoutEmptyGroups(scene: Scene): Scene {
  const used = new Set(scene.nodes.map(({ group }) => group));
  return { ...scene, groups: scene.groups.filter(({ id }) => used.has(id)) };
}

function changeEach(change: (node: SceneNode) => SceneNode): Edit {
  return (scene) => {
    const nodes = mapped(scene.nodes, change);
    return nodes === scene.nodes ? scene : { ...scene, nodes };
  };
}

function placed<T extends Point>(thing: T, place: Point | undefined): T {
  return place && (place.x !== thing.x || place.y !== thing.y) ? { ...thing, ...place } : thing;
}

/** The same object where nothing changes, so that such an edit makes none to undo. */
function changed<T extends object>(thing: T, changes: Partial<NoInfer<T>>): T {
  const isSame = Object.entries(changes).every(([name, value]) => thing[name as keyof T] === value);
  return isSame ? thing : { ...thing, ...changes };
}

function mapped<T>(things: T[], change: (thing: T) => T): T[] {
  const all = things.map(change);
  return all.every((thing, i) => thing === things[i]) ? things : all;
}

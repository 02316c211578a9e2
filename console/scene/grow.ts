import { SCENE_NODES_MAX } from '../../src/domain/scene/bounds.ts';
import { bundled } from '../../src/domain/scene/bundles.ts';
import { bareNode } from '../../src/domain/scene/empty-scene.ts';
import type { Scene, SceneFlow, SceneNode } from '../../src/domain/scene/scene.ts';
import { type Additions, type NodeFacts, placeOf } from './additions.ts';
import { placeNew } from './place.ts';

interface GrowOptions {
  /** Draws only flows between addresses that are drawn already. */
  drawnOnly?: boolean;
  /** Draws addresses without a flow too. */
  alone?: boolean;
  /** Draws each by itself: those of a hub's bundle leave it, none goes into one, and hidden ones are shown. */
  single?: boolean;
}

/** Adds what an answer found: what stands keeps its place, and what a hub has beyond the largest goes into its bundle. */
export function grown(
  scene: Scene,
  { nodes, flows }: Additions,
  { drawnOnly = false, alone = false, single = false }: GrowOptions = {},
): Scene {
  const known = new Map(scene.nodes.map((node) => [node.key, node]));
  const wanted = drawnOnly ? flows.filter(({ from, to }) => known.has(from) && known.has(to)) : flows;
  const all = mergedFlows(scene.flows, wanted);
  const named = new Map(known);
  const learn = (facts: NodeFacts) =>
    named.set(facts.key, withFacts(named.get(facts.key) ?? bareNode(placeOf(facts.key)), facts));
  for (const flow of wanted)
    for (const key of [flow.from, flow.to]) if (!named.has(key)) named.set(key, bareNode(placeOf(key)));
  for (const facts of nodes) if (alone || named.has(facts.key)) learn(facts);
  const merged = withoutReplaced({ ...scene, nodes: [...named.values()], flows: all });
  const isNew = (key: string) => !known.has(key);
  const whole = bounded(merged, isNew);
  if (!single) return withEntities(placeNew(bundled(whole, isNew), isNew));
  const wantedKeys = new Set(nodes.map(({ key }) => key));
  const apart = new Set(
    whole.nodes
      .filter(({ key, bundle }) => isNew(key) || (bundle !== null && wantedKeys.has(key)))
      .map(({ key }) => key),
  );
  const drawn = whole.nodes.map((node) => ({
    ...node,
    bundle: apart.has(node.key) ? null : node.bundle,
    hidden: wantedKeys.has(node.key) ? false : node.hidden,
  }));
  return withEntities(placeNew({ ...whole, nodes: drawn }, (key) => apart.has(key)));
}

/** Begins at an address: it is drawn before anything is known of it. */
export function begun(scene: Scene, key: string): Scene {
  const isKnown = scene.nodes.some((node) => node.key === key);
  return { ...scene, subject: key, nodes: isKnown ? scene.nodes : [...scene.nodes, bareNode(placeOf(key))] };
}

/** Only the newest account has shares: those of another subject would not add up with it. */
export function followedFrom(scene: Scene, followed: NonNullable<Scene['followed']>, findings: Additions): Scene {
  const flows = scene.flows.map((flow) => (flow.share === null ? flow : { ...flow, share: null }));
  return { ...grown({ ...scene, flows }, findings), followed };
}

/** Facts of drawn addresses, and transfers behind drawn sums. */
export function informed(
  scene: Scene,
  facts: NodeFacts[],
  transfers: ReadonlyMap<string, SceneFlow['transfers']> = new Map(),
): Scene {
  const byKey = new Map(facts.map((one) => [one.key, one]));
  const nodes = scene.nodes.map((node) => {
    const found = byKey.get(node.key);
    return found ? withFacts(node, found) : node;
  });
  const flows = scene.flows.map((flow) => {
    const found = transfers.get(flow.id);
    return found ? { ...flow, transfers: found } : flow;
  });
  return withEntities({ ...scene, nodes, flows });
}

/** Adds facts; the others stay as they were: a path names its parties by address alone. */
function withFacts(
  { partly, ...node }: SceneNode,
  { label, named, category, entity, read, state, transaction }: NodeFacts,
): SceneNode {
  const isPartly = state === undefined ? partly : state === 'partial';
  return {
    ...node,
    ...(isPartly ? { partly: true as const } : {}),
    ...(transaction ? { transaction } : {}),
    ...(named ? { named } : {}),
    label: node.named && !named ? node.label : (label ?? node.label),
    category: category && category !== 'unknown' ? category : node.category,
    entity: entity ?? node.entity,
    read: node.read || (read ?? node.read),
  };
}

function mergedFlows(before: readonly SceneFlow[], found: readonly SceneFlow[]): SceneFlow[] {
  const flows = new Map(before.map((flow) => [flow.id, flow]));
  for (const flow of found) {
    const known = flows.get(flow.id);
    if (!known || saysMore(flow, known)) flows.set(flow.id, flow);
  }
  return [...flows.values()];
}

/** Prefers what was opened again, the followed money before any sum, then the sum of all transfers before one of them. */
function saysMore(flow: SceneFlow, known: SceneFlow): boolean {
  if (flow.part !== undefined) return true;
  if ((flow.share === null) !== (known.share === null)) return flow.share !== null;
  if (flow.usd !== null && known.usd === null) return true;
  return flow.tx_count > known.tx_count || (flow.share !== null && flow.tx_count === known.tx_count);
}

/** At most as many nodes as a board holds; the first ones, since answers name the largest first. */
function bounded(scene: Scene, isNew: (key: string) => boolean): Scene {
  if (scene.nodes.length <= SCENE_NODES_MAX) return scene;
  const standing = scene.nodes.filter(({ key }) => !isNew(key)).length;
  const room = Math.max(0, SCENE_NODES_MAX - standing);
  const taken = new Set(
    scene.nodes
      .filter(({ key }) => isNew(key))
      .slice(0, room)
      .map(({ key }) => key),
  );
  const isKept = (key: string) => !isNew(key) || taken.has(key);
  return {
    ...scene,
    nodes: scene.nodes.filter(({ key }) => isKept(key)),
    flows: scene.flows.filter(({ from, to }) => isKept(from) && isKept(to)),
  };
}

/** Addresses of one entity are one group; who was grouped by hand stays there. */
function withEntities(scene: Scene): Scene {
  const free = scene.nodes.filter(({ entity, group, bundle }) => entity !== null && group === null && bundle === null);
  if (free.length === 0) return scene;
  const known = new Map(scene.groups.map((group) => [group.id, group]));
  const byId = new Map<string, string[]>();
  for (const { key, entity } of free) byId.set(`entity:${entity}`, [...(byId.get(`entity:${entity}`) ?? []), key]);
  const groupOf = new Map<string, string>();
  for (const [id, keys] of byId) {
    if (!known.has(id) && keys.length < 2) continue;
    known.set(id, known.get(id) ?? { id, name: id.slice('entity:'.length), collapsed: false });
    for (const key of keys) groupOf.set(key, id);
  }
  if (groupOf.size === 0) return scene;
  const nodes = scene.nodes.map((node) => ({ ...node, group: groupOf.get(node.key) ?? node.group }));
  return { ...scene, nodes, groups: [...known.values()] };
}

/** Part of the value that a bridge's fee may be. */
const FEE_MAX = 0.1;

/** Removes the payments to bridges that crossings replace, and the addresses that had no other flow. */
function withoutReplaced(scene: Scene): Scene {
  const crossings = scene.flows.filter(({ bridge }) => bridge !== null);
  if (crossings.length === 0) return scene;
  const isReplaced = (flow: SceneFlow) =>
    flow.bridge === null &&
    // An opened transaction shows all that it paid.
    flow.part === undefined &&
    // A sum of several transactions holds money that the crossing did not carry.
    flow.tx_count === 1 &&
    crossings.some((crossing) => isDeparture(flow, crossing) || isArrival(flow, crossing));
  const flows = scene.flows.filter((flow) => !isReplaced(flow));
  if (flows.length === scene.flows.length) return scene;
  const [before, after] = [endsOf(scene.flows), endsOf(flows)];
  const nodes = scene.nodes.filter(({ key }) => key === scene.subject || after.has(key) || !before.has(key));
  return { ...scene, nodes, flows };
}

function endsOf(flows: readonly SceneFlow[]): Set<string> {
  return new Set(flows.flatMap(({ from, to }) => [from, to]));
}

/** The transaction may pay others too, such as change: those flows have another value. */
function isDeparture({ from, tx_hash, usd }: SceneFlow, crossing: SceneFlow): boolean {
  if (from !== crossing.from || tx_hash !== crossing.tx_hash) return false;
  return usd === null || crossing.usd === null || Math.abs(usd - crossing.usd) <= FEE_MAX * crossing.usd;
}

function isArrival({ to, tx_hash }: SceneFlow, crossing: SceneFlow): boolean {
  return to === crossing.to && tx_hash === crossing.bridge?.arrival.tx_hash;
}

import type { SceneFlow } from '../../src/domain/scene/scene.ts';
import { words } from '../browser/words.ts';
import { nodeKey, ofCounterparties, placeOf } from '../scene/additions.ts';
import { changeGroup, groupNodes, ungroup } from '../scene/edits.ts';
import { begun, grown } from '../scene/grow.ts';
import type { Edit } from '../scene/stage.ts';
import { apiPath, call } from '../service/api.ts';
import type { EntityAnswer } from '../service/tracing-answers.ts';
import { arrange, counterpartiesOf, listTransfers } from './asks.ts';
import type { Desk } from './desk.ts';

/** Members that are drawn, and others with whom they dealt: those with most of the money. */
const MEMBERS_MAX = 100;
const OTHERS_MAX = 20;
/** Counterparties are asked of so many members at once. */
const AT_ONCE = 8;

/** Draws the addresses of a holder as one card, with what moved between it and others, as one step. Costs nothing. */
export async function drawHolder(desk: Desk, id: string, signal: AbortSignal): Promise<void> {
  const query = { limit: MEMBERS_MAX };
  const entity = await call<EntityAnswer>(apiPath`/graph/entities/${id}`, { query, signal });
  const keys = entity.members.map(({ chain, address }) => nodeKey(chain, address));
  const found: ReturnType<typeof ofCounterparties>[] = [];
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const asked = keys.slice(start, start + AT_ONCE).map((key) => counterpartiesOf(placeOf(key), signal));
    for (const answer of await Promise.all(asked)) found.push(ofCounterparties(answer));
  }
  const isFirst = desk.stage.value.scene.nodes.length === 0;
  desk.edit((scene) => {
    const start = isFirst && keys[0] !== undefined ? begun(scene, keys[0]) : scene;
    const drawn = new Set([...start.nodes.map(({ key }) => key), ...keys]);
    const flows = largestFlows(
      found.flatMap((one) => one.flows),
      drawn,
    );
    const ends = new Set([...keys, ...flows.flatMap(({ from, to }) => [from, to])]);
    const nodes = found.flatMap((one) => one.nodes).filter(({ key }) => ends.has(key));
    const own = keys.map((key) => ({ key }));
    const all = grown(start, { nodes: [...own, ...nodes], flows }, { alone: true });
    return asOneCard(keys, `entity:${entity.id}`, entity.name ?? words().profile.holderShort)(all);
  });
  desk.chosen.value = new Set([`entity:${entity.id}`]);
  if (entity.total > keys.length) desk.notice.value = words().canvas.membersDrawn(keys.length, entity.total);
  await listTransfers(desk, signal);
  if (isFirst) await arrange(desk);
}

/** All between drawn addresses, and all with the others that most of the money came from or went to: sums of the card are whole. */
function largestFlows(flows: readonly SceneFlow[], drawn: ReadonlySet<string>): SceneFlow[] {
  const isInside = ({ from, to }: SceneFlow) => drawn.has(from) && drawn.has(to);
  const otherOf = ({ from, to }: SceneFlow) => (drawn.has(from) ? to : from);
  const moved = new Map<string, number>();
  for (const flow of flows) {
    if (!isInside(flow)) moved.set(otherOf(flow), (moved.get(otherOf(flow)) ?? 0) + (flow.usd ?? 0));
  }
  const largest = [...moved].sort(([, a], [, b]) => b - a).slice(0, OTHERS_MAX);
  const shown = new Set(largest.map(([key]) => key));
  return flows.filter((flow) => isInside(flow) || shown.has(otherOf(flow)));
}

/** Makes one folded group of the members; those that were grouped by hand stay where they are. */
function asOneCard(keys: readonly string[], id: string, name: string): Edit {
  return (scene) => {
    const members = new Set(keys);
    const free = scene.nodes.filter(
      ({ key, group }) => members.has(key) && (group === null || group.startsWith('entity:')),
    );
    const grouped = groupNodes(
      free.map(({ key }) => key),
      id,
      name,
    )(ungroup(id)(scene));
    return changeGroup(id, { collapsed: true })(grouped);
  };
}

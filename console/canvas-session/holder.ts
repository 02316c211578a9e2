import type { SceneFlow } from '../../src/domain/scene/scene.ts';
import { words } from '../browser/words.ts';
import { type Additions, nodeKey, ofCounterparties, placeOf } from '../scene/additions.ts';
import { changeGroup, groupNodes, ungroup } from '../scene/edits.ts';
import { begun, grown } from '../scene/grow.ts';
import type { Edit } from '../scene/stage.ts';
import { ApiError, apiPath, call } from '../service/api.ts';
import type { EntityAnswer } from '../service/tracing-answers.ts';
import { arrange, counterpartiesOf, listTransfers } from './asks.ts';
import type { CanvasSession } from './canvas-session.ts';

/** Members that are drawn, and others with whom they dealt: those with most of the money. */
const MEMBERS_MAX = 100;
const OTHERS_MAX = 20;
/** Members whose counterparties are asked at once. */
const AT_ONCE = 8;

/** Draws the addresses of a holder as one card, with what moved between it and others, as one step. Costs nothing. */
export async function drawHolder(session: CanvasSession, id: string, signal: AbortSignal): Promise<void> {
  const query = { limit: MEMBERS_MAX };
  const entity = await call<EntityAnswer>(apiPath`/graph/entities/${id}`, { query, signal });
  const members = entity.members.map(({ chain, address }) => nodeKey(chain, address));
  const before = session.stage.value.scene.nodes;
  const known = new Set(before.map(({ key }) => key));
  // Drawing it again goes on where a limit ended it.
  const order = members.toSorted((a, b) => Number(known.has(a)) - Number(known.has(b)));
  const { answers, refused } = await askMembers(order, signal);
  const keys = members.filter((key) => answers.has(key));
  const found = [...answers.values()];
  // What it pays itself stays out of its dealings with others, also where the other address is not drawn.
  const left = new Set(members.filter((key) => !answers.has(key) && !known.has(key)));
  const isFirst = before.length === 0;
  session.edit((scene) => {
    const start = isFirst && keys[0] !== undefined ? begun(scene, keys[0]) : scene;
    const drawn = new Set([...start.nodes.map(({ key }) => key), ...keys]);
    const flows = largestFlows(
      found.flatMap((one) => one.flows).filter(({ from, to }) => !left.has(from) && !left.has(to)),
      drawn,
    );
    const ends = new Set([...keys, ...flows.flatMap(({ from, to }) => [from, to])]);
    const nodes = found.flatMap((one) => one.nodes).filter(({ key }) => ends.has(key));
    const own = keys.map((key) => ({ key }));
    const all = grown(start, { nodes: [...own, ...nodes], flows }, { alone: true });
    return asOneCard(members, `entity:${entity.id}`, entity.name ?? words().profile.holderShort)(all);
  });
  session.chosen.value = new Set([`entity:${entity.id}`]);
  const own = new Set(members);
  const drawn = session.stage.value.scene.nodes.filter(({ key }) => own.has(key)).length;
  if (entity.total > drawn) session.notice.value = words().canvas.membersDrawn(drawn, entity.total);
  if (isFirst) await arrange(session);
  if (refused) throw refused;
  await listTransfers(session, signal);
}

/** Asks with whom each of the keys dealt, a few at once, until the plan allows no more in this minute. */
async function askMembers(keys: readonly string[], signal: AbortSignal) {
  const answers = new Map<string, Additions>();
  let refused: ApiError | null = null;
  const ask = async (key: string) => {
    try {
      answers.set(key, ofCounterparties(await counterpartiesOf(placeOf(key), signal)));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      refused = error;
    }
  };
  for (let start = 0; start < keys.length && !refused; start += AT_ONCE)
    await Promise.all(keys.slice(start, start + AT_ONCE).map(ask));
  if (refused && answers.size === 0) throw refused;
  return { answers, refused };
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

import type { Scene, SceneFlow } from '../../src/domain/scene/scene.ts';

/** Part of the value that a bridge's fee may be. */
const FEE_MAX = 0.1;

/** Removes the payments to bridges that crossings replace, and the addresses that had no other flow. */
export function withoutReplaced(scene: Scene): Scene {
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

import { words } from '../../../browser/words.ts';
import { chosenKeys, type Desk, nodeOfKey } from '../../../desk/desk.ts';
import { BundlePanel } from './bundle-panel.tsx';
import { FlowPanel } from './flow-panel.tsx';
import { GroupPanel } from './group-panel.tsx';
import { ManyPanel } from './many-panel.tsx';
import { NodePanel } from './node-panel.tsx';
import { TextPanel } from './text-panel.tsx';
import { TransactionPanel } from './transaction-panel.tsx';

/** The panel of what is chosen. */
export function Chosen({ desk }: { desk: Desk }) {
  const chosen = [...desk.chosen.value];
  const [id = ''] = chosen;
  const { scene } = desk.stage.value;
  const keys = chosenKeys(desk);
  const edge = desk.shown.value.edges.find((one) => one.id === id);
  if (chosen.length === 1 && edge) return <FlowPanel key={id} desk={desk} edge={edge} />;
  const text = scene.texts.find((one) => one.id === id);
  if (chosen.length === 1 && text) return <TextPanel key={id} desk={desk} text={text} />;
  const shown = desk.shown.value.nodes.find((one) => one.id === id);
  if (chosen.length === 1 && shown?.kind === 'bundle') return <BundlePanel key={id} desk={desk} bundle={shown} />;
  const node = keys.length === 1 && keys[0] !== undefined ? nodeOfKey(desk, keys[0]) : undefined;
  if (node?.transaction) return <TransactionPanel key={node.key} desk={desk} node={node} />;
  if (node) return <NodePanel key={node.key} desk={desk} node={node} />;
  const groups = new Set(keys.map((key) => nodeOfKey(desk, key)?.group ?? null));
  const [groupId] = groups;
  const group = groups.size === 1 ? scene.groups.find((one) => one.id === groupId) : undefined;
  if (group) return <GroupPanel key={group.id} desk={desk} group={group} />;
  return keys.length > 0 ? <ManyPanel desk={desk} keys={keys} /> : <p class="note">{words().investigate.none}</p>;
}

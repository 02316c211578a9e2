import type { Scene } from '../../../../src/domain/scene/scene.ts';
import type { ShownNode } from '../../../../src/domain/scene/shown.ts';
import { words } from '../../../browser/words.ts';
import { chosenKeys, type Desk, nodeOfKey } from '../../../desk/desk.ts';
import { Field } from '../../../parts/field.tsx';
import { placeOf } from '../../../scene/additions.ts';
import { writeText } from '../../../scene/edits.ts';
import { FlowPanel } from './flow-panel.tsx';
import { GroupPanel } from './group-panel.tsx';
import { HubTable } from './hub/hub-table.tsx';
import { ManyPanel } from './many-panel.tsx';
import { NodePanel } from './node-panel.tsx';
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

/** The rest of a hub: its counterparties as a table, of which some can be drawn by themselves. */
function BundlePanel({ desk, bundle }: { desk: Desk; bundle: ShownNode }) {
  const title = words().canvas.more(bundle.keys.length);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {bundle.node.bundle !== null && <HubTable desk={desk} hub={placeOf(bundle.node.bundle)} />}
    </section>
  );
}

/** A text on the canvas; emptied it goes. */
function TextPanel({ desk, text }: { desk: Desk; text: Scene['texts'][number] }) {
  const texts = words().canvas;
  return (
    <section aria-label={texts.text}>
      <Field label={texts.text}>
        <textarea
          name="text"
          rows={5}
          maxLength={5_000}
          defaultValue={text.text}
          onChange={(event) => desk.edit(writeText(text.id, event.currentTarget.value, text))}
        />
      </Field>
      <button type="button" onClick={() => desk.edit(writeText(text.id, '', text))}>
        {texts.remove}
      </button>
    </section>
  );
}

import type { Scene } from '../../../../src/domain/scene/scene.ts';
import type { ShownNode } from '../../../../src/domain/scene/shown.ts';
import { words } from '../../../browser/words.ts';
import { readAddress, regroup } from '../../../desk/asks.ts';
import { chosenKeys, type Desk, nodeOfKey } from '../../../desk/desk.ts';
import { Field } from '../../../parts/field.tsx';
import { SpendButton } from '../../../parts/form/spend-button.tsx';
import { placeOf } from '../../../scene/additions.ts';
import { distancesFrom } from '../../../scene/arrange.ts';
import { changeGroup, changeNodes, groupNodes, ungroup, writeText } from '../../../scene/edits.ts';
import { FlowPanel } from './flow-panel.tsx';
import { HubTable } from './hub-table.tsx';
import { NodePanel } from './node-panel.tsx';
import { PairPanel } from './pair-panel.tsx';
import { AddToCase } from './pieces/add-to-case.tsx';
import { AddressButtons } from './pieces/address-buttons.tsx';
import { ColourChoice } from './pieces/colour-choice.tsx';
import { HolderFacts } from './pieces/holder-facts.tsx';
import { NoteField } from './pieces/note-field.tsx';
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

/** A group of addresses: its name, whether it is folded into one node, and its members. */
function GroupPanel({ desk, group }: { desk: Desk; group: Scene['groups'][number] }) {
  const texts = words().canvas;
  const members = desk.stage.value.scene.nodes.filter((node) => node.group === group.id);
  // What was chosen stays chosen, as one card or as its addresses.
  const turn = () => {
    void regroup(desk, changeGroup(group.id, { collapsed: !group.collapsed }));
    desk.chosen.value = new Set(group.collapsed ? members.map(({ key }) => key) : [group.id]);
  };
  const [first] = members;
  return (
    <section aria-label={texts.group}>
      <Field label={texts.groupName}>
        <input
          name="group"
          maxLength={300}
          defaultValue={group.name}
          onChange={(event) => desk.edit(changeGroup(group.id, { name: event.currentTarget.value }))}
        />
      </Field>
      <div class="row">
        <button type="button" onClick={() => void regroup(desk, ungroup(group.id))}>
          {texts.actions.ungroup}
        </button>
        {/* Last: its width changes, and no other button may come under the pointer. A double click turns once. */}
        <button type="button" onClick={({ detail }) => detail < 2 && turn()}>
          {group.collapsed ? texts.unfold : texts.fold}
        </button>
      </div>
      {first && group.id.startsWith('entity:') && <HolderFacts chain={first.chain} address={first.address} />}
      <AddressButtons desk={desk} nodes={members} />
    </section>
  );
}

const LISTED_MAX = 100;

/** Several chosen addresses and what is done with all of them; of two, how they are related. */
function ManyPanel({ desk, keys }: { desk: Desk; keys: readonly string[] }) {
  const texts = words().canvas;
  const chosen = keys.flatMap((key) => nodeOfKey(desk, key) ?? []);
  // A transaction is hidden, coloured and grouped with the others; what is asked is asked of addresses.
  const nodes = chosen.filter(({ transaction }) => !transaction);
  const [first, second] = nodes;
  const { subject, flows } = desk.stage.value.scene;
  const unread = nodes.filter(({ read, partly }) => read !== true || partly);
  const hide = () => {
    desk.edit(changeNodes(keys, { hidden: true }));
    desk.chosen.value = new Set();
  };
  const scanAll = () =>
    desk.run(async (signal) => {
      for (const node of unread) await readAddress(desk, node, signal);
    });
  return (
    <section aria-label={texts.chosen(nodes.length)}>
      <h2>{texts.chosen(nodes.length)}</h2>
      <div class="row">
        <button type="button" onClick={() => desk.edit(groupNodes(keys, `group:${Date.now()}`, texts.newGroup))}>
          {texts.actions.group}
        </button>
        <button type="button" onClick={hide}>
          {texts.actions.hide}
        </button>
      </div>
      {unread.length > 0 && (
        <SpendButton
          label={texts.scanAll}
          scans={unread.length}
          disabled={desk.busy.value}
          onSpend={() => void scanAll()}
        />
      )}
      <NoteField key={keys.join(' ')} desk={desk} keys={keys} />
      <ColourChoice desk={desk} keys={keys} colour={null} />
      <AddToCase nodes={nodes} hops={subject === null ? new Map() : distancesFrom(subject, flows)} />
      {nodes.length === 2 && first && second && <PairPanel key={keys.join(' ')} desk={desk} from={first} to={second} />}
      <AddressButtons desk={desk} nodes={nodes.slice(0, LISTED_MAX)} />
    </section>
  );
}

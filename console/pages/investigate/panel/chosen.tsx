import type { Scene } from '../../../../src/domain/scene/scene.ts';
import type { ShownNode } from '../../../../src/domain/scene/shown.ts';
import { words } from '../../../browser/words.ts';
import { readAddress, regroup } from '../../../canvas-session/asks.ts';
import { type CanvasSession, chosenKeys, nodeOfKey } from '../../../canvas-session/canvas-session.ts';
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
export function Chosen({ session }: { session: CanvasSession }) {
  const chosen = [...session.chosen.value];
  const [id = ''] = chosen;
  const { scene } = session.stage.value;
  const keys = chosenKeys(session);
  const edge = session.shown.value.edges.find((one) => one.id === id);
  if (chosen.length === 1 && edge) return <FlowPanel key={id} session={session} edge={edge} />;
  const text = scene.texts.find((one) => one.id === id);
  if (chosen.length === 1 && text) return <TextPanel key={id} session={session} text={text} />;
  const shown = session.shown.value.nodes.find((one) => one.id === id);
  if (chosen.length === 1 && shown?.kind === 'bundle') return <BundlePanel key={id} session={session} bundle={shown} />;
  const node = keys.length === 1 && keys[0] !== undefined ? nodeOfKey(session, keys[0]) : undefined;
  if (node?.transaction) return <TransactionPanel key={node.key} session={session} node={node} />;
  if (node) return <NodePanel key={node.key} session={session} node={node} />;
  const groups = new Set(keys.map((key) => nodeOfKey(session, key)?.group ?? null));
  const [groupId] = groups;
  const group = groups.size === 1 ? scene.groups.find((one) => one.id === groupId) : undefined;
  if (group) return <GroupPanel key={group.id} session={session} group={group} />;
  return keys.length > 0 ? <ManyPanel session={session} keys={keys} /> : <p class="note">{words().investigate.none}</p>;
}

/** The rest of a hub: its counterparties as a table, of which some can be drawn by themselves. */
function BundlePanel({ session, bundle }: { session: CanvasSession; bundle: ShownNode }) {
  const title = words().canvas.more(bundle.keys.length);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {bundle.node.bundle !== null && <HubTable session={session} hub={placeOf(bundle.node.bundle)} />}
    </section>
  );
}

/** A text on the canvas; emptied it goes. */
function TextPanel({ session, text }: { session: CanvasSession; text: Scene['texts'][number] }) {
  const texts = words().canvas;
  return (
    <section aria-label={texts.text}>
      <Field label={texts.text}>
        <textarea
          name="text"
          rows={5}
          maxLength={5_000}
          defaultValue={text.text}
          onChange={(event) => session.edit(writeText(text.id, event.currentTarget.value, text))}
        />
      </Field>
      <button type="button" onClick={() => session.edit(writeText(text.id, '', text))}>
        {texts.remove}
      </button>
    </section>
  );
}

/** A group of addresses: its name, whether it is folded into one node, and its members. */
function GroupPanel({ session, group }: { session: CanvasSession; group: Scene['groups'][number] }) {
  const texts = words().canvas;
  const members = session.stage.value.scene.nodes.filter((node) => node.group === group.id);
  // What was chosen stays chosen, as one card or as its addresses.
  const turn = () => {
    void regroup(session, changeGroup(group.id, { collapsed: !group.collapsed }));
    session.chosen.value = new Set(group.collapsed ? members.map(({ key }) => key) : [group.id]);
  };
  const [first] = members;
  return (
    <section aria-label={texts.group}>
      <Field label={texts.groupName}>
        <input
          name="group"
          maxLength={300}
          defaultValue={group.name}
          onChange={(event) => session.edit(changeGroup(group.id, { name: event.currentTarget.value }))}
        />
      </Field>
      <div class="row">
        <button type="button" onClick={() => void regroup(session, ungroup(group.id))}>
          {texts.actions.ungroup}
        </button>
        {/* Last: its width changes, and no other button may come under the pointer. A double click turns once. */}
        <button type="button" onClick={({ detail }) => detail < 2 && turn()}>
          {group.collapsed ? texts.unfold : texts.fold}
        </button>
      </div>
      {first && group.id.startsWith('entity:') && <HolderFacts chain={first.chain} address={first.address} />}
      <AddressButtons session={session} nodes={members} />
    </section>
  );
}

const LISTED_MAX = 100;

/** Several chosen addresses and what is done with all of them; of two, how they are related. */
function ManyPanel({ session, keys }: { session: CanvasSession; keys: readonly string[] }) {
  const texts = words().canvas;
  const chosen = keys.flatMap((key) => nodeOfKey(session, key) ?? []);
  // A transaction is hidden, coloured and grouped with the others; what is asked is asked of addresses.
  const nodes = chosen.filter(({ transaction }) => !transaction);
  const [first, second] = nodes;
  const { subject, flows } = session.stage.value.scene;
  const unread = nodes.filter(({ read, partly }) => read !== true || partly);
  const hide = () => {
    session.edit(changeNodes(keys, { hidden: true }));
    session.chosen.value = new Set();
  };
  const scanAll = () =>
    session.run(async (signal) => {
      for (const node of unread) await readAddress(session, node, signal);
    });
  return (
    <section aria-label={texts.chosen(nodes.length)}>
      <h2>{texts.chosen(nodes.length)}</h2>
      <div class="row">
        <button type="button" onClick={() => session.edit(groupNodes(keys, `group:${Date.now()}`, texts.newGroup))}>
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
          disabled={session.busy.value}
          onSpend={() => void scanAll()}
        />
      )}
      <NoteField key={keys.join(' ')} session={session} keys={keys} />
      <ColourChoice session={session} keys={keys} colour={null} />
      <AddToCase nodes={nodes} hops={subject === null ? new Map() : distancesFrom(subject, flows)} />
      {nodes.length === 2 && first && second && (
        <PairPanel key={keys.join(' ')} session={session} from={first} to={second} />
      )}
      <AddressButtons session={session} nodes={nodes.slice(0, LISTED_MAX)} />
    </section>
  );
}

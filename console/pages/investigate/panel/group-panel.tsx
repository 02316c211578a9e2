import type { Scene } from '../../../../src/domain/scene/scene.ts';
import { words } from '../../../browser/words.ts';
import type { Desk } from '../../../desk/desk.ts';
import { Field } from '../../../parts/field.tsx';
import { changeGroup, ungroup } from '../../../scene/edits.ts';
import { AddressButtons } from './pieces/address-buttons.tsx';
import { HolderFacts } from './pieces/holder-facts.tsx';

/** A group of addresses: its name, whether it is folded into one node, and its members. */
export function GroupPanel({ desk, group }: { desk: Desk; group: Scene['groups'][number] }) {
  const texts = words().canvas;
  const members = desk.stage.value.scene.nodes.filter((node) => node.group === group.id);
  // What was chosen stays chosen, as one card or as its addresses.
  const turn = () => {
    desk.edit(changeGroup(group.id, { collapsed: !group.collapsed }));
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
        <button type="button" onClick={turn}>
          {group.collapsed ? texts.unfold : texts.fold}
        </button>
        <button type="button" onClick={() => desk.edit(ungroup(group.id))}>
          {texts.actions.ungroup}
        </button>
      </div>
      {first && group.id.startsWith('entity:') && <HolderFacts chain={first.chain} address={first.address} />}
      <AddressButtons desk={desk} nodes={members} />
    </section>
  );
}

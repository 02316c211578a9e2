import { words } from '../../../browser/words.ts';
import { readAddress } from '../../../desk/asks.ts';
import { type Desk, nodeOfKey } from '../../../desk/desk.ts';
import { SpendButton } from '../../../parts/form/spend-button.tsx';
import { distancesFrom } from '../../../scene/arrange.ts';
import { changeNodes, groupNodes } from '../../../scene/edits.ts';
import { PairPanel } from './pair-panel.tsx';
import { AddToCase } from './pieces/add-to-case.tsx';
import { AddressButtons } from './pieces/address-buttons.tsx';
import { ColourChoice } from './pieces/colour-choice.tsx';
import { NoteField } from './pieces/note-field.tsx';

const LISTED_MAX = 100;

/** Several chosen addresses and what is done with all of them; of two, how they are related. */
export function ManyPanel({ desk, keys }: { desk: Desk; keys: readonly string[] }) {
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

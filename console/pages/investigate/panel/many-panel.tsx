import { words } from '../../../browser/words.ts';
import { type Desk, nodeOfKey } from '../../../desk/desk.ts';
import { PairPanel } from './pair-panel.tsx';
import { AddressButtons } from './pieces/address-buttons.tsx';
import { ColourChoice } from './pieces/colour-choice.tsx';

const LISTED_MAX = 100;

/** Several chosen addresses; of two, how they are related. */
export function ManyPanel({ desk, keys }: { desk: Desk; keys: readonly string[] }) {
  const nodes = keys.flatMap((key) => nodeOfKey(desk, key) ?? []);
  const [first, second] = nodes;
  return (
    <section aria-label={words().canvas.chosen(nodes.length)}>
      <h2>{words().canvas.chosen(nodes.length)}</h2>
      <ColourChoice desk={desk} keys={keys} colour={null} />
      {nodes.length === 2 && first && second && <PairPanel key={keys.join(' ')} desk={desk} from={first} to={second} />}
      <AddressButtons desk={desk} nodes={nodes.slice(0, LISTED_MAX)} />
    </section>
  );
}

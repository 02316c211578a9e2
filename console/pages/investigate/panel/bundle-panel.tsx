import type { ShownNode } from '../../../../src/domain/scene/shown.ts';
import { words } from '../../../browser/words.ts';
import type { Desk } from '../../../desk/desk.ts';
import { placeOf } from '../../../scene/additions.ts';
import { HubTable } from './hub/hub-table.tsx';

/** The rest of a hub: its counterparties as a table, of which some can be drawn by themselves. */
export function BundlePanel({ desk, bundle }: { desk: Desk; bundle: ShownNode }) {
  const title = words().canvas.more(bundle.keys.length);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {bundle.node.bundle !== null && <HubTable desk={desk} hub={placeOf(bundle.node.bundle)} />}
    </section>
  );
}

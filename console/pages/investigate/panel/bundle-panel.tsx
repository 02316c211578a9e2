import { useState } from 'preact/hooks';
import { partners } from '../../../../src/domain/scene/bundles.ts';
import { movedFlows, type ShownNode } from '../../../../src/domain/scene/shown.ts';
import { dollars } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { addressName } from '../../../canvas/elements.ts';
import type { Desk } from '../../../desk/desk.ts';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { Table } from '../../../parts/table.tsx';
import { drawFromBundle } from '../../../scene/edits.ts';
import { placesFor } from '../../../scene/place.ts';

const PAGE = 50;

/** The rest of a hub as a table, largest first; chosen ones are drawn by themselves. */
export function BundlePanel({ desk, bundle }: { desk: Desk; bundle: ShownNode }) {
  const texts = words().canvas;
  const [offset, setOffset] = useState(0);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const { scene } = desk.stage.value;
  const inside = new Set(bundle.keys);
  const sums = partners(movedFlows(scene).map(({ flow, sum }) => ({ ...flow, usd: sum.usd })));
  const rows = scene.nodes
    .filter(({ key }) => inside.has(key))
    .map((node) => ({ ...node, usd: sums.get(node.key)?.usd ?? 0 }))
    .sort((a, b) => b.usd - a.usd);
  const toggle = (key: string) =>
    setWanted((before) =>
      before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
    );
  const drawThem = () => {
    const keys = rows.map(({ key }) => key).filter((key) => wanted.has(key));
    const single = new Set(keys);
    const apart = scene.nodes.map((node) => (single.has(node.key) ? { ...node, bundle: null } : node));
    desk.edit(drawFromBundle(placesFor({ ...scene, nodes: apart }, keys)));
    setWanted(new Set());
  };
  return (
    <section aria-label={texts.more(bundle.keys.length)}>
      <h2>{texts.more(bundle.keys.length)}</h2>
      <button type="button" class="primary" disabled={wanted.size === 0} onClick={drawThem}>
        {texts.drawThese(wanted.size)}
      </button>
      <Table
        caption={texts.more(bundle.keys.length)}
        rows={rows.slice(offset, offset + PAGE)}
        keyOf={({ key }) => key}
        empty=""
        columns={[
          {
            title: texts.draw,
            cell: ({ key, address }) => (
              <input type="checkbox" aria-label={address} checked={wanted.has(key)} onChange={() => toggle(key)} />
            ),
          },
          {
            title: words().investigate.address,
            cell: ({ label, address, category }) => (
              <span title={address}>
                {addressName({ label, address })} {category !== 'unknown' && <CategoryBadge category={category} />}
              </span>
            ),
          },
          { title: words().investigate.value, cell: ({ usd }) => dollars(usd), numeric: true },
        ]}
      />
      <Pager page={{ offset, limit: PAGE, total: rows.length }} onOffset={setOffset} />
    </section>
  );
}

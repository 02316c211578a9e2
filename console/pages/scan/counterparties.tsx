import { isolated } from '../../../words/figures.ts';
import { count } from '../../browser/figures.ts';
import { comma, words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { type BadgeCategory, CategoryBadge } from '../../parts/category-badge.tsx';
import { OwnLabels } from '../../parts/own-labels.tsx';
import { Table } from '../../parts/table.tsx';
import type { ScanCounterparty } from '../../service/answers.ts';

export function Counterparties({ chain, counterparties }: { chain: string; counterparties: ScanCounterparty[] }) {
  const texts = words().scan;
  return (
    <section class="card" aria-labelledby="counterparties">
      <h2 id="counterparties">{texts.counterparties}</h2>
      <Table
        caption={texts.counterparties}
        rows={counterparties}
        keyOf={(one) => one.address}
        empty={texts.noCounterparties}
        columns={[
          { title: texts.address, cell: (one) => <AddressText chain={chain} address={one.address} /> },
          {
            title: texts.label,
            cell: (one) => (
              <>
                {one.label} <OwnLabels labels={one.own_labels} />
              </>
            ),
          },
          { title: texts.category, cell: (one) => <KnownCategory category={one.label_category ?? one.category} /> },
          { title: texts.transfersIn, cell: (one) => one.received_count || null, numeric: true },
          { title: texts.transfersOut, cell: (one) => one.sent_count || null, numeric: true },
          {
            title: texts.value,
            cell: (one) =>
              Object.entries(one.value_by_asset)
                .map(([asset, value]) => isolated(`${count(value)} ${asset}`))
                .join(comma()),
            numeric: true,
          },
          { title: texts.proof, cell: (one) => <CopyText text={one.tx_hash} /> },
        ]}
      />
    </section>
  );
}

/** Most parties are of no known category: a badge marks those that are. */
function KnownCategory({ category }: { category: BadgeCategory }) {
  return category === 'unknown' ? null : <CategoryBadge category={category} />;
}

import { chainName } from '../../../src/domain/chain.ts';
import { dollars, percentOnLine } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { EndReasonText } from '../../parts/form/end-reason.tsx';
import { Table } from '../../parts/table.tsx';
import type { Unread } from '../../service/answers.ts';

/** The addresses behind which the money is not known. */
export function TraceFrontier({ frontier }: { frontier: Unread[] }) {
  const texts = words().scan;
  if (frontier.length === 0) return null;
  return (
    <section class="card" aria-labelledby="trace-frontier">
      <h2 id="trace-frontier">{texts.frontier}</h2>
      <p class="muted">{texts.frontierNote}</p>
      <Table
        caption={texts.frontier}
        rows={frontier}
        keyOf={(one) => `${one.direction} ${one.chain} ${one.address} ${one.reason} ${one.bridge?.crossing_id}`}
        empty=""
        columns={[
          { title: texts.address, cell: (one) => <AddressText chain={one.chain} address={one.address} /> },
          { title: texts.chain, cell: (one) => chainName(one.chain) },
          { title: texts.direction, cell: (one) => texts[one.direction] },
          { title: texts.value, cell: (one) => dollars(one.usd), numeric: true },
          { title: texts.share, cell: (one) => percentOnLine(one.share), numeric: true },
          {
            title: texts.reason,
            cell: (one) => <EndReasonText end={one} />,
          },
        ]}
      />
    </section>
  );
}

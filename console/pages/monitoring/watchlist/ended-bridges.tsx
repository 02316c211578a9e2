import { chainName } from '../../../../src/domain/chain.ts';
import { dollars } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { EndReasonText } from '../../../parts/form/end-reason.tsx';
import { Table } from '../../../parts/table.tsx';
import type { DiscoveryList } from '../../../service/answers.ts';

/** The crossings of bridges at which the last walk of Follow Mode ended; nothing where it ended at none. */
export function EndedBridges({ coverage }: { coverage: DiscoveryList['coverage'] }) {
  if (!coverage || coverage.frontier.length === 0) return null;
  const texts = words().monitoring;
  const columns = words().scan;
  return (
    <>
      <h3>{texts.endedBridges(coverage.frontier_count)}</h3>
      <Table
        caption={texts.endedBridges(coverage.frontier_count)}
        rows={coverage.frontier}
        keyOf={(one) => `${one.direction} ${one.bridge?.crossing_id}`}
        empty=""
        columns={[
          { title: columns.address, cell: (one) => <AddressText chain={one.chain} address={one.address} /> },
          { title: columns.chain, cell: (one) => one.chain && chainName(one.chain) },
          { title: columns.direction, cell: (one) => words().parts.directions[one.direction] },
          { title: columns.value, cell: (one) => dollars(one.usd), numeric: true },
          {
            title: columns.reason,
            cell: (one) => <EndReasonText end={one} />,
          },
        ]}
      />
    </>
  );
}

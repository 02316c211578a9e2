import { AddressText } from '../../../parts/address-text.tsx';
import { EndReason } from '../../../parts/form/end-reason.tsx';
import { Table } from '../../../parts/table.tsx';
import type { DiscoveryList } from '../../../service/answers.ts';
import { usd } from '../../../texts/formats.ts';
import { monitoringTexts } from '../../../texts/monitoring.ts';
import { partTexts } from '../../../texts/parts.ts';
import { scanTexts } from '../../../texts/scan.ts';

/** The crossings of bridges at which the last walk of Follow Mode ended; nothing where it ended at none. */
export function EndedBridges({ coverage }: { coverage: DiscoveryList['coverage'] }) {
  if (!coverage || coverage.frontier.length === 0) return null;
  const texts = monitoringTexts();
  const columns = scanTexts();
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
          { title: columns.chain, cell: (one) => one.chain },
          { title: columns.direction, cell: (one) => partTexts().directions[one.direction] },
          { title: columns.value, cell: (one) => usd(one.usd), numeric: true },
          {
            title: columns.reason,
            cell: (one) => <EndReason end={one} />,
          },
        ]}
      />
    </>
  );
}

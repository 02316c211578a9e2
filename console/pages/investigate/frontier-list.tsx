import { dollars, percentOnLine } from '../../../src/words/figures.ts';
import { bracketed, words } from '../../browser/words.ts';
import { nodeKey, readingHelps } from '../../graph/money-graph.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { EndReasonText } from '../../parts/form/end-reason.tsx';
import { Table } from '../../parts/table.tsx';
import type { Unread } from '../../service/answers.ts';
import type { Investigation } from './investigation.ts';

/** Where a trace ended and why, with a button that reads the address where that can take it further. */
export function FrontierList({ investigation, frontier }: { investigation: Investigation; frontier: Unread[] }) {
  const texts = words().investigate;
  const { graph, busy, read } = investigation;
  const isRead = ({ chain, address }: Unread) => graph.nodes.get(nodeKey(chain, address))?.read === true;
  const ends = frontier.filter((one) => one.reason !== 'not_read' || !isRead(one));
  return (
    <>
      <h3>{texts.frontier}</h3>
      <Table
        caption={texts.frontier}
        rows={ends}
        keyOf={(one) => `${one.direction} ${one.chain} ${one.address} ${one.reason} ${one.bridge?.crossing_id}`}
        empty={texts.noFrontier}
        columns={[
          {
            title: texts.address,
            cell: (one) => (
              <>
                <AddressText chain={one.chain} address={one.address} />
                {one.chain !== investigation.chain && <span class="muted"> {one.chain}</span>}
                <br />
                <EndReasonText end={one} />
              </>
            ),
          },
          {
            title: texts.value,
            cell: (one) => (
              <>
                {bracketed(dollars(one.usd), percentOnLine(one.share))}{' '}
                {readingHelps(one.reason) && (
                  <button type="button" disabled={busy} onClick={() => read(one)}>
                    {texts.readIt}
                  </button>
                )}
              </>
            ),
            numeric: true,
          },
        ]}
      />
    </>
  );
}

import { keyOf } from '../../graph/money-graph.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Table } from '../../parts/table.tsx';
import type { Unread } from '../../service/answers.ts';
import { percent, usd } from '../../texts/formats.ts';
import { investigateTexts } from '../../texts/investigate.ts';
import type { Investigation } from './investigation.ts';

/** The addresses that a trace left unread, each with a button that reads it. */
export function FrontierList({ investigation, frontier }: { investigation: Investigation; frontier: Unread[] }) {
  const texts = investigateTexts();
  const { graph, busy, read } = investigation;
  const waiting = frontier.filter(({ chain, address }) => graph.nodes.get(keyOf(chain, address))?.read !== true);
  return (
    <>
      <h3>{texts.frontier}</h3>
      <Table
        caption={texts.frontier}
        rows={waiting}
        keyOf={(one) => `${one.direction} ${one.chain} ${one.address}`}
        empty={texts.noFrontier}
        columns={[
          { title: texts.address, cell: (one) => <AddressText chain={one.chain} address={one.address} /> },
          { title: texts.value, cell: (one) => `${usd(one.usd)} (${percent(one.share)})`, numeric: true },
          {
            title: texts.state,
            cell: (one) => (
              <>
                <FrontierReason reason={one.reason} bridge={one.bridge} />{' '}
                {READING_HELPS.includes(one.reason) && (
                  <button type="button" disabled={busy} onClick={() => read(one)}>
                    {texts.readIt}
                  </button>
                )}
              </>
            ),
          },
        ]}
      />
    </>
  );
}

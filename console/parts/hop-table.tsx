import { count, dollars } from '../browser/figures.ts';
import { words } from '../browser/words.ts';
import type { HopAnswer } from '../service/answers.ts';
import { AddressText, CopyText } from './address-text.tsx';
import { MomentText } from './moment-text.tsx';
import { Table } from './table.tsx';
import { TagsText } from './tags-text.tsx';

/** The transfers of a path, each with the transaction that proves it. */
export function HopTable({ caption, hops }: { caption: string; hops: HopAnswer[] }) {
  const texts = words().parts;
  return (
    <Table
      caption={caption}
      rows={hops}
      keyOf={(hop) => `${hop.tx_hash} ${hop.from} ${hop.to} ${hop.asset}`}
      empty=""
      columns={[
        { title: texts.from, cell: (hop) => <AddressText chain={hop.chain} address={hop.from} /> },
        { title: texts.to, cell: (hop) => <AddressText chain={arrivalOf(hop)?.chain ?? hop.chain} address={hop.to} /> },
        { title: texts.amount, cell: (hop) => `${count(Number(hop.amount))} ${hop.asset}`, numeric: true },
        { title: texts.value, cell: (hop) => dollars(hop.usd), numeric: true },
        { title: texts.when, cell: (hop) => <MomentText at={hop.at} /> },
        {
          title: texts.transaction,
          cell: (hop) => (
            <>
              {[hop.tx_hash, arrivalOf(hop)?.tx_hash].map(
                (hash) =>
                  hash && (
                    <div key={hash}>
                      <CopyText text={hash} />
                    </div>
                  ),
              )}
              <TagsText {...hop} />
            </>
          ),
        },
      ]}
    />
  );
}

/** The destination of a bridge; null where it is not known, or without a bridge. */
function arrivalOf({ bridge }: HopAnswer): NonNullable<HopAnswer['bridge']>['destination'] | null {
  return bridge && bridge.reason === null ? bridge.destination : null;
}

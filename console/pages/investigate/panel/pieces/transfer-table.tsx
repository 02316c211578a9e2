import { useState } from 'preact/hooks';
import type { SceneFlow, SceneTransfer } from '../../../../../src/domain/scene/scene.ts';
import { assetText, dollars } from '../../../../browser/figures.ts';
import { saveFile } from '../../../../browser/save-file.ts';
import { words } from '../../../../browser/words.ts';
import { transfersCsv } from '../../../../canvas/tables.ts';
import { CopyText } from '../../../../parts/address-text.tsx';
import { ExplorerLink } from '../../../../parts/explorer-link.tsx';
import { ChoiceSelect } from '../../../../parts/form/choice-select.tsx';
import { MomentText } from '../../../../parts/moment-text.tsx';
import { Pager } from '../../../../parts/pager.tsx';
import { Table } from '../../../../parts/table.tsx';
import { TagsText } from '../../../../parts/tags-text.tsx';
import { placeOf } from '../../../../scene/additions.ts';

const PAGE = 25;
const ORDERS = {
  oldest: (a: SceneTransfer, b: SceneTransfer) => a.at.localeCompare(b.at),
  newest: (a: SceneTransfer, b: SceneTransfer) => b.at.localeCompare(a.at),
  largest: (a: SceneTransfer, b: SceneTransfer) => (b.usd ?? 0) - (a.usd ?? 0),
  asset: (a: SceneTransfer, b: SceneTransfer) => a.asset.localeCompare(b.asset),
};

interface TransferTableProps {
  rows: (SceneTransfer & { flow: SceneFlow })[];
  disabled: boolean;
  /** Null where the payment is not followed from here. */
  onFollow: ((hash: string) => void) | null;
  onOpen: (hash: string) => void;
}

/** The transactions of an arrow: in a wanted order, by page, as CSV. */
export function TransferTable({ rows, disabled, onFollow, onOpen }: TransferTableProps) {
  const texts = words().canvas;
  const [order, setOrder] = useState<keyof typeof ORDERS>('oldest');
  const [offset, setOffset] = useState(0);
  if (rows.length === 0) return null;
  const sorted = rows.toSorted(ORDERS[order]);
  return (
    <>
      <div class="row center">
        <ChoiceSelect
          aria-label={texts.order}
          value={order}
          choices={texts.orders}
          onChange={(value) => setOrder(value as keyof typeof ORDERS)}
        />
        <button type="button" onClick={() => saveFile('traceflow-transactions.csv', transfersCsv(sorted))}>
          CSV
        </button>
      </div>
      <Table
        caption={texts.transactions}
        rows={sorted.slice(offset, offset + PAGE)}
        keyOf={(one) => `${one.flow.id} ${one.tx_hash} ${one.at} ${one.asset} ${one.amount}`}
        empty=""
        columns={[
          { title: words().investigate.when, cell: ({ at }) => <MomentText at={at} /> },
          {
            title: texts.amount,
            cell: ({ amount, asset, usd }) => (
              <>
                {assetText(`${amount} ${asset}`)} <small class="hint block">{dollars(usd)}</small>
              </>
            ),
            numeric: true,
          },
          {
            title: texts.hash,
            cell: ({ tx_hash, flow, ...tags }) => (
              <>
                <CopyText text={tx_hash} /> <ExplorerLink chain={placeOf(flow.from).chain} hash={tx_hash} />
                <TagsText {...tags} />{' '}
                <button type="button" disabled={disabled} title={texts.opened.hint} onClick={() => onOpen(tx_hash)}>
                  {texts.opened.open}
                </button>{' '}
                {onFollow && (
                  <button type="button" disabled={disabled} onClick={() => onFollow(tx_hash)}>
                    {texts.followPayment}
                  </button>
                )}
              </>
            ),
          },
        ]}
      />
      <Pager page={{ offset, limit: PAGE, total: sorted.length }} onOffset={setOffset} />
    </>
  );
}

import { bracketed, words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { shortened } from '../../parts/shortened.ts';
import { Table } from '../../parts/table.tsx';
import type { Investigation } from './investigation.ts';

interface AddressListProps {
  investigation: Investigation;
  onChoose: (key: string) => void;
}

/** The addresses of the canvas for the keyboard: choosing one does what a click on it does. */
export function AddressList({ investigation: { graph, busy }, onChoose }: AddressListProps) {
  const texts = words().investigate;
  const states = { true: texts.stateRead, false: texts.stateUnread, null: texts.stateUnknown };
  return (
    <details class="card">
      <summary>{bracketed(texts.addresses, graph.nodes.size)}</summary>
      <Table
        caption={texts.addresses}
        rows={[...graph.nodes.values()]}
        keyOf={(node) => node.key}
        empty={texts.empty}
        columns={[
          {
            title: texts.address,
            cell: (node) => (
              <>
                <button type="button" disabled={busy} onClick={() => onChoose(node.key)}>
                  {shortened(node.address)}
                </button>{' '}
                <CopyText text={node.address} />
              </>
            ),
          },
          { title: texts.chain, cell: (node) => node.chain },
          { title: texts.label, cell: (node) => node.label ?? '–' },
          { title: texts.category, cell: (node) => <CategoryBadge category={node.category} /> },
          { title: texts.state, cell: (node) => states[`${node.read}`] },
        ]}
      />
    </details>
  );
}

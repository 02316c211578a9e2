import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { amountsText, count, dollars } from '../../browser/figures.ts';
import { bracketed, words } from '../../browser/words.ts';
import { addressName } from '../../canvas/elements.ts';
import { type CanvasSession, nodeOfKey } from '../../canvas-session/canvas-session.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { OnDemand } from '../../parts/on-demand.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { AddressButton } from './panel/pieces/address-buttons.tsx';

const PAGE = 50;

/** Addresses and flows of the picture as tables, on demand. */
export function Lists({ session }: { session: CanvasSession }) {
  const texts = words().investigate;
  const { nodes, edges } = session.shown.value;
  return (
    <div class="stage-lists">
      <OnDemand summary={bracketed(texts.addresses, nodes.length)} content={() => <AddressList session={session} />} />
      <OnDemand summary={bracketed(texts.flows, edges.length)} content={() => <FlowList session={session} />} />
    </div>
  );
}

function AddressList({ session }: { session: CanvasSession }) {
  const texts = words().investigate;
  const states = { true: texts.stateRead, false: texts.stateUnread, null: texts.stateUnknown };
  const [offset, setOffset] = useState(0);
  const rows = session.shown.value.nodes.filter(({ kind }) => kind === 'address').map(({ node }) => node);
  return (
    <>
      <Table
        caption={texts.addresses}
        rows={rows.slice(offset, offset + PAGE)}
        keyOf={({ key }) => key}
        empty={texts.empty}
        columns={[
          {
            title: texts.address,
            cell: (node) => (
              <>
                <AddressButton session={session} node={node} /> <CopyText text={node.address} />
              </>
            ),
          },
          { title: texts.chain, cell: ({ chain }) => chainName(chain) },
          { title: texts.category, cell: ({ category }) => <CategoryBadge category={category} /> },
          { title: texts.state, cell: ({ read, partly }) => (partly ? texts.statePartly : states[`${read}`]) },
          { title: words().canvas.note, cell: ({ note }) => note },
        ]}
      />
      <Pager page={{ offset, limit: PAGE, total: rows.length }} onOffset={setOffset} />
    </>
  );
}

function FlowList({ session }: { session: CanvasSession }) {
  const texts = words().investigate;
  const [offset, setOffset] = useState(0);
  const rows = session.shown.value.edges
    .map((edge) => ({ ...edge, at: firstAt(edge) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const nameOf = (key: string) => {
    const node = nodeOfKey(session, key);
    return node ? addressName(node) : key;
  };
  return (
    <>
      <Table
        caption={texts.flows}
        rows={rows.slice(offset, offset + PAGE)}
        keyOf={({ id }) => id}
        empty={texts.empty}
        columns={[
          { title: texts.when, cell: ({ at }) => <MomentText at={at} /> },
          { title: texts.from, cell: ({ flows: [flow] }) => flow && nameOf(flow.from) },
          { title: texts.to, cell: ({ flows: [flow] }) => flow && nameOf(flow.to) },
          {
            title: words().canvas.amount,
            cell: ({ assets }) => amountsText(assets ?? {}),
          },
          {
            title: texts.value,
            cell: ({ id, usd, isAtMost }) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  session.chosen.value = new Set([id]);
                }}
              >
                {isAtMost && '≤ '}
                {dollars(usd)}
              </button>
            ),
            numeric: true,
          },
          { title: texts.transfers, cell: (edge) => count(edge.count), numeric: true },
          { title: texts.evidence, cell: ({ flows: [flow] }) => flow && <CopyText text={flow.tx_hash} /> },
        ]}
      />
      <Pager page={{ offset, limit: PAGE, total: rows.length }} onOffset={setOffset} />
    </>
  );
}

function firstAt({ flows }: { flows: { first_at: string }[] }): string {
  return flows.map(({ first_at }) => first_at).sort()[0] ?? '';
}

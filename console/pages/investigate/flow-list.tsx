import { protocolName } from '../../../src/domain/bridges/protocols.ts';
import { count } from '../../../src/words/figures.ts';
import { bracketed, words } from '../../browser/words.ts';
import { flowName } from '../../graph/elements.ts';
import type { CrossedBridge, MoneyGraph } from '../../graph/money-graph.ts';
import { NodeText } from '../../graph/node-text.tsx';
import { CopyText } from '../../parts/address-text.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { Table } from '../../parts/table.tsx';

/** The flows of the canvas in the order in which they began, each with its evidence. */
export function FlowList({ graph, until }: { graph: MoneyGraph; until: string | null }) {
  const texts = words().investigate;
  const rows = [...graph.edges]
    .map(([id, edge]) => ({ id, ...edge }))
    .filter(({ firstAt }) => until === null || firstAt <= until)
    .sort((a, b) => (a.firstAt < b.firstAt ? -1 : 1));
  return (
    <details class="card">
      <summary>{bracketed(texts.flows, rows.length)}</summary>
      <Table
        caption={texts.flows}
        rows={rows}
        keyOf={(flow) => flow.id}
        empty={texts.empty}
        columns={[
          { title: texts.when, cell: (flow) => <MomentText at={flow.firstAt} /> },
          { title: texts.from, cell: (flow) => <NodeText node={graph.nodes.get(flow.from)} /> },
          { title: texts.to, cell: (flow) => <NodeText node={graph.nodes.get(flow.to)} /> },
          { title: texts.value, cell: (flow) => flowName(flow), numeric: true },
          { title: texts.transfers, cell: (flow) => count(flow.transfers), numeric: true },
          { title: texts.evidence, cell: (flow) => <CopyText text={flow.txHash} /> },
          { title: texts.crossing, cell: ({ bridge }) => bridge && <CrossingText bridge={bridge} /> },
        ]}
      />
    </details>
  );
}

/** The arrival of a crossing, the protocol with its message, and how sure the match is. */
function CrossingText({ bridge: { protocol, message_id, match, destination } }: { bridge: CrossedBridge }) {
  const texts = words().investigate;
  return (
    <>
      {destination.tx_hash && <CopyText text={destination.tx_hash} />} <MomentText at={destination.at} />
      <br />
      <span class="muted">{protocolName(protocol)}</span> {message_id && <CopyText text={message_id} />}{' '}
      {match && <span class="muted">{texts.matches[match]}</span>}
    </>
  );
}

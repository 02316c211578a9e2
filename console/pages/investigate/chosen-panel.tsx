import { useState } from 'preact/hooks';
import { protocolName } from '../../../src/domain/bridges/protocols.ts';
import { count, dollars, moment } from '../../../src/words/figures.ts';
import { goTo, linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import type { CrossedBridge, GraphEdge, MoneyGraph } from '../../graph/money-graph.ts';
import { NodeText } from '../../graph/node-text.tsx';
import { CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { Field } from '../../parts/field.tsx';
import { DecideMatch } from '../../parts/form/decide-match.tsx';
import { EmptyNote } from '../../parts/notes.tsx';
import { AddToCase } from './add-to-case.tsx';
import type { Investigation } from './investigation.ts';

const COUNTERPARTIES = 30;

/** The chosen address with its actions, or the chosen flow with its evidence. */
export function ChosenPanel({ investigation, chosen }: { investigation: Investigation; chosen: string | null }) {
  const texts = words().investigate;
  const { graph, busy, expand, read } = investigation;
  const [most, setMost] = useState(COUNTERPARTIES);
  const edge = chosen === null ? undefined : graph.edges.get(chosen);
  if (edge) return <FlowPanel graph={graph} edge={edge} />;
  const node = chosen === null ? undefined : graph.nodes.get(chosen);
  return (
    <section class="card" aria-labelledby="chosen">
      <h2 id="chosen">{texts.chosen}</h2>
      {!node && <EmptyNote text={texts.none} />}
      {node && (
        <>
          <p>
            <CopyText text={node.address} link={linkTo('scan', [node.chain, node.address])} />{' '}
            <CategoryBadge category={node.category} />
            {node.label && <strong> {node.label}</strong>}
          </p>
          {node.read === false && <p class="muted">{texts.unread}</p>}
          <div class="row">
            <Field label={texts.drawnMax}>
              <input
                type="number"
                min="1"
                max="500"
                value={most}
                onInput={(event) => setMost(Number(event.currentTarget.value))}
              />
            </Field>
            <button type="button" disabled={busy} onClick={() => expand(node, most)}>
              {texts.expand}
            </button>
            {node.read !== true && (
              <button type="button" disabled={busy} onClick={() => read(node)}>
                {texts.read}
              </button>
            )}
            {node.key !== graph.start && (
              <button type="button" onClick={() => goTo(linkTo('investigate', [node.chain, node.address]))}>
                {texts.startHere}
              </button>
            )}
          </div>
          <AddToCase key={node.key} node={node} usualRole={node.key === graph.start ? 'subject' : 'intermediary'} />
        </>
      )}
    </section>
  );
}

/** Shows the statements of the other chain and the protocol about a crossing. */
function CrossingFacts({ bridge: { protocol, message_id, match, ambiguous, destination } }: { bridge: CrossedBridge }) {
  const texts = words().investigate;
  return (
    <>
      <dt>{texts.arrivalTx}</dt>
      <dd>{destination.tx_hash === null ? '–' : <CopyText text={destination.tx_hash} />}</dd>
      <dt>{texts.arrivedAt}</dt>
      <dd>{moment(destination.at)}</dd>
      <dt>{texts.bridge}</dt>
      <dd>{protocolName(protocol)}</dd>
      <dt>{texts.message}</dt>
      <dd>{message_id === null ? '–' : <CopyText text={message_id} />}</dd>
      <dt>{texts.match}</dt>
      <dd>{match === null ? '–' : texts.matches[match]}</dd>
      {ambiguous && (
        <>
          <dt>{texts.ambiguous}</dt>
          <dd>{texts.ambiguousNote}</dd>
        </>
      )}
    </>
  );
}

function FlowPanel({ graph, edge }: { graph: MoneyGraph; edge: GraphEdge }) {
  const texts = words().investigate;
  return (
    <section class="card" aria-labelledby="chosen-flow">
      <h2 id="chosen-flow">{texts.flow}</h2>
      <dl class="facts">
        <dt>{texts.from}</dt>
        <dd>
          <NodeText node={graph.nodes.get(edge.from)} />
        </dd>
        <dt>{texts.to}</dt>
        <dd>
          <NodeText node={graph.nodes.get(edge.to)} />
        </dd>
        <dt>{texts.value}</dt>
        <dd>{dollars(edge.usd)}</dd>
        <dt>{texts.transfers}</dt>
        <dd>{count(edge.transfers)}</dd>
        <dt>{texts.when}</dt>
        <dd>
          {moment(edge.firstAt)}
          {edge.lastAt !== edge.firstAt && ` – ${moment(edge.lastAt)}`}
        </dd>
        <dt>{edge.bridge ? texts.departureTx : texts.evidence}</dt>
        <dd>
          <CopyText text={edge.txHash} />
        </dd>
        {edge.bridge && <CrossingFacts bridge={edge.bridge} />}
      </dl>
      {edge.bridge && <DecideMatch key={edge.bridge.crossing_id} bridge={edge.bridge} />}
    </section>
  );
}

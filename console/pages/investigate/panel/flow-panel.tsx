import { useEffect, useState } from 'preact/hooks';
import { chainName } from '../../../../src/domain/chain.ts';
import type { SceneFlow, SceneNode } from '../../../../src/domain/scene/scene.ts';
import type { ShownEdge } from '../../../../src/domain/scene/shown.ts';
import { isLetThrough } from '../../../../src/domain/scene/sums.ts';
import { amountsText, count, dollars, percentOnLine } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { drawFunds, openTransaction, transfersOf } from '../../../desk/asks.ts';
import { type Desk, nodeOfKey } from '../../../desk/desk.ts';
import { DecideMatch } from '../../../parts/form/decide-match.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { placeOf } from '../../../scene/additions.ts';
import { setFilters } from '../../../scene/edits.ts';
import { AddressButton } from './pieces/address-buttons.tsx';
import { CrossingFacts } from './pieces/crossing-facts.tsx';
import { TransferTable } from './pieces/transfer-table.tsx';

/** A chosen arrow: its sum, and every transaction of it. */
export function FlowPanel({ desk, edge }: { desk: Desk; edge: ShownEdge }) {
  const texts = words().investigate;
  const { listed, error } = useTransfers(edge.flows);
  const [flow] = edge.flows as [SceneFlow];
  const { filters } = desk.stage.value.scene;
  const rows = edge.flows.flatMap((one) =>
    (listed.get(one.id) ?? one.transfers).map((transfer) => ({ ...transfer, flow: one })),
  );
  const isOpened = flow.part !== undefined;
  const kept = rows.filter((row) => isLetThrough(row, filters));
  return (
    <section aria-labelledby="chosen-flow">
      <h2 id="chosen-flow">{texts.flow}</h2>
      <dl class="facts">
        <dt>{texts.from}</dt>
        <dd>
          <End desk={desk} flowKey={flow.from} />
        </dd>
        <dt>{texts.to}</dt>
        <dd>
          <End desk={desk} flowKey={flow.to} />
        </dd>
        <dt>{texts.value}</dt>
        <dd>
          {edge.isAtMost && '≤ '}
          {dollars(edge.usd)}
          {edge.assets && <span class="muted"> {amountsText(edge.assets)}</span>}
        </dd>
        {edge.share !== null && (
          <>
            <dt>{words().canvas.ofFollowed}</dt>
            <dd>{percentOnLine(edge.share)}</dd>
          </>
        )}
        <dt>{texts.transfers}</dt>
        <dd>{count(edge.count)}</dd>
        <dt>{texts.when}</dt>
        <dd>
          <MomentText at={flow.first_at} />
          {flow.last_at !== flow.first_at && (
            <>
              {' '}
              – <MomentText at={flow.last_at} />
            </>
          )}
        </dd>
        {flow.bridge && <CrossingFacts flow={flow} />}
      </dl>
      {flow.bridge && (
        <DecideMatch key={flow.bridge.crossing_id} bridge={crossingOf(flow.bridge, nodeOfKey(desk, flow.from))} />
      )}
      {kept.length < rows.length && (
        <p class="note">
          {words().canvas.filteredOut(rows.length - kept.length)}{' '}
          <button type="button" onClick={() => desk.edit(setFilters({ from: null, to: null, assets: [] }))}>
            {words().canvas.noFilters}
          </button>
        </p>
      )}
      <ErrorNote error={error} />
      {listed.size === 0 && !error && kept.length === 0 && !isOpened && <Loading />}
      <TransferTable rows={kept} disabled={desk.busy.value} onFollow={isOpened ? null : follow} onOpen={open} />
    </section>
  );

  function open(hash: string) {
    const { chain } = placeOf(flow.from);
    void desk.run((signal) => openTransaction(desk, { chain, hash }, signal));
  }

  /** Of the payer's money this payment alone. */
  function follow(tx_hash: string) {
    void desk
      .run((signal) => drawFunds(desk, { key: flow.from, direction: 'sent', tx_hash }, signal))
      .then(() => {
        if (!desk.error.value) desk.chosen.value = new Set();
      });
  }
}

function crossingOf(bridge: NonNullable<SceneFlow['bridge']>, payer: SceneNode | undefined) {
  const source = { chain: payer?.chain ?? null, address: payer?.address ?? null };
  return { ...bridge, source, destination: bridge.arrival };
}

function End({ desk, flowKey }: { desk: Desk; flowKey: string }) {
  const node = nodeOfKey(desk, flowKey);
  if (!node) return null;
  return (
    <>
      <AddressButton desk={desk} node={node} /> <span class="muted">{chainName(node.chain)}</span>
    </>
  );
}

/** All transfers of flows that keep only some, or none; the followed money keeps its own parts of them. */
function useTransfers(flows: readonly SceneFlow[]) {
  const [listed, setListed] = useState<ReadonlyMap<string, SceneFlow['transfers']>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const partial = flows.filter(({ transfers, tx_count, share, bridge, part }) => {
      const isKept = share !== null && transfers.length > 0;
      return bridge === null && part === undefined && !isKept && transfers.length < tx_count;
    });
    const ask = async () => {
      for (const flow of partial) {
        const found = await transfersOf(flow, abort.signal);
        setListed((before) => new Map([...before, [flow.id, found]]));
      }
    };
    ask().catch((refused: Error) => abort.signal.aborted || setError(refused));
    return () => abort.abort();
  }, [flows.map(({ id }) => id).join(' ')]);
  return { listed, error };
}

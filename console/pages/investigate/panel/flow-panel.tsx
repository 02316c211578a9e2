import { useEffect, useState } from 'preact/hooks';
import { protocolName } from '../../../../src/domain/bridges/protocols.ts';
import { chainName } from '../../../../src/domain/chain.ts';
import type { SceneFlow, SceneNode, SceneTransfer } from '../../../../src/domain/scene/scene.ts';
import type { ShownEdge } from '../../../../src/domain/scene/shown.ts';
import { isLetThrough } from '../../../../src/domain/scene/sums.ts';
import { amountsText, assetText, count, dollars, percentOnLine } from '../../../browser/figures.ts';
import { saveFile } from '../../../browser/save-file.ts';
import { words } from '../../../browser/words.ts';
import { transfersCsv } from '../../../canvas/tables.ts';
import { drawFunds, openTransaction, transfersOf } from '../../../canvas-session/asks.ts';
import { type CanvasSession, nodeOfKey } from '../../../canvas-session/canvas-session.ts';
import { CopyText } from '../../../parts/address-text.tsx';
import { ExplorerLink } from '../../../parts/explorer-link.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { DecideMatch } from '../../../parts/form/decide-match.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { Table } from '../../../parts/table.tsx';
import { TagsText } from '../../../parts/tags-text.tsx';
import { placeOf } from '../../../scene/additions.ts';
import { setFilters } from '../../../scene/edits.ts';
import { AddressButton } from './pieces/address-buttons.tsx';

/** A chosen arrow: its sum, and every transaction of it. */
export function FlowPanel({ session, edge }: { session: CanvasSession; edge: ShownEdge }) {
  const texts = words().investigate;
  const { listed, error } = useTransfers(edge.flows);
  const [flow] = edge.flows as [SceneFlow];
  const { filters } = session.stage.value.scene;
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
          <End session={session} flowKey={flow.from} />
        </dd>
        <dt>{texts.to}</dt>
        <dd>
          <End session={session} flowKey={flow.to} />
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
        <DecideMatch key={flow.bridge.crossing_id} bridge={crossingOf(flow.bridge, nodeOfKey(session, flow.from))} />
      )}
      {kept.length < rows.length && (
        <p class="note">
          {words().canvas.filteredOut(rows.length - kept.length)}{' '}
          <button type="button" onClick={() => session.edit(setFilters({ from: null, to: null, assets: [] }))}>
            {words().canvas.noFilters}
          </button>
        </p>
      )}
      <ErrorNote error={error} />
      {listed.size === 0 && !error && kept.length === 0 && !isOpened && <Loading />}
      <TransferTable rows={kept} disabled={session.busy.value} onFollow={isOpened ? null : follow} onOpen={open} />
    </section>
  );

  function open(hash: string) {
    const { chain } = placeOf(flow.from);
    void session.run((signal) => openTransaction(session, { chain, hash }, signal));
  }

  /** Follows this payment alone of the payer's money. */
  function follow(tx_hash: string) {
    void session
      .run((signal) => drawFunds(session, { key: flow.from, direction: 'sent', tx_hash }, signal))
      .then(() => {
        if (!session.error.value) session.chosen.value = new Set();
      });
  }
}

function crossingOf(bridge: NonNullable<SceneFlow['bridge']>, payer: SceneNode | undefined) {
  const source = { chain: payer?.chain ?? null, address: payer?.address ?? null };
  return { ...bridge, source, destination: bridge.arrival };
}

function End({ session, flowKey }: { session: CanvasSession; flowKey: string }) {
  const node = nodeOfKey(session, flowKey);
  if (!node) return null;
  return (
    <>
      <AddressButton session={session} node={node} /> <span class="muted">{chainName(node.chain)}</span>
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

/** The statements of both chains and of the protocol about a crossing. */
function CrossingFacts({ flow: { bridge, tx_hash, from } }: { flow: SceneFlow }) {
  const texts = words().investigate;
  if (!bridge) return null;
  const { arrival, protocol, message_id, match, ambiguous } = bridge;
  return (
    <>
      <dt>{texts.departureTx}</dt>
      <dd>
        <CopyText text={tx_hash} /> <ExplorerLink chain={placeOf(from).chain} hash={tx_hash} />
      </dd>
      <dt>{texts.arrivalTx}</dt>
      <dd>
        {arrival.tx_hash === null ? (
          '–'
        ) : (
          <>
            <CopyText text={arrival.tx_hash} /> <ExplorerLink chain={arrival.chain} hash={arrival.tx_hash} />
          </>
        )}
      </dd>
      <dt>{texts.arrivedAt}</dt>
      <dd>
        <MomentText at={arrival.at} />
      </dd>
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
function TransferTable({ rows, disabled, onFollow, onOpen }: TransferTableProps) {
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
          {
            title: texts.hash,
            cell: ({ tx_hash, at, flow, ...tags }) => (
              <>
                <MomentText at={at} />
                <div>
                  <CopyText text={tx_hash} /> <ExplorerLink chain={placeOf(flow.from).chain} hash={tx_hash} />
                </div>
                <TagsText {...tags} />
                <div class="row-actions">
                  <button type="button" disabled={disabled} title={texts.opened.hint} onClick={() => onOpen(tx_hash)}>
                    {texts.opened.open}
                  </button>
                  {onFollow && (
                    <button type="button" disabled={disabled} onClick={() => onFollow(tx_hash)}>
                      {texts.followPayment}
                    </button>
                  )}
                </div>
              </>
            ),
          },
          {
            title: texts.amount,
            cell: ({ amount, asset, usd }) => (
              <>
                {assetText(`${amount} ${asset}`)} <small class="hint block">{dollars(usd)}</small>
              </>
            ),
            numeric: true,
          },
        ]}
      />
      <Pager page={{ offset, limit: PAGE, total: sorted.length }} onOffset={setOffset} />
    </>
  );
}

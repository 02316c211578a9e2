import { useRef, useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import type { ScoreTerm } from '../../../src/risk/detection.ts';
import { isolated } from '../../../words/figures.ts';
import { lookUp } from '../../../words/look-up.ts';
import { count, dollars, momentText, percentOnLine } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { saveFile } from '../../browser/save-file.ts';
import { comma, labelled, language, words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { type BadgeCategory, CategoryBadge } from '../../parts/category-badge.tsx';
import { DecimalText, fractionOf } from '../../parts/decimal-text.tsx';
import { EndReasonText } from '../../parts/form/end-reason.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { OwnLabels } from '../../parts/own-labels.tsx';
import { Table } from '../../parts/table.tsx';
import type { ActivityAnswer, Job, Scan, ScanCounterparty, ScanDetection, Unread } from '../../service/answers.ts';
import { apiPath, call, callFile } from '../../service/api.ts';
import { followScan } from '../../service/scan-address.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { Detections } from './detections.tsx';

/** Scans an address when shown, and shows what the scan found. */
export function ScanView({ chain, address }: { chain: string; address: string }) {
  const texts = words().scan;
  const [job, setJob] = useState<Job | null>(null);
  const [fresh, setFresh] = useState(0);
  const lang = language.value;
  const paid = useRef(0);
  const { answer, error, loading } = useAnswer(
    (signal) => {
      // Another language reads the same scan: each click pays for one.
      const isFresh = fresh > paid.current;
      paid.current = fresh;
      const named = { chain: chain === 'auto' ? undefined : chain, address };
      return followScan({ ...named, lang, fresh: isFresh }, setJob, signal);
    },
    [lang, fresh],
  );
  return (
    <>
      <ErrorNote error={error} />
      {error?.message.startsWith('Address not found') && <OtherChains address={address} />}
      {loading && <Loading text={job?.status === 'queued' ? texts.waiting : texts.scanning} />}
      {answer && (
        <>
          <Verdict scan={answer} onRescan={() => setFresh(fresh + 1)} busy={loading} />
          <Detections
            chain={answer.chain}
            detections={answer.detections}
            suppressed={answer.metadata.suppressed ?? []}
          />
          <div class="columns">
            <ScoreTerms
              terms={answer.metadata.score_terms ?? []}
              score={answer.risk_score}
              detections={answer.detections}
            />
            <FlowTotalsSection totals={answer.flow_totals} />
          </div>
          <Counterparties chain={answer.chain} counterparties={answer.top_counterparties} />
          <TraceFrontier frontier={answer.metadata.coverage?.trace?.frontier ?? []} />
        </>
      )}
    </>
  );
}

interface ScoreTermsProps {
  terms: ScoreTerm[];
  score: number;
  detections: ScanDetection[];
}

/** The terms from which the score can be recomputed. */
function ScoreTerms({ terms, score, detections }: ScoreTermsProps) {
  const texts = words().scan;
  const names = new Map(detections.map((one) => [one.detector_id, one.detector_name]));
  return (
    <section class="card" aria-labelledby="score-terms">
      <h2 id="score-terms">{labelled(texts.score, score)}</h2>
      <p class="muted">{texts.scoreRule}</p>
      <Table
        caption={texts.score}
        rows={terms}
        keyOf={(term) => term.family}
        empty={texts.noTerms}
        columns={[
          {
            title: texts.family,
            cell: (term) => (
              <>
                {texts.families[term.family] ?? term.family}
                <br />
                <span class="muted">{term.detections.map((id) => names.get(id) ?? id).join(comma())}</span>
              </>
            ),
          },
          { title: texts.weight, cell: (term) => percentOnLine(term.weight), numeric: true },
          { title: texts.strength, cell: (term) => percentOnLine(term.strength), numeric: true },
          { title: texts.points, cell: (term) => Math.round(100 * term.weight * term.strength), numeric: true },
        ]}
      />
    </section>
  );
}

interface FlowTotalsProps {
  totals: { sent: Record<string, number>; received: Record<string, number> };
}

/** Receipts and payments by asset. Quantities of several assets have no scale in common, so none is drawn. */
function FlowTotalsSection({ totals: { sent, received } }: FlowTotalsProps) {
  const texts = words().scan;
  const assets = [...new Set([...Object.keys(received), ...Object.keys(sent)])];
  const side = (title: string, amounts: Record<string, number>) => {
    const fraction = fractionOf(Object.values(amounts));
    return {
      title,
      cell: (asset: string) => (amounts[asset] ? <DecimalText value={amounts[asset]} fraction={fraction} /> : null),
      numeric: true,
    };
  };
  return (
    <section class="card" aria-labelledby="flow-totals">
      <h2 id="flow-totals">{texts.flows}</h2>
      <Table
        caption={texts.flows}
        rows={assets}
        keyOf={(asset) => asset}
        empty={texts.noFlows}
        columns={[
          { title: words().profile.asset, cell: (asset) => asset },
          side(texts.received, received),
          side(texts.sent, sent),
        ]}
      />
      {assets.length > 0 && <p class="muted">{texts.flowNote}</p>}
    </section>
  );
}

/** Links to the scan of an address on the chains on which it is in use, for one that was not found. */
function OtherChains({ address }: { address: string }) {
  const { answer } = useAnswer(
    (signal) => call<ActivityAnswer>(apiPath`/graph/activity/${address}`, { signal }),
    [address],
  );
  if (!answer || answer.active_on.length === 0) return null;
  return (
    <p class="note">
      {words().scan.activeOn}{' '}
      {answer.active_on.map((chain, place) => (
        <span key={chain}>
          {place > 0 && ', '}
          <a href={linkTo('scan', [chain, address])}>{chainName(chain)}</a>
        </span>
      ))}
    </p>
  );
}

/** The addresses behind which the money is not known. */
function TraceFrontier({ frontier }: { frontier: Unread[] }) {
  const texts = words().scan;
  if (frontier.length === 0) return null;
  return (
    <section class="card" aria-labelledby="trace-frontier">
      <h2 id="trace-frontier">{texts.frontier}</h2>
      <p class="muted">{texts.frontierNote}</p>
      <Table
        caption={texts.frontier}
        rows={frontier}
        keyOf={(one) => `${one.direction} ${one.chain} ${one.address} ${one.reason} ${one.bridge?.crossing_id}`}
        empty=""
        columns={[
          { title: texts.address, cell: (one) => <AddressText chain={one.chain} address={one.address} /> },
          { title: texts.chain, cell: (one) => chainName(one.chain) },
          { title: texts.direction, cell: (one) => texts[one.direction] },
          { title: texts.value, cell: (one) => dollars(one.usd), numeric: true },
          { title: texts.share, cell: (one) => percentOnLine(one.share), numeric: true },
          {
            title: texts.reason,
            cell: (one) => <EndReasonText end={one} />,
          },
        ]}
      />
    </section>
  );
}

function Counterparties({ chain, counterparties }: { chain: string; counterparties: ScanCounterparty[] }) {
  const texts = words().scan;
  // Figures of one asset stand below each other by their decimal mark.
  const assets = new Set(counterparties.flatMap((one) => Object.keys(one.value_by_asset)));
  const [asset] = assets.size === 1 ? assets : [];
  const fraction = fractionOf(counterparties.flatMap((one) => Object.values(one.value_by_asset)));
  return (
    <section class="card" aria-labelledby="counterparties">
      <h2 id="counterparties">{texts.counterparties}</h2>
      <Table
        caption={texts.counterparties}
        rows={counterparties}
        keyOf={(one) => one.address}
        empty={texts.noCounterparties}
        columns={[
          { title: texts.address, cell: (one) => <AddressText chain={chain} address={one.address} /> },
          {
            title: texts.label,
            says: (one) => Boolean(one.label || one.own_labels?.length),
            cell: (one) => (
              <>
                {one.label} <OwnLabels labels={one.own_labels} />
              </>
            ),
          },
          {
            title: texts.category,
            says: (one) => (one.label_category ?? one.category) !== 'unknown',
            cell: (one) => <KnownCategory category={one.label_category ?? one.category} />,
          },
          { title: texts.transfersIn, cell: (one) => one.received_count || null, numeric: true },
          { title: texts.transfersOut, cell: (one) => one.sent_count || null, numeric: true },
          {
            title: texts.value,
            cell: ({ value_by_asset }) =>
              asset && value_by_asset[asset] !== undefined ? (
                <>
                  <DecimalText value={value_by_asset[asset]} fraction={fraction} /> {isolated(asset)}
                </>
              ) : (
                Object.entries(value_by_asset)
                  .map(([name, value]) => isolated(`${count(value)} ${name}`))
                  .join(comma())
              ),
            numeric: true,
          },
          { title: texts.proof, cell: (one) => <CopyText text={one.tx_hash} /> },
        ]}
      />
    </section>
  );
}

/** Most parties are of no known category: a badge marks those that are. */
function KnownCategory({ category }: { category: BadgeCategory }) {
  return category === 'unknown' ? null : <CategoryBadge category={category} />;
}

interface VerdictProps {
  scan: Scan;
  onRescan: () => void;
  busy: boolean;
}

/** Why a history is not complete. */
const reasonText = (reason: string) => lookUp(words().coverage.readings, reason);

/** As far as a report follows money. */
const REPORT_HOPS = 5;

/** Level and score, their basis, and the next steps. */
function Verdict({ scan, onRescan, busy }: VerdictProps) {
  const texts = words().scan;
  const { coverage, total_transactions, counterparty_count, as_of, level_note, frozen = [] } = scan.metadata;
  const [error, setError] = useState<Error | null>(null);
  const savePdf = async () => {
    setError(null);
    try {
      const query = { chain: scan.chain, max_hops: REPORT_HOPS, language: language.value };
      const { name, content } = await callFile(apiPath`/risk-report/${scan.address}`, { query });
      saveFile(name ?? `${scan.address}.pdf`, content);
    } catch (refused) {
      setError(refused as Error);
    }
  };
  return (
    <section class="card verdict" aria-label={texts.level}>
      <div class="row center">
        <span class="score">{scan.risk_score}</span>
        <LevelBadge level={scan.risk_level} />
        <span>
          {chainName(scan.chain)} · {texts.addressTypes[scan.address_type]}
        </span>
        <CopyText text={scan.address} />
      </div>
      {level_note && <p>{level_note}</p>}
      <OwnLabels labels={scan.metadata.own_labels} />
      <dl class="facts">
        {frozen.length > 0 && (
          <>
            <dt>{texts.frozen}</dt>
            <dd>
              {frozen.map(({ asset, since }) => (since ? `${asset} · ${momentText(since)}` : asset)).join(comma())}
            </dd>
          </>
        )}
        <dt>{texts.transactions}</dt>
        <dd>{count(total_transactions ?? 0)}</dd>
        <dt>{texts.counterparties}</dt>
        <dd>{count(counterparty_count ?? 0)}</dd>
        {coverage && (
          <>
            <dt>{texts.history}</dt>
            <dd>
              {coverage.complete
                ? texts.complete
                : labelled(texts.incomplete, coverage.reasons.map(reasonText).join(comma()))}
              {coverage.from && ` · ${momentText(coverage.from)} – ${momentText(coverage.to)}`}
              {coverage.trace &&
                coverage.trace.addresses_read > 0 &&
                ` · ${texts.readBehind(coverage.trace.addresses_read)}`}
            </dd>
          </>
        )}
        <dt>{texts.asOf}</dt>
        <dd>{momentText(as_of ?? scan.created_at)}</dd>
      </dl>
      <ErrorNote error={error} />
      <div class="row center">
        <a class="button primary" href={linkTo('investigate', [scan.chain, scan.address])}>
          {texts.investigate}
        </a>
        <button type="button" onClick={onRescan} disabled={busy}>
          {texts.rescan}
        </button>
        <button type="button" onClick={savePdf}>
          {texts.pdf}
        </button>
        <SaveButton
          label={texts.saveTransfers}
          path="/graph/transfers.csv"
          query={{ address: scan.address, chain: scan.chain }}
          name="transfers.csv"
        />
      </div>
    </section>
  );
}

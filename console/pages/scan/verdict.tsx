import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { lookUp } from '../../../words/look-up.ts';
import { count, momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { saveFile } from '../../browser/save-file.ts';
import { comma, labelled, language, words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { OwnLabels } from '../../parts/own-labels.tsx';
import type { Scan } from '../../service/answers.ts';
import { apiPath, callFile } from '../../service/api.ts';

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
export function Verdict({ scan, onRescan, busy }: VerdictProps) {
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
              {coverage.trace && ` · ${texts.readBehind(coverage.trace.addresses_read)}`}
            </dd>
          </>
        )}
        <dt>{texts.asOf}</dt>
        <dd>{momentText(as_of ?? scan.created_at)}</dd>
      </dl>
      <ErrorNote error={error} />
      <div class="row center">
        <a class="button" href={linkTo('investigate', [scan.chain, scan.address])}>
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

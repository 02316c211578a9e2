import { assetText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import type { Scan, ScannedTransaction } from '../../service/answers.ts';

/** A transaction with the scans of both its sides. */
export function TransactionBothSides({ answer }: { answer: ScannedTransaction }) {
  const texts = words().checks;
  const { parts } = words();
  return (
    <section class="card" aria-labelledby="transaction">
      <h2 id="transaction">{parts.transaction}</h2>
      <CopyText text={answer.tx_hash} whole />
      <dl class="facts">
        <dt>{texts.status}</dt>
        <dd>{texts.statuses[answer.status]}</dd>
        <dt>{parts.when}</dt>
        <dd>{answer.timestamp ? <MomentText at={answer.timestamp} /> : '–'}</dd>
        <dt>{texts.block}</dt>
        <dd>{answer.block_number ?? '–'}</dd>
        <dt>{texts.moved}</dt>
        <dd>{answer.amount === null ? '–' : assetText(`${answer.amount} ${answer.asset}`)}</dd>
      </dl>
      {answer.note && <p class="note">{answer.note}</p>}
      <TransactionSide title={texts.sender} scan={answer.sender as Scan | null} />
      <TransactionSide title={texts.receiver} scan={answer.receiver as Scan | null} />
    </section>
  );
}

function TransactionSide({ title, scan }: { title: string; scan: Scan | null }) {
  if (!scan) {
    return (
      <p>
        {title}: {words().checks.noSide}
      </p>
    );
  }
  return (
    <article class="entry" aria-label={title}>
      <h3>{title}</h3>
      <div class="row center">
        <LevelBadge level={scan.risk_level} score={scan.risk_score} />
        <AddressText chain={scan.chain} address={scan.address} />
        <a href={linkTo('investigate', [scan.chain, scan.address])}>{words().scan.investigate}</a>
      </div>
      {scan.metadata.level_note && <p>{scan.metadata.level_note}</p>}
      <ul>
        {scan.detections.map((one) => (
          <li key={one.detector_id}>{one.description}</li>
        ))}
      </ul>
    </article>
  );
}

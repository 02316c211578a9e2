import { answerLanguage, words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { ScannedTransaction } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** Looks a transaction up and scans both of its sides. */
export function TransactionView({ chain, hash }: { chain: string; hash: string }) {
  const texts = words().scan;
  const body = { chain, tx_hash: hash, lang: answerLanguage() };
  const { answer, error, loading } = useAnswer(
    (signal) => call<ScannedTransaction>('/scan/tx', { method: 'POST', body, signal }),
    [chain, hash],
  );
  return (
    <>
      <ErrorNote error={error} />
      {loading && <Loading text={texts.scanning} />}
      {answer && (
        <section class="card" aria-labelledby="transaction">
          <h2 id="transaction">{texts.transaction}</h2>
          <dl class="facts">
            <dt>{texts.transaction}</dt>
            <dd>
              <CopyText text={answer.tx_hash} whole />
            </dd>
            <dt>{texts.when}</dt>
            <dd>{answer.timestamp && <MomentText at={answer.timestamp} />}</dd>
            <dt>{texts.value}</dt>
            <dd>{answer.amount === null ? '' : `${answer.amount} ${answer.asset}`}</dd>
            <Party title={texts.sender} scan={answer.sender} />
            <Party title={texts.receiver} scan={answer.receiver} />
          </dl>
          {answer.note && <p class="muted">{answer.note}</p>}
        </section>
      )}
    </>
  );
}

function Party({ title, scan }: { title: string; scan: ScannedTransaction['sender'] }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {scan && (
          <>
            <AddressText chain={scan.chain} address={scan.address} />{' '}
            <LevelBadge level={scan.risk_level} score={scan.risk_score} />
          </>
        )}
      </dd>
    </>
  );
}

import { useRef, useState } from 'preact/hooks';
import { language, words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { Job } from '../../service/answers.ts';
import { followScan } from '../../service/scan-address.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { Counterparties } from './counterparties.tsx';
import { Detections } from './detections.tsx';
import { FlowTotalsSection } from './flow-totals.tsx';
import { OtherChains } from './other-chains.tsx';
import { ScoreTerms } from './score-terms.tsx';
import { TraceFrontier } from './trace-frontier.tsx';
import { Verdict } from './verdict.tsx';

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

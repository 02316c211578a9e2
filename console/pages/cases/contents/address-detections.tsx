import { useState } from 'preact/hooks';
import { language, words } from '../../../browser/words.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/notes.tsx';
import type { CaseAddress, CaseDisposition, Scan } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { JudgedDetection } from './judged-detection.tsx';

interface AddressDetectionsProps {
  address: CaseAddress;
  /** The newest scan of the address. */
  scanId: string;
  /** Of this address. */
  dispositions: CaseDisposition[];
  onJudged: () => void;
}

/** The detections of an address with their judgements; they are loaded when they are first opened. */
export function AddressDetections({ address, scanId, dispositions, onJudged }: AddressDetectionsProps) {
  const texts = words().cases;
  const [open, setOpen] = useState(false);
  const lang = language.value;
  const { answer, error, loading } = useAnswer<Scan | null>(
    async (signal) => (open ? call(apiPath`/public/scans/${scanId}`, { query: { lang }, signal }) : null),
    [open, scanId, lang],
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.detections}</summary>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer?.detections.length === 0 && <EmptyNote text={texts.noDetections} />}
      {answer && answer.detections.length > 0 && <p class="muted">{texts.judgeNote}</p>}
      {answer?.detections.map((detection, n, all) => (
        <JudgedDetection
          key={`${detection.detector_id} ${n}`}
          address={address}
          detection={detection}
          isGrave={all.some((one) => one.detector_id === detection.detector_id && one.severity === 'CRITICAL')}
          disposition={dispositions.find(({ detector_id }) => detector_id === detection.detector_id)}
          onJudged={onJudged}
        />
      ))}
    </details>
  );
}

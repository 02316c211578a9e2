import { linkTo } from '../../browser/route.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { CaseDetail } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { caseTexts } from '../../texts/cases.ts';
import { CaseHeader } from './case-header.tsx';
import { CaseAddresses } from './contents/case-addresses.tsx';
import { Timeline } from './contents/timeline.tsx';
import { BulkScan } from './work/bulk-scan.tsx';
import { CaseReports } from './work/case-reports.tsx';
import { Suggestions } from './work/suggestions.tsx';

/** One case: its addresses, the work on them, its timeline and its reports. */
export function CaseView({ id }: { id: string }) {
  const { answer, error, loading, reload } = useAnswer<CaseDetail>(
    (signal) => call(apiPath`/cases/${id}`, { signal }),
    [id],
  );
  return (
    <>
      <p>
        <a href={linkTo('cases')}>← {caseTexts().back}</a>
      </p>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <>
          <CaseHeader shown={answer.case} onChanged={reload} />
          <CaseAddresses
            caseId={id}
            addresses={answer.addresses}
            dispositions={answer.dispositions}
            onChanged={reload}
          />
          <BulkScan caseId={id} onDone={reload} />
          <Suggestions caseId={id} addresses={answer.addresses} onAdded={reload} />
          <CaseReports caseId={id} onTimeline={reload} />
          <Timeline caseId={id} notes={answer.notes} onChanged={reload} />
        </>
      )}
    </>
  );
}

import { useState } from 'preact/hooks';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { FourEyesOfCase } from '../../parts/four-eyes.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { SectionLinks } from '../../parts/section-links.tsx';
import type { CaseAddresses as AddressPage, CaseDetail, CaseNotes } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { key, session } from '../../service/session.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { CaseHeader } from './case-header.tsx';
import { CaseAddressSection } from './contents/case-addresses.tsx';
import { CaseTimeline } from './contents/timeline.tsx';
import { BulkScanForm } from './work/bulk-scan.tsx';
import { CaseBoards } from './work/case-boards.tsx';
import { CaseReports } from './work/case-reports.tsx';
import { SuggestionsSection } from './work/suggestions.tsx';

const PAGE = 50;

const TABS = ['addresses', 'boards', 'reports', 'timeline', 'people'] as const;

/** One case: its sums, and in tabs its addresses, boards, reports, timeline and what people did in it. */
export function CaseView({ id, tab }: { id: string; tab: string | undefined }) {
  const texts = words().cases;
  const tabs = TABS.filter((name) => name !== 'people' || mayReadAudit());
  const shown = tabs.find((name) => name === tab) ?? TABS[0];
  const [addressOffset, setAddressOffset] = useState(0);
  const [noteOffset, setNoteOffset] = useState(0);
  const { answer, error, loading, reload } = useAnswer(
    async (signal) => {
      const detail = await call<CaseDetail>(apiPath`/cases/${id}`, { signal });
      const page = (offset: number) => ({ query: { limit: PAGE, offset }, signal });
      const [addresses, notes] = await Promise.all([
        call<AddressPage>(apiPath`/cases/${id}/addresses`, page(addressOffset)),
        call<CaseNotes>(apiPath`/cases/${id}/notes`, page(noteOffset)),
      ]);
      return { detail, addresses, notes };
    },
    [id, addressOffset, noteOffset],
  );
  return (
    <>
      <p>
        <a href={linkTo('cases')}>← {texts.back}</a>
      </p>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <FourEyesOfCase caseId={id}>
          <CaseHeader shown={answer.detail.case} addresses={answer.detail.addresses} onChanged={reload} />
          <SectionLinks
            label={texts.tabsOf}
            links={tabs.map((name) => ({
              title: texts.tabs[name],
              href: linkTo('cases', name === TABS[0] ? [id] : [id, name]),
              shown: name === shown,
            }))}
          />
          {shown === 'addresses' && (
            <>
              <CaseAddressSection caseId={id} page={answer.addresses} onOffset={setAddressOffset} onChanged={reload} />
              <BulkScanForm caseId={id} wasScanned={wasScanned(answer.detail)} onDone={reload} />
              <SuggestionsSection caseId={id} addresses={answer.detail.addresses} onAdded={reload} />
            </>
          )}
          {shown === 'boards' && <CaseBoards caseId={id} />}
          {shown === 'reports' && <CaseReports caseId={id} onTimeline={reload} />}
          {shown === 'timeline' && (
            <CaseTimeline caseId={id} page={answer.notes} onOffset={setNoteOffset} onChanged={reload} />
          )}
          {shown === 'people' && (
            <section class="card" aria-labelledby="activity">
              <h2 id="activity">{texts.tabs.people}</h2>
              <p class="muted">{texts.peopleNote}</p>
              <AuditTable object={id} />
            </section>
          )}
        </FourEyesOfCase>
      )}
    </>
  );
}

/** False for a person who cannot; of a key the service alone knows. */
function mayReadAudit(): boolean {
  return key.value !== null || session.value?.rights.includes('admin') === true;
}

/** False where the timeline, of which the answer has the newest entries, says so. */
function wasScanned({ notes, notes_total }: CaseDetail): boolean {
  return notes_total > notes.length || notes.some(({ event }) => event?.kind === 'scan_started');
}

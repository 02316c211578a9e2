import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { authorText, entryText, isNote, timelineEntries } from '../../../words/case-event.ts';
import { dollars, momentText, percentOnLine } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { AuditTable } from '../../parts/audit-table.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { FourEyesOfCase } from '../../parts/four-eyes.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import { SectionLinks } from '../../parts/section-links.tsx';
import { Table } from '../../parts/table.tsx';
import type {
  CaseAddresses as AddressPage,
  CaseAddress,
  CaseDetail,
  CaseNotes,
  Suggestion,
  Suggestions as SuggestionsAnswer,
} from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { key, session } from '../../service/session.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { BulkScanForm } from './bulk-scan.tsx';
import { CaseAddressSection } from './case-addresses.tsx';
import { CaseBoards } from './case-boards.tsx';
import { CaseHeader } from './case-header.tsx';
import { CaseReports } from './case-reports.tsx';

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

interface TimelineProps {
  caseId: string;
  page: CaseNotes;
  onOffset: (offset: number) => void;
  onChanged: () => void;
}

/** One page of what happened in the case, newest first. */
function CaseTimeline({ caseId, page, onOffset, onChanged }: TimelineProps) {
  const { cases: texts, detectors } = words();
  const nameOf = (id: string) => (detectors as Record<string, string>)[id] ?? id;
  const write = async (fields: FormData) => {
    const body = { content: given(fields, 'content'), note_type: given(fields, 'note_type') };
    await call(apiPath`/cases/${caseId}/notes`, { method: 'POST', body });
    onChanged();
  };
  const remove = useAction(async (id: string) => {
    await call(apiPath`/cases/${caseId}/notes/${id}`, { method: 'DELETE' });
    onChanged();
  });
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline">{texts.timeline}</h2>
      <Form label={texts.write} submit={texts.write} onSubmit={write}>
        <Field label={texts.note}>
          <textarea name="content" required rows={2} maxLength={10_000} />
        </Field>
        <Field label={texts.noteType}>
          <ChoiceSelect name="note_type" choices={texts.noteTypes} initial="comment" />
        </Field>
      </Form>
      <ErrorNote error={remove.error} />
      {page.total === 0 && <EmptyNote text={texts.noNotes} />}
      <ol class="timeline">
        {timelineEntries(page.notes).map((entry) => {
          const [note] = entry;
          const text = entryText(entry, texts, nameOf);
          const isWritten = isNote(note);
          return (
            <li key={note.id} class="entry">
              <div class="row center">
                {isWritten && <span class="badge">{texts.noteTypes[note.note_type]}</span>}
                <span class="muted">
                  {momentText(note.created_at)} · {authorText(note, texts)}
                </span>
                {isWritten && (
                  <ConfirmButton
                    label={texts.deleteNote}
                    about={`${momentText(note.created_at)} ${text.slice(0, 40)}`}
                    disabled={remove.busy}
                    onConfirm={() => remove.run(note.id)}
                  />
                )}
              </div>
              <p class="text">{text}</p>
            </li>
          );
        })}
      </ol>
      <Pager page={page} onOffset={onOffset} />
    </section>
  );
}

interface SuggestionsProps {
  caseId: string;
  /** Another address, role or scan gives other suggestions. */
  addresses: CaseAddress[];
  onAdded: () => void;
}

/** Addresses on the paths of the subjects' money that are not in the case. */
function SuggestionsSection({ caseId, addresses, onAdded }: SuggestionsProps) {
  const texts = words().caseWork;
  const state = addresses.map(({ id, role, last_scanned_at }) => `${id} ${role} ${last_scanned_at}`).join();
  const { answer, error, loading } = useAnswer<SuggestionsAnswer>(
    (signal) => call(apiPath`/cases/${caseId}/suggestions`, { signal }),
    [caseId, state],
  );
  const add = useAction(async ({ address, chain, role, hop, label }: Suggestion) => {
    await call(apiPath`/cases/${caseId}/addresses`, {
      method: 'POST',
      body: { address, chain, role, label, hop_distance: hop },
    });
    onAdded();
  });
  return (
    <section class="card" aria-labelledby="suggestions">
      <h2 id="suggestions">{texts.suggestions}</h2>
      <p class="muted">{texts.suggestionsNote}</p>
      <ErrorNote error={error ?? add.error} />
      {loading && <Loading text={texts.searching} />}
      {answer && (
        <Table
          caption={texts.suggestions}
          rows={answer.suggestions}
          keyOf={(one) => `${one.chain} ${one.address}`}
          empty={texts.noSuggestions}
          columns={[
            {
              title: words().cases.address,
              cell: (one) => (
                <>
                  <AddressText chain={one.chain} address={one.address} />{' '}
                  <span class="muted">{chainName(one.chain)}</span> {one.label}{' '}
                  {one.category && <CategoryBadge category={one.category} />}
                </>
              ),
            },
            // Of one subject, every row would say the same.
            ...(new Set(answer.suggestions.map((one) => one.of_address)).size > 1
              ? [
                  {
                    title: words().cases.roles.subject,
                    cell: (one: Suggestion) => <AddressText chain={one.of_chain} address={one.of_address} />,
                  },
                ]
              : []),
            {
              title: texts.why,
              cell: (one) => (
                <>
                  {texts.whys[one.why]}
                  <small class="hint block">
                    {words().parts.directions[one.direction]} · {words().monitoring.hops(one.hop)}
                  </small>
                </>
              ),
            },
            { title: texts.value, cell: (one) => dollars(one.usd), numeric: true },
            { title: texts.share, cell: (one) => percentOnLine(one.share), numeric: true },
            { title: words().cases.role, cell: (one) => words().cases.roles[one.role] },
            {
              title: words().parts.actions,
              cell: (one) => (
                <button
                  type="button"
                  disabled={add.busy}
                  aria-label={`${words().cases.add}: ${one.address}`}
                  onClick={() => add.run(one)}
                >
                  {words().cases.add}
                </button>
              ),
            },
          ]}
        />
      )}
      {answer?.truncated && <EmptyNote text={texts.truncated} />}
    </section>
  );
}

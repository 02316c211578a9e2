import { authorText, entryText, isNote, timelineEntries } from '../../../../words/case-event.ts';
import { momentText } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/notes.tsx';
import { Pager } from '../../../parts/pager.tsx';
import type { CaseNotes } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';

interface TimelineProps {
  caseId: string;
  page: CaseNotes;
  onOffset: (offset: number) => void;
  onChanged: () => void;
}

/** One page of what happened in the case, newest first. */
export function CaseTimeline({ caseId, page, onOffset, onChanged }: TimelineProps) {
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

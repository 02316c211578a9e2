import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/notes.tsx';
import type { CaseNote } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { caseTexts } from '../../../texts/cases.ts';
import { moment } from '../../../texts/formats.ts';
import { noteText } from './note-text.ts';

interface TimelineProps {
  caseId: string;
  /** Oldest first. */
  notes: CaseNote[];
  onChanged: () => void;
}

/** What happened in the case, newest first. */
export function Timeline({ caseId, notes, onChanged }: TimelineProps) {
  const texts = caseTexts();
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
      {notes.length === 0 && <EmptyNote text={texts.noNotes} />}
      <ol class="timeline">
        {notes.toReversed().map((note) => (
          <li key={note.id} class="entry">
            <div class="row center">
              <span class="badge">{texts.noteTypes[note.note_type]}</span>
              <span class="muted">
                {moment(note.created_at)} · {isOfService(note) ? texts.system : note.author}
              </span>
              <ConfirmButton
                label={texts.deleteNote}
                about={`${moment(note.created_at)} ${noteText(note).slice(0, 40)}`}
                disabled={remove.busy}
                onConfirm={() => remove.run(note.id)}
              />
            </div>
            <p class="text">{noteText(note)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A decision on a match is a person's, whatever the name of the key. */
function isOfService({ author, event }: CaseNote): boolean {
  return author === 'system' && event !== undefined && event.kind !== 'match_decided';
}

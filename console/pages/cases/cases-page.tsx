import { useState } from 'preact/hooks';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form } from '../../parts/form/form.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import type { Case, Cases } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { CaseForm } from './case-form.tsx';
import { CaseView } from './case-view.tsx';

/** `#/cases` lists them, `#/cases?new=1` with the form for a new one; `#/cases/<id>/<tab>` shows one. */
export function CasesPage({ route }: { route: Route }) {
  const [id, tab] = route.parts;
  return id ? <CaseView key={id} id={id} tab={tab} /> : <CaseListPage isOpening={route.query.has('new')} />;
}

const PAGE = 100;

/** The cases of the account, newest first, and a form that opens one, unfolded where the reader came to do so. */
function CaseListPage({ isOpening }: { isOpening: boolean }) {
  const texts = words().cases;
  const [status, setStatus] = useState('');
  const [offset, setOffset] = useState(0);
  const { answer, error, loading } = useAnswer<Cases>(
    (signal) => call('/cases', { query: { status, limit: PAGE, offset }, signal }),
    [status, offset],
  );
  const choose = (chosen: string) => {
    setStatus(chosen);
    setOffset(0);
  };
  const open = async (body: unknown) => {
    const created = await call<{ case: Case }>('/cases', { method: 'POST', body });
    goTo(linkTo('cases', [created.case.id]));
  };
  const importArchive = async (fields: FormData) => {
    const imported = await call<{ case: Case }>('/cases/import', { method: 'POST', body: fields.get('archive') });
    goTo(linkTo('cases', [imported.case.id]));
  };
  return (
    <>
      <h1>{texts.title}</h1>
      <details class="card add" open={isOpening}>
        <summary>{texts.open}</summary>
        <CaseForm label={texts.open} submit={texts.open} onSubmit={open} />
      </details>
      <details class="card add">
        <summary>{texts.importTitle}</summary>
        <p class="muted">{texts.importNote}</p>
        <Form label={texts.importTitle} submit={texts.import} onSubmit={importArchive}>
          <Field label={texts.importFile}>
            <input name="archive" type="file" required accept=".zip,application/zip" />
          </Field>
        </Form>
      </details>
      <section class="card" aria-labelledby="cases">
        <h2 id="cases">{texts.title}</h2>
        <div class="row">
          <Field label={texts.status}>
            <ChoiceSelect value={status} none={texts.anyStatus} choices={texts.statuses} onChange={choose} />
          </Field>
        </div>
        <ErrorNote error={error} />
        {loading && !answer && <Loading />}
        {answer && (
          <Table
            caption={texts.title}
            rows={answer.cases}
            keyOf={(one) => one.id}
            empty={status === '' ? texts.noCasesYet : texts.noCases}
            columns={[
              { title: texts.caseTitle, cell: (one) => <a href={linkTo('cases', [one.id])}>{one.title}</a> },
              { title: texts.status, cell: (one) => texts.statuses[one.status] },
              { title: texts.priority, cell: (one) => texts.priorities[one.priority] },
              { title: texts.assignee, cell: (one) => one.assignee ?? '–' },
              { title: texts.addresses, cell: (one) => one.address_count, numeric: true },
              { title: texts.updated, cell: (one) => <MomentText at={one.updated_at} /> },
            ]}
          />
        )}
        {answer && <Pager page={answer} onOffset={setOffset} />}
      </section>
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { momentText } from '../../browser/figures.ts';
import { goTo, linkTo } from '../../browser/route.ts';
import { labelled, language, words } from '../../browser/words.ts';
import { carryToCanvas } from '../../canvas-session/carried.ts';
import { Dropdown } from '../../parts/dropdown.tsx';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { useFourEyes } from '../../parts/four-eyes.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { WatchSubjects } from '../../parts/watch-subjects.tsx';
import { nodeKey, ofFunds } from '../../scene/additions.ts';
import type { Case, CaseAddress } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import type { CaseFundsAnswer } from '../../service/tracing-answers.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { CaseFigures } from './case-figures.tsx';
import { CaseForm } from './case-form.tsx';

interface CaseHeaderProps {
  shown: Case;
  addresses: CaseAddress[];
  onChanged: () => void;
}

/** Statuses that end a case. */
const CLOSED: readonly string[] = ['closed', 'archived'];

/** Title, money, description and status of a case. */
export function CaseHeader({ shown, addresses, onChanged }: CaseHeaderProps) {
  const texts = words().cases;
  const path = apiPath`/cases/${shown.id}`;
  const change = async (body: unknown) => {
    await call(path, { method: 'PATCH', body });
    onChanged();
  };
  const fourEyes = useFourEyes('close');
  // What another person must approve is chosen here, and asked for by a button.
  const [wanted, setWanted] = useState<string | null>(null);
  const ends = (chosen: string) => CLOSED.includes(chosen) && !CLOSED.includes(shown.status);
  const status = useAction(async (chosen: string) => {
    const put = () => change({ status: chosen });
    await (ends(chosen) ? fourEyes.doOrAsk({ status: chosen }, put) : put());
    setWanted(null);
  });
  const choose = (chosen: string) => {
    setWanted(chosen);
    const isAskedFor = fourEyes.needed && ends(chosen);
    if (!isAskedFor && chosen !== shown.status) status.run(chosen);
  };
  const toAsk = wanted && fourEyes.needed && ends(wanted) ? wanted : null;
  const hold = useAction((isOn: boolean) => change({ legal_hold: isOn }));
  const remove = useAction(async () => {
    await call(path, { method: 'DELETE' });
    goTo(linkTo('cases'));
  });
  return (
    <section class="card" aria-labelledby="case">
      <CaseSums shown={shown} addresses={addresses} onTimeline={onChanged}>
        <Dropdown label={texts.more}>
          {shown.legal_hold ? (
            <ConfirmButton
              label={texts.endHold}
              about={shown.title}
              disabled={hold.busy}
              onConfirm={() => hold.run(false)}
            />
          ) : (
            <button type="button" disabled={hold.busy} onClick={() => hold.run(true)}>
              {texts.setHold}
            </button>
          )}
          <DeleteByName
            label={texts.remove}
            name={shown.title}
            disabled={remove.busy || shown.legal_hold}
            onDelete={() => void remove.run()}
          />
        </Dropdown>
      </CaseSums>
      {shown.description && <p class="text">{shown.description}</p>}
      {shown.legal_hold && <p class="note">{texts.onHold}</p>}
      <p class="muted">
        {labelled(texts.priority, texts.priorities[shown.priority])}
        {shown.assignee && (
          <>
            {' · '}
            {labelled(texts.assignee, '')}
            <bdi>{shown.assignee}</bdi>
          </>
        )}
        {' · '}
        {labelled(texts.updated, momentText(shown.updated_at))}
      </p>
      <div class="row">
        <Field label={texts.status}>
          <ChoiceSelect
            value={toAsk ?? shown.status}
            choices={texts.statuses}
            disabled={status.busy || fourEyes.loading}
            onChange={choose}
          />
        </Field>
        {toAsk && (
          <button type="button" class="primary" disabled={status.busy} onClick={() => status.run(toAsk)}>
            {words().approvals.ask}
          </button>
        )}
        <WatchSubjects path={path} />
      </div>
      {fourEyes.note}
      <ErrorNote error={status.error ?? hold.error ?? remove.error} />
      <details>
        <summary>{texts.edit}</summary>
        <CaseForm label={`${texts.edit}: ${shown.title}`} submit={texts.save} shown={shown} onSubmit={change} />
      </details>
    </section>
  );
}

interface DeleteByNameProps {
  label: string;
  /** The name that has to be typed. */
  name: string;
  disabled?: boolean;
  onDelete: () => void;
}

/** Deletes what cannot be brought back, once its name is typed. */
function DeleteByName({ label, name, disabled, onDelete }: DeleteByNameProps) {
  const [typed, setTyped] = useState('');
  return (
    <details>
      <summary>{label}</summary>
      <Field label={words().parts.typeName(name)}>
        <input value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      </Field>
      <button
        type="button"
        class="danger"
        disabled={disabled || typed.trim() !== name.trim()}
        aria-label={`${label}: ${name}`}
        onClick={onDelete}
      >
        {label}
      </button>
    </details>
  );
}

interface CaseSumsProps {
  shown: Case;
  addresses: CaseAddress[];
  onTimeline: () => void;
  /** Stands after the buttons. */
  children: ComponentChildren;
}

/** Shows the title of a case with links to its report and picture, and the sums of its money. */
function CaseSums({ shown: { id: caseId, title }, addresses, onTimeline, children }: CaseSumsProps) {
  const texts = words().cases;
  const lang = language.value;
  // Another address, role or scan gives another account.
  const state = addresses.map(({ id, role, last_scanned_at }) => `${id} ${role} ${last_scanned_at}`).join();
  const { answer, error } = useAnswer<CaseFundsAnswer>(
    (signal) => call(apiPath`/cases/${caseId}/funds`, { query: { lang }, signal }),
    [caseId, lang, state],
  );
  const draw = () => {
    const { nodes, flows } = answer ? ofFunds(answer) : { nodes: [], flows: [] };
    // By the names that the case gives them, as in its report; the subjects first.
    const own = addresses
      .toSorted((a, b) => Number(b.role === 'subject') - Number(a.role === 'subject'))
      .map(({ chain, address, label }) => ({
        key: nodeKey(chain, address),
        ...(label ? { label, named: true as const } : {}),
      }));
    carryToCanvas({ start: own[0]?.key ?? null, additions: { nodes, flows }, own }, '');
  };
  return (
    <>
      <div class="row case-head">
        <h1 id="case">{title}</h1>
        <button type="button" disabled={addresses.length === 0 || (!answer && !error)} onClick={draw}>
          {texts.draw}
        </button>
        <SaveButton
          label={texts.report}
          path={apiPath`/cases/${caseId}/report.pdf`}
          query={{ language: lang }}
          name={`case-${caseId}.pdf`}
          onSaved={onTimeline}
          primary
        />
        {children}
      </div>
      <ErrorNote error={error} />
      {answer && <CaseFigures funds={answer} />}
    </>
  );
}

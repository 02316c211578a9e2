import { useState } from 'preact/hooks';
import { momentText } from '../../browser/figures.ts';
import { goTo, linkTo } from '../../browser/route.ts';
import { labelled, words } from '../../browser/words.ts';
import { Dropdown } from '../../parts/dropdown.tsx';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { DeleteByName } from '../../parts/form/delete-by-name.tsx';
import { useFourEyes } from '../../parts/four-eyes.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { WatchSubjects } from '../../parts/watch-subjects.tsx';
import type { Case, CaseAddress } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { CaseForm } from './case-form.tsx';
import { CaseSums } from './case-sums.tsx';

interface CaseHeaderProps {
  shown: Case;
  addresses: CaseAddress[];
  onChanged: () => void;
}

/** Statuses that end a case. */
const ENDS: readonly string[] = ['closed', 'archived'];

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
  const ends = (chosen: string) => ENDS.includes(chosen) && !ENDS.includes(shown.status);
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

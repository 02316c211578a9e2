import { useEffect, useRef } from 'preact/hooks';
import type { AlertDisposition } from '../../../src/domain/alert.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { given } from '../../parts/form/form.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import type { Cases } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { titleOf } from './found.tsx';
import type { Triage } from './use-triage.ts';

const DAY_MS = 86_400_000;

/** Offers actions on the chosen alerts, or on the one that was reached. */
export function TriageBar({ triage, names }: { triage: Triage; names: readonly string[] }) {
  const texts = words().alerts;
  const { targets, chosen, act, busy, error, form, setForm } = triage;
  const isOff = busy || targets.length === 0;
  const areClosed = targets.length > 0 && targets.every(({ state }) => state === 'closed');
  const mute = () => act({ kind: 'muted', until: new Date(Date.now() + DAY_MS).toISOString() });
  return (
    <div class={targets.length > 0 ? 'triage' : 'triage idle'}>
      <div class="row center">
        <strong class="triage-about">
          {chosen.size > 0 ? texts.chosen(chosen.size) : targets[0] ? titleOf(targets[0]) : texts.chosen(0)}
        </strong>
        {areClosed ? (
          <button type="button" disabled={isOff} onClick={() => act({ kind: 'reopened' })}>
            {texts.reopen}
          </button>
        ) : (
          <>
            <button type="button" disabled={isOff} aria-keyshortcuts="a" onClick={() => act({ kind: 'assigned' })}>
              {texts.take} <kbd>a</kbd>
            </button>
            <ChoiceSelect
              aria-label={texts.giveTo}
              none={texts.giveTo}
              value=""
              disabled={isOff}
              choices={{ ...Object.fromEntries(names.map((name) => [name, name])), '\0': texts.nobody }}
              onChange={(name) => name && act({ kind: 'assigned', assignee: name === '\0' ? null : name })}
            />
            <button type="button" disabled={isOff} aria-keyshortcuts="c" onClick={() => setForm('escalated')}>
              {texts.toCase} <kbd>c</kbd>
            </button>
            <button type="button" disabled={isOff} aria-keyshortcuts="x" onClick={() => setForm('closed')}>
              {texts.close} <kbd>x</kbd>
            </button>
            <button type="button" disabled={isOff} onClick={mute}>
              {texts.mute}
            </button>
          </>
        )}
      </div>
      {form && targets.length > 0 && <OpenForm key={form} triage={triage} />}
      <ErrorNote error={error} />
    </div>
  );
}

/** Why alerts are closed, or to which case they go. Its first field has the focus. */
function OpenForm({ triage: { form, act, busy, setForm } }: { triage: Triage }) {
  const texts = words().alerts;
  const frame = useRef<HTMLFormElement>(null);
  useEffect(() => frame.current?.querySelector('select')?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const comment = given(fields, 'comment');
    if (form === 'escalated') void act({ kind: 'escalated', case_id: given(fields, 'case_id'), comment });
    else void act({ kind: 'closed', disposition: given(fields, 'disposition') as AlertDisposition, comment });
  };
  const isClosing = form === 'closed';
  return (
    <form
      ref={frame}
      class="row"
      aria-label={isClosing ? texts.close : texts.toCase}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && setForm(null)}
    >
      {isClosing ? (
        <Field label={texts.disposition}>
          <ChoiceSelect name="disposition" required none="" choices={texts.dispositions} />
        </Field>
      ) : (
        <CaseChoice />
      )}
      <div class="grow">
        <Field label={isClosing ? texts.reason : texts.comment}>
          <input name="comment" required={isClosing} maxLength={4_000} autocomplete="off" />
        </Field>
      </div>
      <button type="submit" class="primary" disabled={busy}>
        {isClosing ? texts.close : texts.toCase}
      </button>
      <button type="button" onClick={() => setForm(null)}>
        {words().parts.cancel}
      </button>
    </form>
  );
}

function CaseChoice() {
  const texts = words().alerts;
  const { answer, error } = useAnswer<Cases>((signal) => call('/cases', { query: { limit: 200 }, signal }), []);
  const open = answer?.cases.filter(({ status }) => status !== 'closed' && status !== 'archived') ?? [];
  return (
    <>
      <Field label={texts.case}>
        <ChoiceSelect
          name="case_id"
          none={texts.newCase}
          choices={Object.fromEntries(open.map(({ id, title }) => [id, title]))}
        />
      </Field>
      <ErrorNote error={error} />
    </>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { LANGUAGE_NAMES } from '../../../../words/language.ts';
import { language, words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import { useFourEyes } from '../../../parts/four-eyes.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/notes.tsx';
import type { Packages as PackagesAnswer, ReportPackage } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { useReloadWhile } from '../../../service/use-reload-while.ts';
import { PackageItem } from './package-item.tsx';

/** Generates report packages and lists them, newest first. One that ends is noted in the timeline. */
export function PackagesSection({ caseId, onTimeline }: { caseId: string; onTimeline: () => void }) {
  const texts = words().caseWork;
  const fourEyes = useFourEyes('package');
  const path = apiPath`/cases/${caseId}/str-package`;
  const { answer, error, loading, reload } = useAnswer<PackagesAnswer>(
    (signal) => call(`${path}/status`, { signal }),
    [caseId],
  );
  const live = answer?.generations.find(isLive);
  useReloadWhile(live !== undefined, reload, live?.progress);
  const wasLive = useRef(false);
  useEffect(() => {
    if (wasLive.current && !live) onTimeline();
    wasLive.current = live !== undefined;
  }, [live]);
  const generate = async (fields: FormData) => {
    const to = given(fields, 'to');
    const body = {
      language: given(fields, 'language'),
      from: given(fields, 'from'),
      // The whole of the last day.
      to: to && `${to}T23:59:59.999Z`,
      proofs: given(fields, 'proofs') !== undefined,
    };
    await fourEyes.doOrAsk(body, async () => {
      await call(path, { method: 'POST', body });
      reload();
    });
  };
  return (
    <>
      <h3>{texts.package}</h3>
      <p class="muted">{texts.packageNote}</p>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <>
          <Form
            label={texts.package}
            submit={fourEyes.needed ? words().approvals.ask : texts.generate}
            disabled={fourEyes.loading}
            onSubmit={generate}
          >
            <div class="fields">
              <Field label={texts.language}>
                <ChoiceSelect name="language" choices={LANGUAGE_NAMES} initial={language.value} />
              </Field>
              <Field label={texts.from} hint={texts.period}>
                <input name="from" type="date" />
              </Field>
              <Field label={texts.to}>
                <input name="to" type="date" />
              </Field>
            </div>
            <Checkbox name="proofs" label={texts.proofs} hint={texts.proofsHint} />
          </Form>
          {fourEyes.note}
          {answer.generations.length === 0 && <EmptyNote text={texts.noPackages} />}
          {answer.generations.map((one) => (
            <PackageItem key={one.generation_id} caseId={caseId} generated={one} />
          ))}
        </>
      )}
    </>
  );
}

function isLive({ status }: ReportPackage): boolean {
  return status !== 'completed' && status !== 'failed';
}

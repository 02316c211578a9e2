import { momentText } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import { useFourEyes } from '../../../parts/four-eyes.tsx';
import { LevelBadge } from '../../../parts/level-badge.tsx';
import type { CaseAddress, CaseDisposition, ScanDetection } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';

interface JudgedDetectionProps {
  address: CaseAddress;
  detection: ScanDetection;
  /** A judgement is on all detections of one detector: one of them is critical. */
  isGrave: boolean;
  /** Left out: nobody has judged it. */
  disposition: CaseDisposition | undefined;
  onJudged: () => void;
}

/** A detection, who judged it and why, and a form that judges it. */
export function JudgedDetection({ address, detection, isGrave, disposition, onJudged }: JudgedDetectionProps) {
  const texts = words().cases;
  const fourEyes = useFourEyes('dismiss_critical');
  const judge = async (fields: FormData) => {
    const body = {
      address_id: address.id,
      detector_id: detection.detector_id,
      disposition: given(fields, 'disposition'),
      reason: given(fields, 'reason'),
    };
    const put = async () => {
      await call(apiPath`/cases/${address.case_id}/dispositions`, { method: 'PUT', body });
      onJudged();
    };
    await (isGrave && body.disposition === 'dismissed' ? fourEyes.doOrAsk(body, put) : put());
  };
  return (
    <div class="entry">
      <div class="row center">
        <LevelBadge level={detection.severity} />
        <strong>{detection.detector_name}</strong>
        {disposition && <span class="badge">{texts.judgements[disposition.disposition]}</span>}
      </div>
      <p>{detection.description}</p>
      {disposition && (
        <p class="muted">
          {[disposition.reason, disposition.author, momentText(disposition.created_at)].join(' · ')}
          {!disposition.in_force && ` · ${disposition.imported ? texts.judgedElsewhere : texts.ended}`}
        </p>
      )}
      <details>
        <summary>{texts.judge}</summary>
        <p class="muted">{texts.judgementEffects}</p>
        {isGrave && fourEyes.needed && <p class="note">{words().approvals.dismissalAsked}</p>}
        <Form
          label={`${texts.judge}: ${detection.detector_name}`}
          submit={texts.judge}
          disabled={isGrave && fourEyes.loading}
          onSubmit={judge}
        >
          <div class="fields">
            <Field label={texts.judgement}>
              <ChoiceSelect name="disposition" required choices={texts.judgements} none={texts.choose} />
            </Field>
            <Field label={texts.reason}>
              <input name="reason" required maxLength={10_000} />
            </Field>
          </div>
        </Form>
        {fourEyes.note}
      </details>
    </div>
  );
}

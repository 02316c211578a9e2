import { useState } from 'preact/hooks';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { SaveButton } from '../../../parts/form/save-button.tsx';
import { apiPath } from '../../../service/api.ts';
import { caseWorkTexts } from '../../../texts/case-work.ts';
import { language } from '../../../texts/language.ts';
import { partTexts } from '../../../texts/parts.ts';
import { Packages } from './packages.tsx';

/** The PDF report of a case and its report packages; both write into the timeline. */
export function CaseReports({ caseId, onTimeline }: { caseId: string; onTimeline: () => void }) {
  const texts = caseWorkTexts();
  const [reportLanguage, setReportLanguage] = useState<string>(language.value);
  return (
    <section class="card" aria-labelledby="reports">
      <h2 id="reports">{texts.reports}</h2>
      <div class="row">
        <Field label={texts.language}>
          <ChoiceSelect value={reportLanguage} choices={partTexts().languages} onChange={setReportLanguage} />
        </Field>
        <SaveButton
          label={texts.report}
          path={apiPath`/cases/${caseId}/report.pdf`}
          query={{ language: reportLanguage }}
          name={`case-${caseId}.pdf`}
          onSaved={onTimeline}
        />
      </div>
      <Packages caseId={caseId} onTimeline={onTimeline} />
    </section>
  );
}

import { useState } from 'preact/hooks';
import { LANGUAGE_NAMES } from '../../../../words/language.ts';
import { language, words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { SaveButton } from '../../../parts/form/save-button.tsx';
import { apiPath } from '../../../service/api.ts';
import { PackagesSection } from './packages.tsx';
import { RequestsSection } from './requests.tsx';

const INDICATORS = ['stix', 'misp'] as const;

/** A report of goAML, for which the reporting entity says who it is and why it reports. */
function GoamlReport({ caseId, onTimeline }: { caseId: string; onTimeline: () => void }) {
  const texts = words().caseWork;
  const [rentity_id, setRentityId] = useState('');
  const [indicator, setIndicator] = useState('');
  return (
    <div class="row">
      <Field label={texts.rentityId}>
        <input inputMode="numeric" value={rentity_id} onInput={(event) => setRentityId(event.currentTarget.value)} />
      </Field>
      <Field label={texts.indicator}>
        <input maxLength={25} value={indicator} onInput={(event) => setIndicator(event.currentTarget.value)} />
      </Field>
      <SaveButton
        label={texts.goaml}
        path={apiPath`/cases/${caseId}/goaml.xml`}
        query={{ rentity_id, indicator }}
        name={`${caseId}-goaml.xml`}
        onSaved={onTimeline}
      />
    </div>
  );
}

/** The PDF report of a case and its report packages; both write into the timeline. */
export function CaseReports({ caseId, onTimeline }: { caseId: string; onTimeline: () => void }) {
  const texts = words().caseWork;
  const [reportLanguage, setReportLanguage] = useState<string>(language.value);
  const [withBoards, setWithBoards] = useState(false);
  return (
    <section class="card" aria-labelledby="reports">
      <h2 id="reports">{texts.reports}</h2>
      <div class="row">
        <Field label={texts.language}>
          <ChoiceSelect value={reportLanguage} choices={LANGUAGE_NAMES} onChange={setReportLanguage} />
        </Field>
        <Checkbox label={texts.withBoards} checked={withBoards} onChange={setWithBoards} />
        <SaveButton
          label={texts.report}
          path={apiPath`/cases/${caseId}/report.pdf`}
          query={{ language: reportLanguage, boards: withBoards ? 'on' : 'off' }}
          name={`case-${caseId}.pdf`}
          onSaved={onTimeline}
        />
      </div>
      <h3>{texts.otherSystems}</h3>
      <div class="row">
        {INDICATORS.map((form) => (
          <SaveButton
            key={form}
            label={texts[form]}
            path={apiPath`/cases/${caseId}/indicators.${form}.json`}
            name={`indicators.${form}.json`}
            onSaved={onTimeline}
          />
        ))}
        <SaveButton
          label={texts.ivms101}
          path={apiPath`/cases/${caseId}/ivms101.json`}
          name={`${caseId}-ivms101.json`}
          onSaved={onTimeline}
        />
        <SaveButton
          label={texts.archive}
          path={apiPath`/cases/${caseId}/archive.zip`}
          name={`case-${caseId}.zip`}
          onSaved={onTimeline}
        />
      </div>
      <GoamlReport caseId={caseId} onTimeline={onTimeline} />
      <RequestsSection caseId={caseId} language={reportLanguage} onTimeline={onTimeline} />
      <PackagesSection caseId={caseId} onTimeline={onTimeline} />
    </section>
  );
}

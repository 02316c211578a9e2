import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { AddressFields } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { EmptyNote } from '../../parts/notes.tsx';
import { call } from '../../service/api.ts';

/** Reports a scam to the operator. */
export function ReportForm() {
  const texts = words().scamdb;
  const [reportId, setReportId] = useState<string | null>(null);
  const report = async (fields: FormData) => {
    setReportId(null);
    const stolen = given(fields, 'stolen_usd');
    const body = {
      address: given(fields, 'address'),
      chain: given(fields, 'chain'),
      type: given(fields, 'type'),
      description: given(fields, 'description'),
      domains: given(fields, 'domains')?.split(/\s+/),
      evidence_url: given(fields, 'evidence_url'),
      stolen_usd: stolen === undefined ? undefined : Number(stolen),
    };
    const { report_id } = await call<{ report_id: string }>('/scamdb/report', { method: 'POST', body });
    setReportId(report_id);
  };
  return (
    <details class="card add">
      <summary>{texts.report}</summary>
      <Form label={texts.report} submit={texts.send} onSubmit={report}>
        <div class="fields">
          <AddressFields />
          <Field label={texts.type}>
            <ChoiceSelect name="type" choices={texts.types} initial="phishing" />
          </Field>
          <Field label={texts.stolenUsd}>
            <input name="stolen_usd" type="number" min={0} step="any" />
          </Field>
        </div>
        <Field label={texts.description}>
          <textarea name="description" required rows={3} maxLength={2_000} />
        </Field>
        <Field label={texts.domains} hint={texts.domainsHint}>
          <textarea name="domains" rows={2} spellcheck={false} />
        </Field>
        <Field label={texts.evidence}>
          <input name="evidence_url" type="url" maxLength={2_048} />
        </Field>
      </Form>
      <div role="status">{reportId && <EmptyNote text={texts.reported(reportId)} />}</div>
    </details>
  );
}

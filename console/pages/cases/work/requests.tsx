import { dollars, percentOnLine } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { SaveButton } from '../../../parts/form/save-button.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import { Table } from '../../../parts/table.tsx';
import type { FreezingRequests } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { useAnswer } from '../../../service/use-answer.ts';

interface RequestsSectionProps {
  caseId: string;
  language: string;
  onTimeline: () => void;
}

/** The services where money of the case arrived, each with its freezing request. */
export function RequestsSection({ caseId, language, onTimeline }: RequestsSectionProps) {
  const texts = words().caseWork;
  const { answer, error } = useAnswer<FreezingRequests>(
    (signal) => call(apiPath`/cases/${caseId}/requests`, { signal, query: { language } }),
    [caseId, language],
  );
  const copy = useAction((text: string) => navigator.clipboard.writeText(text));
  return (
    <section aria-labelledby="requests">
      <h3 id="requests">{texts.requests}</h3>
      <p class="muted">{texts.requestsNote}</p>
      <ErrorNote error={error ?? copy.error} />
      {answer && (
        <Table
          caption={texts.requests}
          rows={answer.requests}
          keyOf={({ id }) => id}
          empty={texts.noRequests}
          columns={[
            { title: texts.service, cell: ({ service }) => service },
            { title: texts.arrived, cell: ({ usd }) => dollars(usd), numeric: true },
            { title: texts.share, cell: ({ share }) => percentOnLine(share), numeric: true },
            {
              title: words().parts.actions,
              cell: ({ id, reference, text }) => (
                <>
                  <SaveButton
                    label={texts.requestPdf}
                    path={apiPath`/cases/${caseId}/requests/${`${id}.pdf`}`}
                    query={{ language }}
                    name={`request-${reference}.pdf`}
                    onSaved={onTimeline}
                  />{' '}
                  <button type="button" disabled={copy.busy} onClick={() => copy.run(text)}>
                    {texts.requestCopy}
                  </button>
                </>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

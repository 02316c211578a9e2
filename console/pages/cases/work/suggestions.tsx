import { AddressText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Table } from '../../../parts/table.tsx';
import type { CaseAddress, Suggestion, Suggestions as SuggestionsAnswer } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { caseWorkTexts } from '../../../texts/case-work.ts';
import { caseTexts } from '../../../texts/cases.ts';
import { percent, usd } from '../../../texts/formats.ts';
import { partTexts } from '../../../texts/parts.ts';

interface SuggestionsProps {
  caseId: string;
  /** Another address, role or scan gives other suggestions. */
  addresses: CaseAddress[];
  onAdded: () => void;
}

/** Addresses on the paths of the subjects' money that are not in the case. */
export function Suggestions({ caseId, addresses, onAdded }: SuggestionsProps) {
  const texts = caseWorkTexts();
  const state = addresses.map(({ id, role, last_scanned_at }) => `${id} ${role} ${last_scanned_at}`).join();
  const { answer, error, loading } = useAnswer<SuggestionsAnswer>(
    (signal) => call(apiPath`/cases/${caseId}/suggestions`, { signal }),
    [caseId, state],
  );
  const add = useAction(async ({ address, chain, role, hop }: Suggestion) => {
    await call(apiPath`/cases/${caseId}/addresses`, {
      method: 'POST',
      body: { address, chain, role, hop_distance: hop },
    });
    onAdded();
  });
  return (
    <section class="card" aria-labelledby="suggestions">
      <h2 id="suggestions">{texts.suggestions}</h2>
      <p class="muted">{texts.suggestionsNote}</p>
      <ErrorNote error={error ?? add.error} />
      {loading && <Loading text={texts.searching} />}
      {answer && (
        <Table
          caption={texts.suggestions}
          rows={answer.suggestions}
          keyOf={(one) => `${one.chain} ${one.address}`}
          empty={texts.noSuggestions}
          columns={[
            {
              title: caseTexts().address,
              cell: (one) => (
                <>
                  <AddressText chain={one.chain} address={one.address} /> <span class="muted">{one.chain}</span>{' '}
                  {one.label} {one.category && <CategoryBadge category={one.category} />}
                </>
              ),
            },
            {
              title: caseTexts().roles.subject,
              cell: (one) => <AddressText chain={one.of_chain} address={one.of_address} />,
            },
            { title: texts.why, cell: (one) => texts.whys[one.why] },
            { title: texts.direction, cell: (one) => partTexts().directions[one.direction] },
            { title: texts.hop, cell: (one) => one.hop, numeric: true },
            { title: texts.value, cell: (one) => usd(one.usd), numeric: true },
            { title: texts.share, cell: (one) => percent(one.share), numeric: true },
            { title: caseTexts().role, cell: (one) => caseTexts().roles[one.role] },
            {
              title: partTexts().actions,
              cell: (one) => (
                <button
                  type="button"
                  disabled={add.busy}
                  aria-label={`${caseTexts().add}: ${one.address}`}
                  onClick={() => add.run(one)}
                >
                  {caseTexts().add}
                </button>
              ),
            },
          ]}
        />
      )}
      {answer?.truncated && <EmptyNote text={texts.truncated} />}
    </section>
  );
}

import { chainName } from '../../../../src/domain/chain.ts';
import { dollars, percentOnLine } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Table } from '../../../parts/table.tsx';
import type { CaseAddress, Suggestion, Suggestions as SuggestionsAnswer } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { useAnswer } from '../../../service/use-answer.ts';

interface SuggestionsProps {
  caseId: string;
  /** Another address, role or scan gives other suggestions. */
  addresses: CaseAddress[];
  onAdded: () => void;
}

/** Addresses on the paths of the subjects' money that are not in the case. */
export function SuggestionsSection({ caseId, addresses, onAdded }: SuggestionsProps) {
  const texts = words().caseWork;
  const state = addresses.map(({ id, role, last_scanned_at }) => `${id} ${role} ${last_scanned_at}`).join();
  const { answer, error, loading } = useAnswer<SuggestionsAnswer>(
    (signal) => call(apiPath`/cases/${caseId}/suggestions`, { signal }),
    [caseId, state],
  );
  const add = useAction(async ({ address, chain, role, hop, label }: Suggestion) => {
    await call(apiPath`/cases/${caseId}/addresses`, {
      method: 'POST',
      body: { address, chain, role, label, hop_distance: hop },
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
              title: words().cases.address,
              cell: (one) => (
                <>
                  <AddressText chain={one.chain} address={one.address} />{' '}
                  <span class="muted">{chainName(one.chain)}</span> {one.label}{' '}
                  {one.category && <CategoryBadge category={one.category} />}
                </>
              ),
            },
            // Of one subject, every row would say the same.
            ...(new Set(answer.suggestions.map((one) => one.of_address)).size > 1
              ? [
                  {
                    title: words().cases.roles.subject,
                    cell: (one: Suggestion) => <AddressText chain={one.of_chain} address={one.of_address} />,
                  },
                ]
              : []),
            {
              title: texts.why,
              cell: (one) => (
                <>
                  {texts.whys[one.why]}
                  <small class="hint block">
                    {words().parts.directions[one.direction]} · {words().monitoring.hops(one.hop)}
                  </small>
                </>
              ),
            },
            { title: texts.value, cell: (one) => dollars(one.usd), numeric: true },
            { title: texts.share, cell: (one) => percentOnLine(one.share), numeric: true },
            { title: words().cases.role, cell: (one) => words().cases.roles[one.role] },
            {
              title: words().parts.actions,
              cell: (one) => (
                <button
                  type="button"
                  disabled={add.busy}
                  aria-label={`${words().cases.add}: ${one.address}`}
                  onClick={() => add.run(one)}
                >
                  {words().cases.add}
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

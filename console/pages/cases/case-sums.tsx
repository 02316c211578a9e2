import type { ComponentChildren } from 'preact';
import { dollars } from '../../browser/figures.ts';
import { language, words } from '../../browser/words.ts';
import { carryToCanvas } from '../../desk/carried.ts';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { nodeKey, ofFunds } from '../../scene/additions.ts';
import type { Case, CaseAddress } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import type { CaseFundsAnswer } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';

type Row = CaseFundsAnswer['rows'][number];

interface CaseSumsProps {
  shown: Case;
  addresses: CaseAddress[];
  onTimeline: () => void;
  /** Stands after the buttons. */
  children: ComponentChildren;
}

/** Kinds of rows at which the way of the money is known to end; all others are where it was lost from sight. */
const ENDS = ['party', 'held', 'returned', 'fees', 'price_change', 'burned'];

/** Shows the title of a case with links to its report and picture, and the sums of its money. */
export function CaseSums({ shown: { id: caseId, title }, addresses, onTimeline, children }: CaseSumsProps) {
  const texts = words().cases;
  const lang = language.value;
  // Another address, role or scan gives another account.
  const state = addresses.map(({ id, role, last_scanned_at }) => `${id} ${role} ${last_scanned_at}`).join();
  const { answer, error } = useAnswer<CaseFundsAnswer>(
    (signal) => call(apiPath`/cases/${caseId}/funds`, { query: { lang }, signal }),
    [caseId, lang, state],
  );
  const draw = () => {
    const { nodes, flows } = answer ? ofFunds(answer) : { nodes: [], flows: [] };
    const keys = addresses.map(({ chain, address }) => nodeKey(chain, address));
    const drawn = new Set(flows.flatMap(({ from, to }) => [from, to]));
    const alone = keys.filter((key) => !drawn.has(key));
    carryToCanvas({ start: keys[0] ?? null, additions: { nodes, flows }, alone }, '');
  };
  return (
    <>
      <div class="row case-head">
        <h1 id="case">{title}</h1>
        <button type="button" disabled={addresses.length === 0 || (!answer && !error)} onClick={draw}>
          {texts.draw}
        </button>
        <SaveButton
          label={texts.report}
          path={apiPath`/cases/${caseId}/report.pdf`}
          query={{ language: lang }}
          name={`case-${caseId}.pdf`}
          onSaved={onTimeline}
          primary
        />
        {children}
      </div>
      <ErrorNote error={error} />
      {answer && answer.total_usd > 0 && <Sums rows={answer.rows} total={answer.total_usd} />}
    </>
  );
}

function Sums({ rows, total }: { rows: Row[]; total: number }) {
  const texts = words().cases;
  const sumOf = (isOf: (row: Row) => boolean) => rows.filter(isOf).reduce((sum, { usd }) => sum + usd, 0);
  const unknown = sumOf(({ kind }) => !ENDS.includes(kind));
  const figures: [string, number][] = [
    [texts.sums.sent, total],
    [texts.sums.followed, total - unknown],
    [texts.sums.arrived, sumOf(({ kind }) => kind === 'party')],
    [texts.sums.frozen, sumOf(({ frozen = [] }) => frozen.length > 0)],
    [texts.sums.unknown, unknown],
  ];
  return (
    <dl class="sums">
      {figures
        .filter(([name, usd]) => usd > 0 || name === texts.sums.sent)
        .map(([name, usd]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{dollars(usd)}</dd>
          </div>
        ))}
    </dl>
  );
}

import { count, dollars, momentText } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import type { ScamStats } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** How much is listed: in all, and by kind, severity and chain. */
export function Statistics() {
  const texts = words().scamdb;
  const { answer, error, loading } = useAnswer<ScamStats>((signal) => call('/scamdb/stats', { signal }), []);
  return (
    <section class="card" aria-labelledby="statistics">
      <h2 id="statistics">{texts.statistics}</h2>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <dl class="facts">
            <dt>{texts.verified}</dt>
            <dd>{count(answer.verified_entries)}</dd>
            <dt>{texts.total}</dt>
            <dd>{count(answer.total_entries)}</dd>
            <dt>{texts.stolen}</dt>
            <dd>{dollars(answer.total_stolen_usd)}</dd>
            <dt>{texts.updated}</dt>
            <dd>{momentText(answer.updated_at)}</dd>
          </dl>
          {answer.verified_entries > 0 && (
            <div class="columns">
              <Counts title={texts.byType} counts={answer.by_type} all={answer.verified_entries} names={texts.types} />
              <Counts
                title={texts.bySeverity}
                counts={answer.by_severity}
                all={answer.verified_entries}
                names={words().parts.levels}
              />
              <Counts
                title={texts.byChain}
                counts={answer.by_chain}
                all={answer.verified_entries}
                names={CHAIN_CHOICES}
              />
            </div>
          )}
        </>
      )}
    </section>
  );
}

interface CountsProps {
  title: string;
  counts: Record<string, number>;
  /** Value of a full bar. */
  all: number;
  names: Record<string, string>;
}

function Counts({ title, counts, all, names }: CountsProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {Object.entries(counts)
        .filter(([, n]) => n > 0)
        .sort(([, a], [, b]) => b - a)
        .map(([value, n]) => (
          <ProgressBar key={value} label={names[value] ?? value} share={n / all} text={count(n)} />
        ))}
    </section>
  );
}

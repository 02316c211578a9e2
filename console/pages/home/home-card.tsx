import type { ComponentChildren } from 'preact';
import { words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { Asked } from '../../service/use-answer.ts';

interface HomeCardProps<Row> {
  title: string;
  /** Where all of them are. */
  href?: string;
  asked: Asked<{ rows: Row[]; total?: number }>;
  keyOf: (row: Row) => string;
  row: (row: Row) => ComponentChildren;
  empty: string;
}

/** A few lines of what waits or was done last, with a way to all of it. */
export function HomeCard<Row>({ title, href, asked, keyOf, row, empty }: HomeCardProps<Row>) {
  const { answer, error, loading } = asked;
  const total = answer?.total ?? 0;
  return (
    <section class="card" aria-label={title}>
      <div class="row center home-head">
        <h2>{title}</h2>
        {href && answer && total > answer.rows.length && <a href={href}>{words().home.more(total)}</a>}
      </div>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer?.rows.length === 0 && <p class="note">{empty}</p>}
      <ul class="home-list">
        {answer?.rows.map((one) => (
          <li key={keyOf(one)}>{row(one)}</li>
        ))}
      </ul>
    </section>
  );
}

import { momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { ScamEntry } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { EntryFacts } from './entry-facts.tsx';

/** One entry with its history. */
export function EntryView({ id }: { id: string }) {
  const texts = words().scamdb;
  const { answer, error, loading } = useAnswer<ScamEntry>(
    (signal) => call(apiPath`/scamdb/entries/${id}`, { signal }),
    [id],
  );
  return (
    <section class="card" aria-labelledby="entry">
      <a href={linkTo('scamdb')}>← {texts.back}</a>
      <h2 id="entry">{texts.entry}</h2>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <EntryFacts entry={answer} />
          {answer.chains[0] && (
            <p>
              <a href={linkTo('scan', [answer.chains[0], answer.address])}>{texts.scan}</a>
            </p>
          )}
          <h3>{texts.history}</h3>
          <ol>
            {answer.history.map((one) => (
              <li key={`${one.at} ${one.action} ${one.source}`}>
                {momentText(one.at)} · {texts.actions[one.action]} · {one.source} {one.reason}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

import { chainName } from '../../src/domain/chain.ts';
import { writtenDay } from '../browser/figures.ts';
import { linkTo } from '../browser/route.ts';
import { comma, words } from '../browser/words.ts';
import { ErrorNote, Loading } from '../parts/notes.tsx';
import type { Sources } from '../service/answers.ts';
import { ApiError, call } from '../service/api.ts';
import { useAnswer } from '../service/use-answer.ts';

/** How sources and lists stand in a few lines; nothing for readers who may not see them. */
export function SourcesSummary() {
  const texts = words().home;
  const { answer, error, loading } = useAnswer<Sources | null>(
    (signal) =>
      call<Sources>('/sources', { signal }).catch((refused: unknown) => {
        if (refused instanceof ApiError && refused.status === 403) return null;
        throw refused;
      }),
    [],
  );
  if (!answer && !error && !loading) return null;
  return (
    <section class="card" aria-label={texts.sources}>
      <div class="row center home-head">
        <h2>
          <a href={linkTo('sources')}>{texts.sources}</a>
        </h2>
      </div>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && <Lines {...answer} />}
    </section>
  );
}

function Lines({ sources, lists, loaded_lists, list_gap, prices }: Sources) {
  const texts = words().home;
  const failing = [...new Set(sources.filter(isFailing).map(({ chain }) => chainName(chain)))];
  const waiting = [...new Set(lists.filter(needsLook).map(({ source }) => source))];
  const days = prices.held.map(({ newest }) => newest).toSorted();
  return (
    <ul class="home-list">
      <li>{texts.chainsAnswer(new Set(sources.map(({ chain }) => chain)).size)}</li>
      {failing.length > 0 && <li class="late">{texts.chainsFail(failing.join(comma()))}</li>}
      <li>{texts.listsCurrent(loaded_lists.length)}</li>
      {waiting.length > 0 && <li class="late">{texts.listsWaiting(waiting.join(comma()))}</li>}
      {list_gap && (
        <li>
          <span class="late">{words().coverage.listGaps[list_gap]}</span>
          <small class="hint block">{words().sources.closeGap[list_gap]}</small>
        </li>
      )}
      {days.length > 0 && <li>{texts.pricesOf(writtenDay(days.at(-1)!))}</li>}
    </ul>
  );
}

/** Finds a source that failed after it last answered. */
export function isFailing({ last_problem, last_success_at: won, last_failure_at: lost }: Sources['sources'][number]) {
  return last_problem !== null && (won === null || (lost !== null && lost > won));
}

function needsLook({ state }: Sources['lists'][number]): boolean {
  return state === 'failed' || state === 'waiting';
}

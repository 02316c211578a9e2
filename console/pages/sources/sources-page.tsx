import { words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { Sources } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { ChainStates } from './chain-states.tsx';
import { ListStates } from './list-states.tsx';
import { PriceSources } from './price-sources.tsx';

/** `#/sources`: the sources of data that the operator configured, the lists, and what waits for a decision. */
export function SourcesPage() {
  const { answer, error, loading } = useAnswer((signal) => call<Sources>('/sources', { signal }), []);
  return (
    <>
      <h1>{words().sources.title}</h1>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <ChainStates {...answer} />
          <ListStates {...answer} />
          <PriceSources prices={answer.prices} />
        </>
      )}
    </>
  );
}

import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError } from './api.ts';

interface AnswerState<Answer> {
  /** The newest answer; it stays while a newer one is loading. */
  answer: Answer | null;
  error: Error | null;
  loading: boolean;
}

export interface Asked<Answer> extends AnswerState<Answer> {
  reload: () => void;
}

/**
 * Asks when shown and whenever one of `inputs` changes; an answer that came too late is dropped. A read that may be
 * repeated after a pause is repeated by itself, and the answer before stays meanwhile.
 */
export function useAnswer<Answer>(ask: (signal: AbortSignal) => Promise<Answer>, inputs: unknown[]): Asked<Answer> {
  const [state, setState] = useState<AnswerState<Answer>>({ answer: null, error: null, loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let again: ReturnType<typeof setTimeout>;
    setState(({ answer }) => ({ answer, error: null, loading: true }));
    ask(abort.signal).then(
      (answer) => abort.signal.aborted || setState({ answer, error: null, loading: false }),
      (error: Error) => {
        if (abort.signal.aborted) return;
        const pauseS = error instanceof ApiError && error.wasRead ? error.pauseS : null;
        setState(({ answer }) => ({ answer: pauseS === null ? null : answer, error, loading: false }));
        if (pauseS !== null) again = setTimeout(() => setTurn((last) => last + 1), pauseS * 1_000);
      },
    );
    return () => {
      abort.abort();
      clearTimeout(again);
    };
  }, [...inputs, turn]);
  return { ...state, reload: useCallback(() => setTurn((last) => last + 1), []) };
}

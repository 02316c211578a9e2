import { useCallback, useEffect, useState } from 'preact/hooks';

export interface Asked<Answer> {
  /** The newest answer; it stays while a newer one is loading. */
  answer: Answer | null;
  error: Error | null;
  loading: boolean;
  reload: () => void;
}

/** Asks when shown and whenever one of `inputs` changes; an answer that came too late is dropped. */
export function useAnswer<Answer>(ask: (signal: AbortSignal) => Promise<Answer>, inputs: unknown[]): Asked<Answer> {
  const [state, setState] = useState<Omit<Asked<Answer>, 'reload'>>({ answer: null, error: null, loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setState(({ answer }) => ({ answer, error: null, loading: true }));
    ask(abort.signal).then(
      (answer) => abort.signal.aborted || setState({ answer, error: null, loading: false }),
      (error: Error) => abort.signal.aborted || setState({ answer: null, error, loading: false }),
    );
    return () => abort.abort();
  }, [...inputs, turn]);
  return { ...state, reload: useCallback(() => setTurn((last) => last + 1), []) };
}

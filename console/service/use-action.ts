import { useState } from 'preact/hooks';

export interface ActionState<Given extends unknown[]> {
  /** Resolves with whether the call succeeded; never rejects. */
  run: (...given: Given) => Promise<boolean>;
  busy: boolean;
  error: Error | null;
}

/** A call that a button or a form starts, with its state for display. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>): ActionState<Given> {
  const [state, setState] = useState<{ busy: boolean; error: Error | null }>({ busy: false, error: null });
  const run = async (...given: Given): Promise<boolean> => {
    setState({ busy: true, error: null });
    try {
      await act(...given);
      setState({ busy: false, error: null });
      return true;
    } catch (error) {
      setState({ busy: false, error: error as Error });
      return false;
    }
  };
  return { ...state, run };
}

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { linkTo } from '../browser/route.ts';
import { words } from '../browser/words.ts';
import type { Approval } from '../service/answers.ts';
import { ApiError, apiPath, call } from '../service/api.ts';
import { useAnswer } from '../service/use-answer.ts';
import { MomentText } from './moment-text.tsx';
import { ErrorNote } from './notes.tsx';

type Action = Approval['action'];

interface OfThisCase {
  /** True until it is known what another person must approve. */
  loading: boolean;
  needed: (action: Action) => boolean;
  /** Keeps that the service refused an action for want of approval. */
  onRefused: (action: Action) => void;
  ask: (request: { action: Action } & Record<string, unknown>) => Promise<void>;
}

const OfCase = createContext<OfThisCase>({
  loading: false,
  needed: () => false,
  onRefused: () => {},
  ask: async () => {},
});

interface FourEyes {
  /** True until it is known whether another person must approve: what starts the action waits. */
  loading: boolean;
  /** True where another person must approve it. */
  needed: boolean;
  /**
   * Does the action, or asks another person to approve it; `request` bears all that doing it needs. Where the service
   * refuses it for want of approval, throws that and asks the next time.
   */
  doOrAsk: (request: Record<string, unknown>, act: () => Promise<unknown>) => Promise<void>;
  /** Says beside the button that it was asked for. */
  note: ComponentChildren;
}

/** Says whether an action on this case must be asked for, and does it or asks. */
export function useFourEyes(action: Action): FourEyes {
  const { loading, needed, onRefused, ask } = useContext(OfCase);
  const [isAsked, setIsAsked] = useState(false);
  const doOrAsk: FourEyes['doOrAsk'] = async (request, act) => {
    setIsAsked(false);
    if (needed(action)) {
      await ask({ ...request, action });
      setIsAsked(true);
      return;
    }
    try {
      await act();
    } catch (error) {
      if (wantsApproval(error)) onRefused(action);
      throw error;
    }
  };
  const note = <div role="status">{isAsked && <p class="muted">{words().approvals.asked}</p>}</div>;
  return { loading, needed: needed(action), doOrAsk, note };
}

/** True for the refusal that names the way to ask: other conflicts have the same status. */
function wantsApproval(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.message.includes('/approvals');
}

/** Shows what of a case waits for another person and what was decided. Parts within ask by `useFourEyes`. */
export function FourEyesOfCase({ caseId, children }: { caseId: string; children: ComponentChildren }) {
  const texts = words().approvals;
  const [refused, setRefused] = useState<readonly Action[]>([]);
  const { answer, error, loading, reload } = useAnswer(
    async (signal) => {
      const [needed, { approvals }] = await Promise.all([
        call<Record<Action, boolean>>('/approval-settings', { signal }),
        call<{ approvals: Approval[] }>('/approvals', { query: { case_id: caseId, limit: 200 }, signal }),
      ]);
      return { needed, approvals };
    },
    [caseId],
  );
  const ask: OfThisCase['ask'] = async (request) => {
    await call(apiPath`/cases/${caseId}/approvals`, { method: 'POST', body: request });
    reload();
  };
  return (
    <OfCase.Provider
      value={{
        loading: loading && !answer,
        needed: (action) => refused.includes(action) || (answer?.needed[action] ?? false),
        onRefused: (action) => setRefused((before) => [...before, action]),
        ask,
      }}
    >
      {children}
      <ErrorNote error={error} />
      {answer && answer.approvals.length > 0 && (
        <section class="card" aria-labelledby="four-eyes">
          <h2 id="four-eyes">
            <a href={linkTo('people', ['approvals'])}>{words().people.approvals}</a>
          </h2>
          <ul>
            {answer.approvals.map((one) => (
              <li key={one.id}>
                {texts.actions[one.action]} <span class="badge">{texts.states[one.state]}</span>{' '}
                <span class="muted">
                  {texts.preparedBy}: <bdi>{one.asked_by}</bdi> · <MomentText at={one.asked_at} />
                  {one.decided_by && (
                    <>
                      {' · '}
                      {texts.decidedBy}: <bdi>{one.decided_by}</bdi> · <MomentText at={one.decided_at} /> {one.reason}
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </OfCase.Provider>
  );
}

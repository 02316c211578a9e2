import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { linkTo } from '../browser/route.ts';
import { words } from '../browser/words.ts';
import type { Approval } from '../service/answers.ts';
import { apiPath, call } from '../service/api.ts';
import { useAnswer } from '../service/use-answer.ts';
import { MomentText } from './moment-text.tsx';
import { ErrorNote } from './notes.tsx';

type Action = Approval['action'];

interface FourEyes {
  /** True where another person must approve it. */
  needs: (action: Action) => boolean;
  /** Asks another person to approve an action on this case; the request bears all that doing it needs. */
  ask: (request: { action: Action } & Record<string, unknown>) => Promise<void>;
}

const OfCase = createContext<FourEyes>({ needs: () => false, ask: async () => {} });

/** Says what a part of a case page must ask for, and asks. */
export const useFourEyes = () => useContext(OfCase);

/** Shows what of a case waits for another person and what was decided. Parts within ask by `useFourEyes`. */
export function FourEyesOfCase({ caseId, children }: { caseId: string; children: ComponentChildren }) {
  const texts = words().approvals;
  const { answer, error, reload } = useAnswer(
    async (signal) => {
      const [needed, { approvals }] = await Promise.all([
        call<Record<Action, boolean>>('/approval-settings', { signal }),
        call<{ approvals: Approval[] }>('/approvals', { query: { case_id: caseId, limit: 200 }, signal }),
      ]);
      return { needed, approvals };
    },
    [caseId],
  );
  const ask: FourEyes['ask'] = async (request) => {
    await call(apiPath`/cases/${caseId}/approvals`, { method: 'POST', body: request });
    reload();
  };
  return (
    <OfCase.Provider value={{ needs: (action) => answer?.needed[action] ?? false, ask }}>
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

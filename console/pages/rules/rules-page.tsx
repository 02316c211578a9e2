import type { Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { RuleFacts } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { NewRule } from './new-rule.tsx';
import { RuleList } from './rule-list.tsx';
import { RuleView } from './rule-view.tsx';

/** `#/rules` lists them and what to begin with; `#/rules/new?preset=<id>` writes one; `#/rules/<id>` shows one. */
export function RulesPage({ route }: { route: Route }) {
  const texts = words().rules;
  const [id] = route.parts;
  const { answer, error } = useAnswer<RuleFacts>((signal) => call('/rule-facts', { signal }), []);
  return (
    <>
      <h1>{texts.title}</h1>
      <ErrorNote error={error} />
      {!answer ? (
        !error && <Loading />
      ) : id === undefined ? (
        <RuleList presets={answer.presets} />
      ) : id === 'new' ? (
        <NewRule known={answer} preset={route.query.get('preset')} />
      ) : (
        <RuleView key={id} id={id} facts={answer.facts} />
      )}
    </>
  );
}

import { useState } from 'preact/hooks';
import type { Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { AddressFields, CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { OwnStatement } from './own-statement.tsx';
import { QuestionAnswerView } from './question-answer.tsx';
import { askQuestion, type GraphQuestionName, isPairQuestion, type QuestionAnswer } from './questions.ts';

const HOPS_MAX = 10;

/** `#/query`, `#/query/<question>`: the product's questions to the graph with their Cypher, or a statement of one's own. */
export function QueryPage({ route }: { route: Route }) {
  const texts = words().query;
  const [question, setQuestion] = useState(route.parts[0] ?? 'exposure');
  return (
    <>
      <h1>{texts.title}</h1>
      <section class="card">
        <Field label={texts.question}>
          <ChoiceSelect value={question} choices={texts.questions} onChange={setQuestion} />
        </Field>
        {question === 'own' ? (
          <OwnStatement />
        ) : (
          <QuestionForm key={question} question={question as GraphQuestionName} />
        )}
      </section>
    </>
  );
}

function QuestionForm({ question }: { question: GraphQuestionName }) {
  const texts = words().query;
  const [answer, setAnswer] = useState<QuestionAnswer | null>(null);
  const run = async (fields: FormData) => {
    setAnswer(null);
    const asked = await askQuestion(question, {
      address: given(fields, 'address') ?? '',
      chain: given(fields, 'chain'),
      second: given(fields, 'second'),
      secondChain: given(fields, 'second_chain'),
      direction: given(fields, 'direction') === 'received' ? 'received' : 'sent',
      hops: Number(given(fields, 'hops') ?? 5),
    });
    setAnswer(asked);
  };
  return (
    <>
      <Form label={texts.questions[question]} submit={texts.run} keeps onSubmit={run}>
        <div class="fields">
          <AddressFields />
          {isPairQuestion(question) && (
            <>
              <Field label={texts.second}>
                <input name="second" required spellcheck={false} autocomplete="off" />
              </Field>
              <Field label={texts.secondChain}>
                <ChoiceSelect name="second_chain" none={words().parts.detect} choices={CHAIN_CHOICES} />
              </Field>
            </>
          )}
          {question === 'funds' && (
            <Field label={texts.direction}>
              <ChoiceSelect name="direction" choices={texts.directions} initial="sent" />
            </Field>
          )}
          {question !== 'relationship' && (
            <Field label={texts.hops}>
              <input name="hops" type="number" min={1} max={HOPS_MAX} defaultValue="5" />
            </Field>
          )}
        </div>
      </Form>
      {answer && <QuestionAnswerView answer={answer} />}
    </>
  );
}

import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { EmptyNote } from '../../parts/notes.tsx';
import type { ScamLookup } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { EntryFacts } from './entry-facts.tsx';

/** Form that looks up if an address or a domain is listed. */
export function ScamLookupForm() {
  const texts = words().scamdb;
  const [found, setFound] = useState<{ asked: string; answer: ScamLookup } | null>(null);
  const lookUp = async (fields: FormData) => {
    setFound(null);
    const asked = given(fields, 'asked') ?? '';
    setFound({ asked, answer: await call(apiPath`/scamdb/lookup/${asked}`) });
  };
  return (
    <section class="card" aria-labelledby="look-up">
      <h2 id="look-up">{texts.lookUp}</h2>
      <Form label={texts.lookUp} submit={texts.lookUp} onSubmit={lookUp}>
        <Field label={texts.lookUpLabel}>
          <input name="asked" required spellcheck={false} autocomplete="off" />
        </Field>
      </Form>
      <div role="status">
        {found && !found.answer.found && <EmptyNote text={`${found.asked}: ${texts.notListed}`} />}
        {found?.answer.domain && (
          <p>
            {texts.listed}: {found.answer.domain.name} ({found.answer.domain.sources.join(', ')})
          </p>
        )}
        {found?.answer.entry && (
          <article class="entry" aria-label={found.asked}>
            <h3>
              {texts.listed}: {found.asked}
            </h3>
            <p>{found.answer.match_type && texts.matches[found.answer.match_type]}</p>
            <EntryFacts entry={found.answer.entry} />
          </article>
        )}
      </div>
    </section>
  );
}

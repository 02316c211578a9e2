import { useState } from 'preact/hooks';
import { percentOnLine } from '../../browser/figures.ts';
import { language, words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { EmptyNote } from '../../parts/notes.tsx';
import type { PresignAnswer } from '../../service/answers.ts';
import { call } from '../../service/api.ts';

const OPTIONAL = ['signer', 'spender', 'value', 'data'] as const;

/** `#/scan/presign`: what speaks against signing a transaction. */
export function PresignSection() {
  const texts = words().checks;
  const { parts } = words();
  const [answer, setAnswer] = useState<PresignAnswer | null>(null);
  const check = async (fields: FormData) => {
    setAnswer(null);
    const named = Object.fromEntries(['chain', 'to', ...OPTIONAL].map((name) => [name, given(fields, name)]));
    setAnswer(await call<PresignAnswer>('/public/presign/check', { query: { ...named, lang: language.value } }));
  };
  return (
    <>
      <section class="card">
        <p class="muted">{texts.free}</p>
        <Form label={texts.sections.presign} submit={texts.check} keeps onSubmit={check}>
          <div class="fields">
            <Field label={texts.to}>
              <input name="to" required spellcheck={false} autocomplete="off" />
            </Field>
            <Field label={parts.chain}>
              <ChoiceSelect name="chain" required none={parts.chooseChain} choices={CHAIN_CHOICES} />
            </Field>
            {OPTIONAL.map((name) => (
              <Field key={name} label={texts[name]} hint={name === 'signer' ? texts.signerHint : undefined}>
                <input name={name} spellcheck={false} autocomplete="off" />
              </Field>
            ))}
          </div>
        </Form>
      </section>
      {answer && (
        <section class="card" aria-labelledby="presign">
          <h2 id="presign" class={`verdict-${answer.verdict}`}>
            {texts.verdicts[answer.verdict]}
          </h2>
          <div class="row center">
            <LevelBadge level={answer.level.toUpperCase() as Uppercase<PresignAnswer['level']>} score={answer.score} />
            <span class="muted">{texts.confidence(percentOnLine(answer.confidence))}</span>
          </div>
          <h3>{texts.reasons}</h3>
          {answer.reasons.length === 0 ? (
            <EmptyNote text={texts.noReasons} />
          ) : (
            <ul>
              {answer.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  );
}

import { useState } from 'preact/hooks';
import { language, words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import type { ScreeningFound, TokenTransfersFound } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { ScreeningAnswer, TransfersAnswer } from './token-answers.tsx';

const DAY_MS = 86_400_000;
const SPAN_DAYS = 30;

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** `#/scan/token`: the transfers of a token at an address, or who stands out in all its transfers. */
export function TokenSection() {
  const texts = words().checks;
  const { parts } = words();
  const [answer, setAnswer] = useState<{ transfers?: TokenTransfersFound; screening?: ScreeningFound }>({});
  const ask = async (fields: FormData) => {
    setAnswer({});
    const address = given(fields, 'address');
    const body = {
      token_contract: given(fields, 'token'),
      chain: given(fields, 'chain'),
      start_date: given(fields, 'from'),
      end_date: `${given(fields, 'to')}T23:59:59Z`,
      lang: language.value,
    };
    setAnswer(
      address
        ? { transfers: await call<TokenTransfersFound>('/tx-query', { method: 'POST', body: { ...body, address } }) }
        : { screening: await call<ScreeningFound>('/contract-alert', { method: 'POST', body }) },
    );
  };
  return (
    <>
      <section class="card">
        <Form label={texts.sections.token} submit={texts.ask} keeps onSubmit={ask}>
          <div class="fields">
            <Field label={texts.token} hint={texts.tokenHint}>
              <input name="token" required spellcheck={false} autocomplete="off" />
            </Field>
            <Field label={texts.ofAddress}>
              <input name="address" spellcheck={false} autocomplete="off" />
            </Field>
            <Field label={parts.chain}>
              <ChoiceSelect name="chain" none={parts.detect} choices={CHAIN_CHOICES} />
            </Field>
            <Field label={texts.fromDay} hint={texts.spanHint}>
              <input name="from" type="date" required defaultValue={dayBefore(SPAN_DAYS)} />
            </Field>
            <Field label={texts.toDay}>
              <input name="to" type="date" required defaultValue={dayBefore(0)} />
            </Field>
          </div>
        </Form>
      </section>
      {answer.transfers && <TransfersAnswer answer={answer.transfers} />}
      {answer.screening && <ScreeningAnswer answer={answer.screening} />}
    </>
  );
}

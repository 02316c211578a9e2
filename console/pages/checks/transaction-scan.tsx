import { goTo, linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';

/** `#/scan/transaction` leads to `#/scan/<chain>/<hash>`, which scans both sides. */
export function TransactionSection() {
  const texts = words().checks;
  const { parts } = words();
  const scan = async (fields: FormData) =>
    goTo(linkTo('scan', [given(fields, 'chain') ?? '', given(fields, 'hash') ?? '']));
  return (
    <section class="card">
      <Form label={texts.sections.transaction} submit={texts.scanBoth} onSubmit={scan}>
        <div class="fields">
          <Field label={texts.hash} hint={texts.costsTwo}>
            <input name="hash" required spellcheck={false} autocomplete="off" />
          </Field>
          <Field label={parts.chain}>
            <ChoiceSelect name="chain" required none={parts.chooseChain} choices={CHAIN_CHOICES} />
          </Field>
        </div>
      </Form>
    </section>
  );
}

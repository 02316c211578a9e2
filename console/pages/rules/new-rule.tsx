import { goTo, linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import type { Rule, RuleFacts } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { EMPTY_LEAF, whenOf } from './condition-tree.ts';
import { RuleForm, type RuleText } from './rule-form.tsx';

/** A rule that is being written, from a preset or from one condition. It begins in test. */
export function NewRule({ known: { facts, presets }, preset }: { known: RuleFacts; preset: string | null }) {
  const texts = words().rules;
  const start = presets.find(({ id }) => id === preset);
  const rule: RuleText = {
    name: start ? (texts.presetNames[start.id] ?? start.name) : '',
    severity: start?.severity ?? 'medium',
    when: start?.when ?? whenOf({ kind: 'all', items: [EMPTY_LEAF] }, facts),
  };
  const create = async (text: RuleText) => {
    const made = await call<{ rule: Rule }>('/rules', { method: 'POST', body: { ...text, mode: 'test' } });
    goTo(linkTo('rules', [made.rule.id]));
  };
  return (
    <section class="card" aria-labelledby="new-rule">
      <a href={linkTo('rules')}>← {texts.back}</a>
      <h2 id="new-rule">{texts.write}</h2>
      <p class="muted">
        {texts.modes.test}: {texts.modeMeanings.test}
      </p>
      <RuleForm key={preset} rule={rule} facts={facts} submit={texts.create} onSubmit={create} />
    </section>
  );
}

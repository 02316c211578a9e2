import { CHAINS, chainName } from '../../../src/domain/chain.ts';
import { codeWord } from '../../../words/look-up.ts';
import { count } from '../../browser/figures.ts';
import { comma, labelled, words } from '../../browser/words.ts';
import { type ConditionDraft, draftOf, isGroup } from './condition-tree.ts';

/** Conditions as a list to read. */
export function ConditionText({ when }: { when: Record<string, unknown> }) {
  return (
    <div class="condition-text">
      <Shown draft={draftOf(when)} />
    </div>
  );
}

function Shown({ draft }: { draft: ConditionDraft }) {
  const texts = words().rules;
  if (!isGroup(draft)) {
    return (
      <span>
        <span title={draft.fact}>{factName(draft.fact)}</span> {texts.operators[draft.operator] ?? draft.operator}{' '}
        <strong>{valueName(draft)}</strong>
      </span>
    );
  }
  const [only] = draft.items;
  if (only && draft.items.length === 1 && draft.kind !== 'none') return <Shown draft={only} />;
  return (
    <div>
      <span class="muted">{texts.groups[draft.kind]}</span>
      <ul class="conditions">
        {draft.items.map((item, i) => (
          <li key={i}>
            <Shown draft={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A fact in words; one of an exposure names its category first. */
export function factName(fact: string): string {
  const { facts, exposureFacts } = words().rules;
  const [, category = '', measure = ''] = /^(.+)_((?:received|sent)_(?:usd|share)|hops)$/.exec(fact) ?? [];
  const measured = exposureFacts[measure];
  return facts[fact] ?? (measured ? labelled(codeWord(words().parts.categories, category), measured) : fact);
}

/** Returns how a value of the fact is written, where its name does not say it. */
export function factHint(fact: string): string | undefined {
  const { factHints, hopsHint } = words().rules;
  return fact.endsWith('_hops') ? hopsHint : factHints[fact];
}

/** Returns the values that a fact may have, with their names; null where there are too many. */
export function valueChoices(fact: string): Record<string, string> | null {
  const { detectors, parts, alerts } = words();
  const choices: Partial<Record<string, Record<string, string>>> = {
    level: parts.levels,
    chain: Object.fromEntries(CHAINS.map((chain) => [chain, chainName(chain)])),
    detections: detectors,
    counterparty_categories: parts.categories,
    direction: alerts.transferDirections,
  };
  return choices[fact] ?? null;
}

/** Writes values as the form takes them, by name where they have one, amounts with their thousands apart. */
function valueName({ fact, value }: Exclude<ConditionDraft, { items: unknown }>): string {
  const names: Record<string, string> = valueChoices(fact) ?? {};
  const isAmount = fact.endsWith('_usd') && value.trim() !== '' && Number.isFinite(Number(value));
  if (isAmount) return count(Number(value));
  return value
    .split(', ')
    .map((one) => names[one] ?? one)
    .join(comma());
}

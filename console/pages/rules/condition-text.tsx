import { codeWord } from '../../../words/look-up.ts';
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
        <strong>{valueName(draft.value)}</strong>
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
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name, and do not move here
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

/** Values as the form takes them, with the names of detectors, categories and directions among them. */
function valueName(value: string): string {
  const { detectors, parts, alerts } = words();
  const names: Record<string, string | undefined> = { ...parts.categories, ...detectors, ...alerts.transferDirections };
  return value
    .split(', ')
    .map((one) => names[one] ?? one)
    .join(comma());
}

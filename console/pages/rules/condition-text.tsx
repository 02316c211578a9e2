import { words } from '../../browser/words.ts';
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
        <code>{draft.fact}</code> {texts.operators[draft.operator] ?? draft.operator} <strong>{draft.value}</strong>
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

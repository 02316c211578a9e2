import type { RuleFacts } from '../../service/answers.ts';

/** A comparison as the form holds it: its value is text until the rule is sent. */
interface LeafDraft {
  fact: string;
  operator: string;
  value: string;
}

/** Conditions of which all, one or none must hold. */
interface GroupDraft {
  kind: 'all' | 'any' | 'none';
  items: ConditionDraft[];
}

export type ConditionDraft = LeafDraft | GroupDraft;

export const isGroup = (draft: ConditionDraft): draft is GroupDraft => 'items' in draft;

/** Operators that take several values. */
export const takesSeveral = (operator: string) => operator === 'in' || operator === 'notIn';

export const EMPTY_LEAF: LeafDraft = { fact: 'level', operator: 'equal', value: 'CRITICAL' };

/** A rule of the API as the form shows it; its top is always a group. */
export function draftOf(when: Record<string, unknown>): GroupDraft {
  const draft = nodeOf(when);
  return isGroup(draft) ? draft : { kind: 'all', items: [draft] };
}

/** A condition as the API keeps it: a group, or a comparison. */
interface Kept {
  all?: Kept[];
  any?: Kept[];
  not?: Kept;
  fact: string;
  operator: string;
  value: string | number | boolean | string[];
}

function nodeOf(when: Kept | Record<string, unknown>): ConditionDraft {
  const { all, any, not, fact, operator, value } = when as Kept;
  if (all) return { kind: 'all', items: all.map(nodeOf) };
  if (any) return { kind: 'any', items: any.map(nodeOf) };
  if (not) {
    const inner = nodeOf(not);
    return { kind: 'none', items: isGroup(inner) && inner.kind === 'any' ? inner.items : [inner] };
  }
  return { fact, operator, value: Array.isArray(value) ? value.join(', ') : String(value) };
}

/** Turns the form into conditions of the API; values have the types of their facts. */
export function whenOf(draft: ConditionDraft, facts: RuleFacts['facts']): Record<string, unknown> {
  if (!isGroup(draft)) {
    const { fact, operator, value } = draft;
    return {
      fact,
      operator,
      value: typedValue(draft, facts.find((one) => one.fact === fact)?.type ?? 'text', value.trim()),
    };
  }
  const items = draft.items.map((item) => whenOf(item, facts));
  return draft.kind === 'none' ? { not: { any: items } } : { [draft.kind]: items };
}

function typedValue({ operator }: LeafDraft, type: RuleFacts['facts'][number]['type'], text: string) {
  if (takesSeveral(operator)) return text.split(/\s*[,，、]\s*/).filter(Boolean);
  if (type === 'boolean') return text === 'true';
  // Other text stays as typed, for the service to name it.
  return type === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

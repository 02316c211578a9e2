import type { ConsoleWords } from '../browser/words.ts';
import { words } from '../browser/words.ts';

export type BadgeCategory = keyof ConsoleWords['parts']['categories'];

/** Names a category in its colour; nothing where it is unknown. */
export function CategoryBadge({ category }: { category: BadgeCategory }) {
  if (category === 'unknown') return null;
  return <span class={`badge category category-${category}`}>{words().parts.categories[category] ?? category}</span>;
}

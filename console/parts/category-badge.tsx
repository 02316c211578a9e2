import type { ConsoleWords } from '../browser/words.ts';
import { words } from '../browser/words.ts';

export type BadgeCategory = keyof ConsoleWords['parts']['categories'];

export function CategoryBadge({ category }: { category: BadgeCategory }) {
  return <span class={`badge category category-${category}`}>{words().parts.categories[category] ?? category}</span>;
}

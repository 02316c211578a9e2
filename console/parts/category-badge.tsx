import { partTexts } from '../texts/parts.ts';

export type Category = keyof ReturnType<typeof partTexts>['categories'];

export function CategoryBadge({ category }: { category: Category }) {
  return <span class={`badge category category-${category}`}>{partTexts().categories[category] ?? category}</span>;
}

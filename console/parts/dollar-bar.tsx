import type { BadgeCategory } from './category-badge.tsx';

interface DollarBarProps {
  usd: number;
  /** The largest of all bars that stand together: they have one scale. */
  most: number;
  category: BadgeCategory;
}

const WIDTH = 200;
/** The least that is seen of something above 0. */
const SEEN = 2;

/** Draws a bar of US dollars in the colour of a category, with its figure. */
export function DollarBar({ usd, most, category }: DollarBarProps) {
  const width = usd > 0 && most > 0 ? Math.max(SEEN, (WIDTH * usd) / most) : 0;
  return (
    <svg
      class={`dollar-bar category-${category}`}
      viewBox={`0 0 ${WIDTH} 12`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="room" width={WIDTH} height="12" rx="2" />
      <rect width={width} height="12" rx="2" fill="currentcolor" />
    </svg>
  );
}

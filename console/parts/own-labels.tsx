import type { ClaimedLabel } from '../../src/domain/claimed-label.ts';
import { words } from '../browser/words.ts';
import { CategoryBadge } from './category-badge.tsx';

/** Shows what the account itself says of an address, with who wrote it and why. */
export function OwnLabels({ labels = [] }: { labels?: ClaimedLabel[] }) {
  return (
    <>
      {labels.map((one) => (
        <div key={one.id}>
          {one.label} <CategoryBadge category={one.category} />{' '}
          <span class="muted">{[words().profile.ownLabel(one.author), one.reason].filter(Boolean).join(' · ')}</span>
        </div>
      ))}
    </>
  );
}

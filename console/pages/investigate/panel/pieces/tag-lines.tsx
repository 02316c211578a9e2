import { fill } from '../../../../../words/fill.ts';
import { amountsText, dollars } from '../../../../browser/figures.ts';
import { words } from '../../../../browser/words.ts';
import type { AddressFunds } from '../../../../service/tracing-answers.ts';

const LINES_MAX = 5;

interface TagLinesProps {
  tags: AddressFunds['rows'][number]['tags'];
  direction: AddressFunds['direction'];
}

/** The money at an address by its customers, largest first; nothing where they have no tags. */
export function TagLines({ tags = [], direction }: TagLinesProps) {
  const { tag: destination, sourceTag, untagged } = words().requests;
  const name = direction === 'sent' ? destination : sourceTag;
  return tags.slice(0, LINES_MAX).map(({ tag, assets, usd }) => (
    <div key={tag} class="muted">
      {[tag === null ? untagged : fill(name, { tag }), amountsText(assets), dollars(usd)].join(' · ')}
    </div>
  ));
}

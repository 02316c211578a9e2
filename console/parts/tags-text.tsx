import type { ShownTags } from '../../src/domain/transfers/tags.ts';
import { fill } from '../../words/fill.ts';
import { words } from '../browser/words.ts';

/** Which customers of its ends a transfer names; nothing where it names none. */
export function TagsText({ destination_tag, source_tag }: ShownTags) {
  const { tag, sourceTag } = words().requests;
  const texts = [
    destination_tag === undefined ? '' : fill(tag, { tag: destination_tag }),
    source_tag === undefined ? '' : fill(sourceTag, { tag: source_tag }),
  ].filter(Boolean);
  return texts.length > 0 ? <div class="muted">{texts.join(' · ')}</div> : null;
}

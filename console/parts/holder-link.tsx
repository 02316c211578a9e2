import { linkTo } from '../browser/route.ts';
import { words } from '../browser/words.ts';

interface HolderLinkProps {
  entity_id?: string | null;
  entity_name?: string | null;
  /** The name that stands beside it, which is not said twice. */
  label?: string | null;
}

/** Names the holder of an address; nothing where none is known. */
export function HolderLink({ entity_id, entity_name, label }: HolderLinkProps) {
  if (!entity_id) return null;
  const texts = words().profile;
  const name = entity_name === label ? texts.holderShort : entity_name;
  return <a href={linkTo('entity', [entity_id])}>{name ?? texts.holder}</a>;
}

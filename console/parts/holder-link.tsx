import { linkTo } from '../browser/route.ts';
import { words } from '../browser/words.ts';

/** Names the holder of an address; nothing where none is known. */
export function HolderLink({ entity_id, entity_name }: { entity_id?: string | null; entity_name?: string | null }) {
  if (!entity_id) return null;
  return <a href={linkTo('entity', [entity_id])}>{entity_name ?? words().profile.holder}</a>;
}

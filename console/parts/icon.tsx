import { ICONS, type IconName } from './icon-shapes.ts';

/** A sign of an action, beside a name that is read out. */
export function Icon({ name }: { name: IconName }) {
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML={{ __html: ICONS[name] }} />;
}

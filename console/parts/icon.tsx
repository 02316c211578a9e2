import { ICONS, type IconName } from './icon-shapes.ts';

/** Draws the sign of an action; its name is read out. */
export function Icon({ name }: { name: IconName }) {
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML={{ __html: ICONS[name] }} />;
}

import { shownTheme } from '../../browser/theme.ts';
import { iconUrls } from '../../canvas/node-icons.ts';
import { legendOf } from '../../canvas/picture.ts';
import type { Desk } from '../../desk/desk.ts';

/** The signs of the categories that are drawn, in their colours. */
export function Legend({ desk }: { desk: Desk }) {
  // Colours are those of the theme.
  void shownTheme.value;
  const entries = legendOf(desk.shown.value);
  if (entries.length === 0) return null;
  return (
    <ul class="legend">
      {entries.map(({ category, name, color }) => {
        const [icon] = iconUrls(null, category, color);
        return (
          <li key={name}>
            {icon ? <img src={icon} alt="" /> : <span style={{ background: color }} aria-hidden="true" />} {name}
          </li>
        );
      })}
    </ul>
  );
}

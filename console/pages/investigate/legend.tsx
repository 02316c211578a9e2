import { shownTheme } from '../../browser/theme.ts';
import { legendOf } from '../../canvas/picture.ts';
import type { Desk } from '../../desk/desk.ts';

/** The colours of the categories that are drawn. */
export function Legend({ desk }: { desk: Desk }) {
  // Colours are those of the theme.
  void shownTheme.value;
  const entries = legendOf(desk.shown.value);
  if (entries.length === 0) return null;
  return (
    <ul class="legend">
      {entries.map(({ name, color }) => (
        <li key={name}>
          <span style={{ background: color }} aria-hidden="true" /> {name}
        </li>
      ))}
    </ul>
  );
}

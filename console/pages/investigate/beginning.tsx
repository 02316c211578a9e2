import { momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { drafts } from '../../desk/drafts.ts';

/** An empty canvas: how to begin, and the pictures of this tab that are on no board yet. */
export function Beginning() {
  const texts = words().canvas;
  const kept = drafts();
  return (
    <div class="stage-empty">
      <p>{texts.begin}</p>
      {kept.length > 0 && (
        <section aria-label={texts.drafts}>
          <h2>{texts.drafts}</h2>
          <ul>
            {kept.map(({ id, title, at }) => (
              <li key={id}>
                <a href={linkTo('investigate', ['draft', id])}>{title}</a> <span class="muted">{momentText(at)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

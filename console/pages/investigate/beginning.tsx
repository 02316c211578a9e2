import { momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { shortened } from '../../browser/shortened.ts';
import { language, words } from '../../browser/words.ts';
import { drafts } from '../../desk/drafts.ts';
import { search } from '../../service/search.ts';
import { useAnswer } from '../../service/use-answer.ts';

const RECENT_MAX = 8;

/** Lists the boards and addresses that were looked at last. */
function Recent() {
  const { answer } = useAnswer((signal) => search('', signal), [language.value]);
  if (!answer?.length) return null;
  const title = words().canvas.recent;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {answer.slice(0, RECENT_MAX).map(({ id, title: name, about, link: [page, parts] = ['', []], place }) => (
          <li key={id}>
            <a href={linkTo(page, parts)} title={name}>
              {place ? shortened(name) : name}
            </a>{' '}
            <span class="muted">{about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An empty canvas: how to begin, and the pictures of this tab that are on no board yet. */
export function Beginning() {
  const texts = words().canvas;
  const kept = drafts();
  return (
    <div class="stage-empty">
      <p>{texts.begin}</p>
      <Recent />
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

import { useState } from 'preact/hooks';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Cases, LabelSearch } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

const STORED = 'traceflow-guide';
/** The thief of the demo's theft, as its list names the address. */
const DEMO_THIEF = 'Kelp Vault exploiter';

interface Progress {
  hidden: boolean;
  /** Numbers of the steps that were opened. */
  done: number[];
}

/** Reads how far this browser came in the guide. */
function readProgress(): Progress {
  try {
    const { hidden, done } = JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<Progress>;
    return { hidden: hidden === true, done: Array.isArray(done) ? done : [] };
  } catch {
    return { hidden: false, done: [] };
  }
}

/** The first steps, over the theft of the demo where that is loaded; hidden and opened steps are remembered. */
export function Guide() {
  const texts = words().home;
  const [progress, setProgress] = useState(readProgress);
  const keep = (next: Progress) => {
    localStorage.setItem(STORED, JSON.stringify(next));
    setProgress(next);
  };
  if (progress.hidden) {
    return (
      <p class="guide-again">
        <button type="button" class="link" onClick={() => keep({ ...progress, hidden: false })}>
          {texts.showGuide}
        </button>
      </p>
    );
  }
  return (
    <section class="card guide" aria-labelledby="guide">
      <div class="row center home-head">
        <h2 id="guide">{texts.guide}</h2>
        <button type="button" onClick={() => keep({ ...progress, hidden: true })}>
          {texts.hideGuide}
        </button>
      </div>
      <Steps
        done={progress.done}
        onOpen={(step) => keep({ ...progress, done: [...new Set([...progress.done, step])] })}
      />
    </section>
  );
}

function Steps({ done, onOpen }: { done: number[]; onOpen: (step: number) => void }) {
  const texts = words().home;
  const { answer } = useAnswer<LabelSearch>(
    (signal) => call('/graph/labels', { query: { q: DEMO_THIEF, limit: 1 }, signal }),
    [],
  );
  const cases = useAnswer<Cases>((signal) => call('/cases', { query: { status: 'open', limit: 1 }, signal }), []);
  const [thief] = answer?.results ?? [];
  const [newest] = cases.answer?.cases ?? [];
  const place = thief?.chains[0] ? [thief.chains[0], thief.address] : [];
  const links = [
    linkTo('scan', place),
    linkTo('investigate', place),
    linkTo('cases', [], { new: '1' }),
    linkTo('monitoring'),
    // A report is made of a case: the newest that is open.
    linkTo('cases', newest ? [newest.id, 'reports'] : []),
  ];
  return (
    <>
      <p class="muted">{thief ? texts.guideDemo : texts.guideOwn}</p>
      <ol class="steps">
        {texts.steps.map(([title, about], step) => (
          <li key={title} class={done.includes(step) ? 'done' : undefined}>
            <a href={links[step]} onClick={() => onOpen(step)}>
              {title}
            </a>{' '}
            {done.includes(step) && (
              <span class="step-done">
                <Icon name="cleared" />
                <span class="visually-hidden">{texts.stepDone}</span>
              </span>
            )}
            <small class="hint block">{about}</small>
          </li>
        ))}
      </ol>
    </>
  );
}

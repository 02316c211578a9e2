import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { chainName } from '../../src/domain/chain.ts';
import { relativeText } from '../browser/figures.ts';
import { goTo, linkTo } from '../browser/route.ts';
import { shortened } from '../browser/shortened.ts';
import { labelled, words } from '../browser/words.ts';
import { Icon } from '../parts/icon.tsx';
import { LevelBadge } from '../parts/level-badge.tsx';
import { ErrorNote, Loading } from '../parts/notes.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import type { AlertQueue, Boards, Cases, LabelSearch, LiveJobs } from '../service/answers.ts';
import { call } from '../service/api.ts';
import { lastScanned } from '../service/last-scanned.ts';
import { search } from '../service/search.ts';
import { type Asked, useAnswer } from '../service/use-answer.ts';
import { useReloadWhile } from '../service/use-reload-while.ts';
import { titleOf } from './alerts/found.tsx';
import { DueText, SeverityBadge } from './alerts/queue-table.tsx';
import { SourcesSummary } from './sources-summary.tsx';

/** `#/`: one search over everything, and what waits for the reader. */
export function HomePage() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).matches?.('input, select, textarea, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      document.getElementById('home-search')?.focus();
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="home">
      <h1 class="visually-hidden">{words().home.title}</h1>
      <SearchBox
        id="home-search"
        search={search}
        onTake={({ place, link }) => {
          if (place) goTo(linkTo('address', [place.chain, place.address]));
          else if (link) goTo(linkTo(...link));
        }}
      />
      <Guide />
      <div class="columns">
        <OpenAlerts />
        <OpenCases />
        <RunningJobs />
        <RecentBoards />
        <RecentlyScanned />
        <SourcesSummary />
      </div>
    </div>
  );
}

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
function Guide() {
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

const SHOWN = 5;

function OpenAlerts() {
  const asked = useAnswer(async (signal) => {
    const { alerts, total } = await call<AlertQueue>('/alerts', { query: { state: 'open', limit: SHOWN }, signal });
    return { rows: alerts, total };
  }, []);
  return (
    <HomeCard
      title={words().alerts.title}
      href={linkTo('alerts')}
      asked={asked}
      keyOf={({ id }) => id}
      empty={words().home.noAlerts}
      row={(alert) => (
        <>
          <SeverityBadge severity={alert.severity} /> <a href={linkTo('alerts', [alert.id])}>{titleOf(alert)}</a>{' '}
          <small class="hint">
            {alert.chain && alert.address && (
              <span title={alert.address}>
                {chainName(alert.chain)} <code>{shortened(alert.address)}</code>
                {' · '}
              </span>
            )}
            {labelled(words().alerts.due, '')}
            <DueText {...alert} />
          </small>
        </>
      )}
    />
  );
}

function OpenCases() {
  const asked = useAnswer(async (signal) => {
    const { cases } = await call<Cases>('/cases', { query: { limit: 200 }, signal });
    const open = cases.filter(({ status }) => status !== 'closed' && status !== 'archived');
    const newest = open.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
    return { rows: newest.slice(0, SHOWN), total: open.length };
  }, []);
  const { priorities, statuses } = words().cases;
  return (
    <HomeCard
      title={words().home.openCases}
      href={linkTo('cases')}
      asked={asked}
      keyOf={({ id }) => id}
      empty={words().home.noCases}
      row={({ id, title, priority, status, updated_at }) => (
        <>
          <a href={linkTo('cases', [id])}>{title}</a>{' '}
          <small class="hint">{[priorities[priority], statuses[status], relativeText(updated_at)].join(' · ')}</small>
        </>
      )}
    />
  );
}

/** Work that has not ended; asked again while there is any. */
function RunningJobs() {
  const texts = words().home;
  const asked = useAnswer(async (signal) => {
    const { jobs } = await call<LiveJobs>('/public/jobs', { query: { limit: SHOWN }, signal });
    return { rows: jobs };
  }, []);
  const jobs = asked.answer?.rows ?? [];
  const done = jobs.reduce((sum, job) => sum + job.completed + job.failed, 0);
  useReloadWhile(jobs.length > 0, asked.reload, done);
  return (
    <HomeCard
      title={texts.jobs}
      asked={asked}
      keyOf={({ job_id }) => job_id}
      empty={texts.noJobs}
      row={({ type, status, total, completed, failed, progress, case_id }) => (
        <>
          <ProgressBar
            label={texts.jobTypes[type]}
            share={progress}
            text={
              status === 'running'
                ? words().parts.done(completed + failed, total)
                : words().caseWork.jobStatuses[status]
            }
          />
          {case_id && <a href={linkTo('cases', [case_id])}>{words().alerts.openCase}</a>}
        </>
      )}
    />
  );
}

function RecentBoards() {
  const texts = words().home;
  const asked = useAnswer(async (signal) => {
    const { boards } = await call<Boards>('/boards', { query: { limit: SHOWN }, signal });
    return { rows: boards };
  }, []);
  return (
    <HomeCard
      title={texts.boards}
      asked={asked}
      keyOf={({ id }) => id}
      empty={texts.noBoards}
      row={({ id, title, saved_at }) => (
        <>
          <a href={linkTo('investigate', ['board', id])}>{title}</a>{' '}
          <small class="hint">{relativeText(saved_at)}</small>
        </>
      )}
    />
  );
}

function RecentlyScanned() {
  const asked = useAnswer(async (signal) => ({ rows: await lastScanned(SHOWN, signal) }), []);
  return (
    <HomeCard
      title={words().home.scans}
      asked={asked}
      keyOf={({ scan_id }) => scan_id}
      empty={words().scan.noScans}
      row={({ chain, address, risk_level, risk_score, created_at }) => (
        <>
          <LevelBadge level={risk_level} score={risk_score} />{' '}
          <a href={linkTo('scan', [chain, address])} title={address}>
            <code>{shortened(address)}</code>
          </a>{' '}
          <small class="hint">
            {chainName(chain)} · {relativeText(created_at)}
          </small>
        </>
      )}
    />
  );
}

interface HomeCardProps<Row> {
  title: string;
  /** Where all of them are. */
  href?: string;
  asked: Asked<{ rows: Row[]; total?: number }>;
  keyOf: (row: Row) => string;
  row: (row: Row) => ComponentChildren;
  empty: string;
}

/** A few lines of what waits or was done last, with a way to all of it. */
function HomeCard<Row>({ title, href, asked, keyOf, row, empty }: HomeCardProps<Row>) {
  const { answer, error, loading } = asked;
  const total = answer?.total ?? 0;
  return (
    <section class="card" aria-label={title}>
      <div class="row center home-head">
        <h2>{title}</h2>
        {href && answer && total > answer.rows.length && <a href={href}>{words().home.more(total)}</a>}
      </div>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer?.rows.length === 0 && <p class="note">{empty}</p>}
      <ul class="home-list">
        {answer?.rows.map((one) => (
          <li key={keyOf(one)}>{row(one)}</li>
        ))}
      </ul>
    </section>
  );
}

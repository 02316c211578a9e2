import { chainName } from '../../../src/domain/chain.ts';
import { relativeText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { shortened } from '../../browser/shortened.ts';
import { labelled, words } from '../../browser/words.ts';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import type { AlertQueue, Boards, Cases, LiveJobs } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { lastScanned } from '../../service/last-scanned.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useReloadWhile } from '../../service/use-reload-while.ts';
import { titleOf } from '../alerts/found.tsx';
import { DueText, SeverityBadge } from '../alerts/queue-table.tsx';
import { HomeCard } from './home-card.tsx';

const SHOWN = 5;

export function OpenAlerts() {
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

export function OpenCases() {
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
export function RunningJobs() {
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

export function RecentBoards() {
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

export function RecentlyScanned() {
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

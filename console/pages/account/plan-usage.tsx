import type { PlanId } from '../../../src/plans.ts';
import { count, momentText } from '../../browser/figures.ts';
import { labelled, words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import type { Usage, Watchlist, Webhook } from '../../service/answers.ts';
import { ApiError, call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** The limits of the plan as meters, the others as numbers. */
export function PlanUsage() {
  const texts = words().account;
  const { answer, error, loading } = useAnswer(async (signal) => {
    const [usage, watchlist, webhooks] = await Promise.all([
      call<Usage>('/public/usage', { signal }),
      unlessForbidden(call<Watchlist>('/watchlist', { query: { limit: 1 }, signal })),
      unlessForbidden(call<{ configs: Webhook[] }>('/webhooks/configs', { signal })),
    ]);
    return { usage, watched: watchlist?.total, endpoints: webhooks?.configs.length };
  }, []);
  return (
    <section class="card" aria-labelledby="usage">
      <h2 id="usage">{answer ? labelled(texts.plan, texts.plans[answer.usage.plan_id as PlanId]) : texts.plan}</h2>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <Meter
            label={texts.scans(answer.usage.period)}
            used={answer.usage.scans_used}
            limit={answer.usage.scans_per_month}
          />
          {answer.watched !== undefined && (
            <Meter label={texts.watchlist} used={answer.watched} limit={answer.usage.watchlist_limit} />
          )}
          {answer.endpoints !== undefined && (
            <Meter label={texts.webhooks} used={answer.endpoints} limit={answer.usage.webhook_limit} />
          )}
          <Meter
            label={texts.stored}
            used={answer.usage.stored_bytes}
            limit={answer.usage.stored_bytes_limit}
            show={mebibytes}
          />
          <p class="muted">{texts.resets(momentText(answer.usage.period_reset_at))}</p>
          <dl class="facts">
            <dt>{texts.topup}</dt>
            <dd>{count(answer.usage.topup_remaining)}</dd>
            <dt>{texts.perMinute}</dt>
            <dd>{count(answer.usage.api_rate_limit_per_min)}</dd>
            <dt>{texts.presignPerMinute}</dt>
            <dd>{count(answer.usage.presign_rate_limit_per_min)}</dd>
            <dt>{texts.batch}</dt>
            <dd>{answer.usage.batch_limit === 0 ? texts.notOnPlan : count(answer.usage.batch_limit)}</dd>
          </dl>
        </>
      )}
    </section>
  );
}

/** Undefined where the key of this tab lacks the right. */
async function unlessForbidden<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error) => {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  });
}

/** A limit of -1 is none, of 0 not on the plan. */
function Meter({
  label,
  used,
  limit,
  show = count,
}: {
  label: string;
  used: number;
  limit: number;
  show?: (value: number) => string;
}) {
  const texts = words().account;
  if (limit === 0) return <ProgressBar label={label} share={null} text={texts.notOnPlan} />;
  if (limit === -1) return <ProgressBar label={label} share={null} text={texts.unlimited(show(used))} />;
  return <ProgressBar label={label} share={Math.min(1, used / limit)} text={texts.of(show(used), show(limit))} />;
}

function mebibytes(bytes: number): string {
  return `${count(Math.round((bytes / 2 ** 20) * 10) / 10)} MiB`;
}

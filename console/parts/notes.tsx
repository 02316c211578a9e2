import { useEffect, useState } from 'preact/hooks';
import { FORMS } from '../../words/figures.ts';
import { NOT_LOADED } from '../../words/language.ts';
import { language, words } from '../browser/words.ts';
import { ApiError } from '../service/api.ts';

/** A refusal or failure in the reader's language, read out by screen readers, with the words of the API where those are of another. */
export function ErrorNote({ error }: { error: Error | string | null | undefined }) {
  if (!error) return null;
  const { pauseS, status } = error instanceof ApiError ? error : { pauseS: null, status: null };
  const texts = words().parts;
  const lasting = pauseS === null && status !== null;
  const text = typeof error === 'string' ? error : error.message;
  const quota = quotaText(text);
  const said = lasting && quota === null ? texts.refusals[status] : undefined;
  const advice = lasting ? texts.advice[status] : undefined;
  return (
    <div class="note error">
      <div role="alert">
        {pauseS === null ? (quota ?? said ?? text) : <Pause key={error} status={status} seconds={pauseS} />}
      </div>
      {advice && <div class="hint">{advice}</div>}
      {said && (
        <div class="hint" lang="en">
          {text}
        </div>
      )}
    </div>
  );
}

/** Says that a part of the page did not load, as after an update of the service, and loads all of it again. */
export function NotLoadedNote() {
  return (
    <>
      <ErrorNote error={NOT_LOADED[language.value]} />
      <button type="button" onClick={() => location.reload()}>
        {words().layout.reload}
      </button>
    </>
  );
}

/** Counts down to when the service takes the request again. */
function Pause({ status, seconds }: { status: number | null; seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  const texts = words().parts;
  return (
    <>
      {status === 0 ? texts.unreachable : status === 503 ? texts.busy : texts.tooManyRequests}
      {FORMS[language.value].space}
      <span role="timer" aria-live="off">
        {left === 0 ? texts.tryAgainNow : texts.tryAgainIn(left)}
      </span>
    </>
  );
}

/** The text of the month's quota is Japanese in every answer of the API; its figures are the used and the granted scans. */
const QUOTA_USED_UP = /^今月のスキャン上限.*?(\d+).*?(\d+)/;

function quotaText(text: string): string | null {
  const [, used, limit] = QUOTA_USED_UP.exec(text) ?? [];
  return used && limit ? words().parts.quotaUsedUp(used, limit) : null;
}

export function Loading({ text }: { text?: string }) {
  return (
    <p class="note loading" role="status">
      <span class="spinner" aria-hidden="true" /> {text ?? words().parts.loading}
    </p>
  );
}

export function EmptyNote({ text }: { text: string }) {
  return <p class="note">{text}</p>;
}

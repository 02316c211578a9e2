import { momentText } from '../browser/figures.ts';

/** A moment in a column: it wraps between the day and the time only. */
export function MomentText({ at }: { at: string | null | undefined }) {
  const [day, ...time] = momentText(at).split(' ');
  return (
    <time dateTime={at ?? undefined}>
      <span>{day}</span> <span>{time.join(' ')}</span>
    </time>
  );
}

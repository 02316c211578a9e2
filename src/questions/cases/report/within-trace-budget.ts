import type { Context } from '../../../context.ts';
import { GraphTimeoutError } from '../../../errors.ts';
import { nullOnTimeout, within } from '../../../fairness/deadline.ts';
import type { Trace } from '../../../tracing/engine/walk/findings.ts';
import { type AccountInquiry, countdown } from '../../../tracing/read/inquiry.ts';
import type { MoneyTraces } from '../../../tracing/read/trace-money.ts';

/** A search that has used up its time still works out what it found. */
const GRACE_MS = 5_000;

/**
 * Returns what a search of the graph for a report finds in the time of one trace, or in a part of it, the wait for its place
 * included; null where that time ends before it found anything.
 */
export async function withinTraceBudget<
  T,
  C extends Pick<Context, 'graph' | 'graphQuestions' | 'config'> & AccountInquiry,
>(inquiry: C, search: (timed: C) => Promise<T | null>, part = 1): Promise<T | null> {
  const ms = inquiry.config.TRACE_MS * part;
  const remainingMs = countdown(ms);
  const asked = inquiry.graphQuestions.ask({ id: inquiry.accountId }, (graph) =>
    search({ ...inquiry, graph, remainingMs }),
  );
  return within(ms + GRACE_MS, asked, () => new GraphTimeoutError()).catch(nullOnTimeout);
}

/** True where the time ended before the subjects themselves were read: nothing is known of their money. */
export function sawNothing({
  subjects,
  received,
}: {
  subjects: MoneyTraces['subjects'];
  received: Pick<Trace, 'unattributed'>;
}): boolean {
  return subjects.size === 0 && received.unattributed.has('time_budget');
}

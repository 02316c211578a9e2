import type { Context } from '../context.ts';
import { holdTurn, takeTurn } from '../records/jobs/periodic-work.ts';

interface Turn {
  name: string;
  /** For how long others leave it alone, from the start and from each time that it is held again. */
  holdMs: number;
  /** Between two times that it is held again. */
  beatMs: number;
  /** When the next may begin, once the work is over. */
  nextAt: (takenAt: number) => number;
  signal: AbortSignal;
}

/** Runs the work where no other process has the turn, and holds it until the work is over; its signal ends work that lost it. */
export async function inTurn(
  ctx: Context,
  { name, holdMs, beatMs, nextAt, signal }: Turn,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const takenAt = ctx.now();
  if (!(await takeTurn(ctx.records, name, holdMs, takenAt))) return;
  let until = takenAt + holdMs;
  const lost = new AbortController();
  const prolong = async () => {
    const next = ctx.now() + holdMs;
    if (await holdTurn(ctx.records, name, until, next)) until = next;
    else lost.abort(new Error('another process has the turn'));
  };
  let holding = Promise.resolve();
  const heartbeat = setInterval(() => {
    holding = holding
      .then(prolong)
      .catch((err) => ctx.log.warn({ err, turn: name }, 'the turn of work that goes on was not held'));
  }, beatMs);
  try {
    await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(heartbeat);
    await holding;
    await holdTurn(ctx.records, name, until, nextAt(takenAt));
  }
}

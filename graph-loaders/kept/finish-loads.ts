import type { Context } from '../../src/context.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { shownPlace } from '../../src/outbound/places.ts';
import { endUnfinished, readUnfinished, takeUnfinished } from '../../src/records/lists/unfinished-loads.ts';
import { load } from '../load.ts';
import type { LoadRequest } from '../load-request.ts';
import type { Stores } from '../reading/loader.ts';

/** A load that was not touched for several minutes was cut off. */
const CUT_OFF_MS = 5 * MINUTE_MS;
/** An input that does not come back is waited for no longer. */
const GIVEN_UP_MS = 7 * DAY_MS;

/** Repeats the loads that were cut off, each as of the time when it began. What fails stays, and is tried again. */
export async function finishLoads(ctx: Stores & Pick<Context, 'log'>, signal?: AbortSignal): Promise<void> {
  for (const cut of await readUnfinished(ctx.records, ctx.now() - CUT_OFF_MS)) {
    if (signal?.aborted || !(await takeUnfinished(ctx.records, cut, ctx.now()))) continue;
    const shown = { source: cut.source, input: shownPlace(cut.input) };
    try {
      const request = { ...(JSON.parse(cut.request) as LoadRequest), startedAt: cut.started_at };
      await load(request, ctx, { signal, by: 'service' });
      ctx.log.info(shown, 'a load that was cut off is whole now');
    } catch (err) {
      signal?.throwIfAborted();
      if (ctx.now() - cut.started_at > GIVEN_UP_MS) await endUnfinished(ctx.records, cut);
      const left = await readUnfinished(ctx.records);
      const isGivenUp = !left.some(({ source, input }) => source === cut.source && input === cut.input);
      ctx.log.error(
        { ...shown, err },
        isGivenUp
          ? 'a load that was cut off cannot be repeated: a part of it stays'
          : 'a load that was cut off cannot be repeated yet',
      );
    }
  }
}

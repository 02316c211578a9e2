import { useState } from 'preact/hooks';
import { percentOnLine } from '../../../src/words/figures.ts';
import { words } from '../../browser/words.ts';
import { addExposure, addFrontier, addTerminals } from '../../graph/money-graph.ts';
import { Field } from '../../parts/field.tsx';
import { apiPath, call } from '../../service/api.ts';
import { followJob } from '../../service/jobs.ts';
import type { TraceJob, TraceResults } from '../../service/tracing-answers.ts';
import { FrontierList } from './frontier-list.tsx';
import type { Investigation } from './investigation.ts';

const ADDRESSES_MAX = 25;

/** As far as a scan follows money: a trace that ends earlier would know less than the scan before it. */
const HOPS_MAX = 10;

/** Traces the money of the start through unread addresses and draws the findings as they arrive. */
export function TracePanel({ investigation }: { investigation: Investigation }) {
  const texts = words().investigate;
  const { chain, start, busy, grow, run, connect } = investigation;
  const [direction, setDirection] = useState('both');
  const [most, setMost] = useState(ADDRESSES_MAX);
  const [hops, setHops] = useState(HOPS_MAX);
  const [trace, setTrace] = useState<TraceJob | null>(null);

  const begin = (event: Event) => {
    event.preventDefault();
    void run(async (signal) => {
      const body = { address: start, chain, direction, max_addresses: most, max_hops: hops };
      const { job_id } = await call<{ job_id: string }>('/graph/trace', { method: 'POST', body, signal });
      const show = (now: TraceJob) => {
        setTrace(now);
        grow((graph) => addFrontier(graph, now.frontier));
      };
      const ended = await followJob<TraceJob>(apiPath`/graph/trace/${job_id}`, show, signal);
      const { exposure, terminals, addresses } = await call<TraceResults>(apiPath`/graph/trace/${job_id}/results`, {
        signal,
      });
      if (exposure) grow((graph) => addExposure(graph, exposure));
      if (terminals) grow((graph) => addTerminals(graph, terminals));
      await connect(
        [start, ...addresses.map(({ address }) => address), ...ended.frontier.map((one) => one.address)],
        signal,
      );
    });
  };

  return (
    <section class="card" aria-labelledby="trace">
      <h2 id="trace">{texts.trace}</h2>
      <p class="muted">{texts.traceHint}</p>
      <form class="row" onSubmit={begin}>
        <Field label={texts.direction}>
          <select value={direction} onChange={(event) => setDirection(event.currentTarget.value)}>
            {(['both', 'received', 'sent'] as const).map((one) => (
              <option key={one} value={one}>
                {texts[one]}
              </option>
            ))}
          </select>
        </Field>
        <Field label={texts.addressesMax}>
          <input
            type="number"
            min="1"
            max="500"
            value={most}
            onInput={(event) => setMost(Number(event.currentTarget.value))}
          />
        </Field>
        <Field label={texts.hopsMax}>
          <input
            type="number"
            min="1"
            max={HOPS_MAX}
            value={hops}
            onInput={(event) => setHops(Number(event.currentTarget.value))}
          />
        </Field>
        <button type="submit" class="primary" disabled={busy}>
          {texts.start}
        </button>
      </form>
      {trace && (
        <div role="status">
          <progress value={trace.progress} max="1" aria-label={texts.trace} />
          <p>
            {texts.progress(trace.addresses_read)} ·{' '}
            {texts.attributed(percentOnLine(trace.attributed.received), percentOnLine(trace.attributed.sent))}
          </p>
        </div>
      )}
      {trace && <FrontierList investigation={investigation} frontier={trace.frontier} />}
    </section>
  );
}

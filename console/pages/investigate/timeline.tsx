import { useEffect, useState } from 'preact/hooks';
import { moment } from '../../../src/words/figures.ts';
import { labelled, words } from '../../browser/words.ts';
import type { GraphEdge } from '../../graph/money-graph.ts';

const STEP_MS = 500;

interface TimelineProps {
  edges: GraphEdge[];
  /** The last moment that is shown; null shows everything. */
  until: string | null;
  onChange: (until: string | null) => void;
}

/** Shows the flows in the order in which they began, by hand or played. */
export function FlowTimeline({ edges, until, onChange }: TimelineProps) {
  const texts = words().investigate;
  const [playing, setPlaying] = useState(false);
  const moments = [...new Set(edges.map(({ firstAt }) => firstAt))].sort();
  const at = until === null ? moments.length : moments.filter((one) => one <= until).length;
  const show = (step: number) => onChange(step >= moments.length ? null : (moments[step - 1] ?? ''));

  useEffect(() => {
    if (!playing) return;
    if (at >= moments.length) return setPlaying(false);
    const timer = setTimeout(() => show(at + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, at]);

  const play = () => {
    if (at >= moments.length) show(0);
    setPlaying(!playing);
  };
  return (
    <div class="timeline row center">
      <button type="button" onClick={play} disabled={moments.length === 0}>
        {playing ? texts.pause : texts.play}
      </button>
      <input
        class="grow"
        type="range"
        min="0"
        max={moments.length}
        value={at}
        aria-label={texts.timeline}
        aria-valuetext={until === null ? texts.all : moment(until)}
        onInput={(event) => show(Number(event.currentTarget.value))}
      />
      <span>{labelled(texts.upTo, until === null ? texts.all : moment(until))}</span>
    </div>
  );
}

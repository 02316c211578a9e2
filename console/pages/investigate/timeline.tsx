import { useMemo, useRef } from 'preact/hooks';
import type { SceneFilters } from '../../../src/domain/scene/scene.ts';
import { movedFlows } from '../../../src/domain/scene/shown.ts';
import { momentText } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import type { CanvasSession } from '../../canvas-session/canvas-session.ts';
import { setFilters } from '../../scene/edits.ts';
import { histogramOf } from '../../scene/histogram.ts';

const BARS = 60;

/** The money of the picture over time, with two ends: what lies between them is what the picture sums. */
export function Timeline({ session }: { session: CanvasSession }) {
  const texts = words().canvas;
  const scene = session.picture.value;
  const { filters, flows, nodes } = scene;
  const before = useRef<SceneFilters | null>(null);
  const histogram = useMemo(
    () =>
      histogramOf(
        movedFlows({ ...scene, filters: { ...filters, from: null, to: null } }).map(({ flow }) => flow),
        BARS,
      ),
    [flows, nodes, filters.assets, filters.categories, filters.min_usd, filters.followed_only, filters.direction],
  );
  if (!histogram || histogram.from === histogram.to) return null;
  const { from, to, bars } = histogram;
  const most = Math.max(1, ...bars);
  const step = (to - from) / BARS;
  const first = filters.from === null ? 0 : Math.round((Date.parse(filters.from) - from) / step);
  const last = filters.to === null ? BARS : Math.round((Date.parse(filters.to) - from) / step);
  const at = (end: number) => new Date(Math.round(from + end * step)).toISOString();
  const ended = (name: 'from' | 'to', given: number) => {
    const end = name === 'from' ? Math.min(given, last - 1) : Math.max(given, first + 1);
    const isOpen = end === (name === 'from' ? 0 : BARS);
    return setFilters({ [name]: isOpen ? null : at(end) });
  };
  // Sums follow the hand; letting go makes the one step that undo takes back.
  const move = (name: 'from' | 'to', end: number) => {
    before.current ??= filters;
    session.learn(ended(name, end));
  };
  const settle = (name: 'from' | 'to', end: number) => {
    if (before.current) session.learn(setFilters(before.current));
    before.current = null;
    session.edit(ended(name, end));
  };
  return (
    <section class="span" aria-label={texts.timeline}>
      <svg viewBox={`0 0 ${BARS} 24`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((usd, i) => {
          const height = usd > 0 ? 2 + (22 * Math.log10(1 + usd)) / Math.log10(1 + most) : 0;
          return (
            <rect
              key={i}
              class={i >= first && i < last ? 'in' : 'out'}
              x={i + 0.1}
              width={0.8}
              y={24 - height}
              height={height}
            />
          );
        })}
      </svg>
      <div class="span-ends">
        {(['from', 'to'] as const).map((name) => (
          <input
            key={name}
            type="range"
            min="0"
            max={BARS}
            value={name === 'from' ? first : last}
            aria-label={texts.spanEnds[name]}
            aria-valuetext={momentText(at(name === 'from' ? first : last))}
            onInput={(event) => move(name, Number(event.currentTarget.value))}
            onChange={(event) => settle(name, Number(event.currentTarget.value))}
          />
        ))}
      </div>
      <p class="muted">
        {momentText(at(Math.max(0, first)))} – {momentText(at(Math.min(BARS, last)))}
      </p>
    </section>
  );
}

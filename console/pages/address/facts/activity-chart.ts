import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { compactDollars, monthText } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { themeColor } from '../../../canvas/node-colors.ts';
import type { AddressProfile } from '../../../service/tracing-answers.ts';

type Month = AddressProfile['months'][number];

const HEIGHT = 200;
const BAR_MOST = 48;

/** Draws bars by month into a place, as wide as it is; months without a payment keep their room. */
export function drawActivity(place: HTMLElement, months: readonly Month[]): { destroy: () => void } {
  const names = allMonths(months[0]!.month, months.at(-1)!.month);
  const byName = new Map(months.map((one) => [one.month, one]));
  // Nothing has no bar: one of no height would be a line.
  const received = names.map((name) => byName.get(name)?.received.usd || null);
  const sent = names.map((name) => -(byName.get(name)?.sent.usd ?? 0) || null);
  const [text, line] = [themeColor('--muted'), themeColor('--line')];
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  const bars = uPlot.paths.bars!({ size: [0.7, BAR_MOST] });
  const series = (label: string, variable: string): uPlot.Series => ({
    label,
    stroke: themeColor(variable),
    fill: themeColor(variable),
    paths: bars,
    points: { show: false },
  });
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: [-0.6, names.length - 0.4] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          splits: () => splitsOf(names.length, place.clientWidth),
          values: (_, at) => at.map((i) => (names[i] ? monthText(names[i]) : '')),
        },
        { ...axis, size: 74, values: (_, at) => at.map((usd) => compactDollars(Math.abs(usd))) },
      ],
      series: [{}, series(words().profile.cameIn, '--received'), series(words().profile.wentOut, '--sent')],
    },
    [names.map((_, i) => i), received, sent],
    place,
  );
  const resized = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT }));
  resized.observe(place);
  return {
    destroy: () => {
      resized.disconnect();
      chart.destroy();
    },
  };
}

/** Room of one name of a month, in pixels. */
const NAME = 76;

/** The months that are named: as many as have room. */
function splitsOf(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * NAME) / Math.max(NAME, width - NAME)));
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}

function allMonths(first: string, last: string): string[] {
  const numberOf = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 1;
  const from = numberOf(first);
  return Array.from({ length: numberOf(last) - from + 1 }, (_, i) => {
    const month = from + i;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

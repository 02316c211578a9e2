import type { SceneFlow } from '../../src/domain/scene/scene.ts';

export interface Histogram {
  /** Epoch ms of the first and the last transfer. */
  from: number;
  to: number;
  /** US dollars of equal spans of time. */
  bars: number[];
}

/** Unpriced money is shown as moved, and as little. */
const UNPRICED_USD = 1;

/** The money of all flows over time; null where nothing moved. What is not listed is spread over its flow's time. */
export function histogramOf(flows: readonly SceneFlow[], count: number): Histogram | null {
  if (flows.length === 0) return null;
  const from = Math.min(...flows.map(({ first_at }) => Date.parse(first_at)));
  const to = Math.max(...flows.map(({ last_at }) => Date.parse(last_at)));
  const bars = new Array<number>(count).fill(0);
  const barAt = (at: number) =>
    to === from ? 0 : Math.min(count - 1, Math.floor((count * (at - from)) / (to - from)));
  const add = (bar: number, usd: number) => {
    bars[bar] = (bars[bar] ?? 0) + usd;
  };
  for (const { transfers, tx_count, usd, first_at, last_at } of flows) {
    for (const one of transfers) add(barAt(Date.parse(one.at)), one.usd ?? UNPRICED_USD);
    if (tx_count <= transfers.length) continue;
    const listed = transfers.reduce((sum, one) => sum + (one.usd ?? 0), 0);
    const [first, last] = [barAt(Date.parse(first_at)), barAt(Date.parse(last_at))];
    const rest = Math.max(UNPRICED_USD, (usd ?? 0) - listed) / (last - first + 1);
    for (let bar = first; bar <= last; bar++) add(bar, rest);
  }
  return { from, to, bars };
}

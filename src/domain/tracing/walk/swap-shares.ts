import type { ReplayStep } from '../replay.ts';

/** The share of each leg, 0-1, adding up to 1; null when legs of several assets are not all priced. */
export function swapShares(legs: readonly ReplayStep[]): number[] | null {
  const isOneAsset = new Set(legs.map(({ asset }) => asset)).size === 1;
  if (!isOneAsset && !legs.every(({ transfer }) => transfer?.priced)) return null;
  const sizes = legs.map(({ units, transfer }) => (isOneAsset ? units : (transfer?.usd ?? 0)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > 0 ? sizes.map((size) => size / total) : null;
}

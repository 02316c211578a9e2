/**
 * How far a value lies from the middle of a sample, in robust standard deviations (Iglewicz and Hoaglin: median
 * and median absolute deviation; the mean absolute deviation where that is 0; 0 where all are equal).
 */
export function robustZ(value: number, sample: readonly number[]): number {
  const middle = medianOf(sample);
  const deviations = sample.map((x) => Math.abs(x - middle));
  const mad = medianOf(deviations);
  if (mad > 0) return (0.6745 * (value - middle)) / mad;
  const mean = deviations.reduce((sum, deviation) => sum + deviation, 0) / deviations.length;
  return mean > 0 ? (value - middle) / (1.253314 * mean) : 0;
}

/** 0 for an empty sample. */
export function medianOf(sample: readonly number[]): number {
  if (sample.length === 0) return 0;
  const sorted = [...sample].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

import { countParts } from '../browser/figures.ts';

/** Returns how many signs the longest fraction of a column has, as it is written. */
export function fractionOf(values: readonly number[]): number {
  return Math.max(0, ...values.map((value) => countParts(value)[1].length));
}

/** A figure whose decimal mark stands below those of its column; `fraction` is the room for the longest one. */
export function DecimalText({ value, fraction }: { value: number; fraction: number }) {
  const [whole, rest] = countParts(value);
  return (
    <span class="decimal">
      {whole}
      <span class="fraction" style={{ width: `${fraction}ch` }}>
        {rest}
      </span>
    </span>
  );
}

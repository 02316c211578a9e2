import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { mulberry32 } from '../../src/risk/anomaly/isolation-forest.ts';
import { DAY, HOUR, transfer } from './world.ts';

/**
 * A laundering pattern of random size, at or above the thresholds, planted at an address from a moment on; where a rule
 * weighs sums against each other, at least `among` times the rule's own sum, so that the subject's other money does
 * not drown it.
 */
export type Plant = (subject: string, start: number, seed: number, among?: number) => Transfer[];

function dice(seed: number) {
  // Another stream than the wallet of the same seed draws from.
  const random = mulberry32(seed ^ 0x27d4eb2f);
  const int = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const stranger = () => `0x${word()}${word()}${word()}${word()}${word()}`;
  return { random, int, stranger };
}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

export const PLANTS: Record<string, Plant> = {
  fan_in: (subject, start, seed, among = 10) => {
    const { int, stranger } = dice(seed);
    const n = int(10, 40);
    const each = (among * 5_000) / n;
    return [
      ...times(n, () =>
        transfer({ from: stranger(), to: subject, usd: each * (1 + int(0, 20) / 100), at: start + int(0, 24) * HOUR }),
      ),
      transfer({ from: subject, to: stranger(), usd: (0.7 + int(0, 25) / 100) * n * each, at: start + 2 * DAY }),
    ];
  },
  rapid_distribution: (subject, start, seed) => {
    const { int, stranger } = dice(seed);
    const n = int(10, 60);
    return times(n, () =>
      transfer({ from: subject, to: stranger(), usd: int(500, 5_000), at: start + int(0, 60) * 60_000 }),
    );
  },
  fan_out: (subject, start, seed) => {
    const { int, stranger } = dice(seed);
    const n = int(20, 60);
    return times(n, () =>
      transfer({ from: subject, to: stranger(), usd: int(250, 5_000), at: start + int(0, 24) * HOUR }),
    );
  },
  gather_scatter: (subject, start, seed, among = 100) => {
    const { int, stranger, random } = dice(seed);
    const total = among * 5_000 * (1 + random());
    const [p, q] = [int(3, 9), int(3, 9)];
    const kept = 0.9 + 0.09 * random();
    return [
      ...times(p, () => transfer({ from: stranger(), to: subject, usd: total / p, at: start + int(0, 48) * HOUR })),
      ...times(q, () =>
        transfer({ from: subject, to: stranger(), usd: (kept * total) / q, at: start + 2 * DAY + int(1, 48) * HOUR }),
      ),
    ];
  },
  pass_through: (subject, start, seed, among = 2_000) => {
    const { int, stranger, random } = dice(seed);
    return times(int(3, 8), (i) => {
      const usd = among * 1_000 * (1 + random());
      const at = start + i * DAY;
      return [
        transfer({ from: stranger(), to: subject, usd, at }),
        transfer({ from: subject, to: stranger(), usd: usd * (0.9 + 0.1 * random()), at: at + int(1, 60) * 60_000 }),
      ];
    }).flat();
  },
  cycle: (subject, start, seed) => {
    const { int, stranger, random } = dice(seed);
    const other = stranger();
    return times(int(3, 6), (i) => {
      const usd = int(400, 9_000);
      const at = start + i * DAY;
      return [
        transfer({ from: subject, to: other, usd, at }),
        transfer({ from: other, to: subject, usd: usd * (0.75 + 0.25 * random()), at: at + int(1, 20) * HOUR }),
      ];
    }).flat();
  },
  structuring: (subject, start, seed) => {
    const { int, stranger } = dice(seed);
    const [other, limit] = [stranger(), [1_000, 3_000, 10_000][seed % 3]!];
    return times(int(7, 14), (i) =>
      transfer({ from: subject, to: other, usd: limit * (0.8 + int(0, 19) / 100), at: start + i * 2 * HOUR }),
    );
  },
};

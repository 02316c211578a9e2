import { createRandom } from '../../fixtures/demo/random.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { percentile } from '../table.ts';

/** One answered request: in which part of the run, when, and how long it took, in ms. */
export interface Taken {
  kind: string;
  part: number;
  at: number;
  ms: number;
}

/** How many times its p99 alone a kind's p99 is beside an attacker, with the interval that holds it with 95 %. */
export interface Ratio {
  ratio: number;
  low: number;
  high: number;
}

/** Requests of five seconds share what held them up, so that they are drawn together. */
const BLOCK_MS = 5_000;
const DRAWS = 1_000;

/**
 * Compares the p99 of two sets of requests. The interval is a bootstrap's over blocks of five seconds, with the same draws for
 * the same requests.
 */
export function compareP99(alone: readonly Taken[], beside: readonly Taken[]): Ratio {
  const random = createRandom('soak');
  const [base, changed] = [blocksOf(alone), blocksOf(beside)];
  const draw = (blocks: readonly number[][]) =>
    p99(Array.from(blocks, () => blocks[random.int(0, blocks.length - 1)]!).flat());
  const drawn = Array.from({ length: DRAWS }, () => draw(changed) / draw(base));
  return {
    ratio: p99(changed.flat()) / p99(base.flat()),
    low: percentile(drawn, 0.025),
    high: percentile(drawn, 0.975),
  };
}

export function p99(ms: number[]): number {
  return percentile(ms, 0.99);
}

function blocksOf(taken: readonly Taken[]): number[][] {
  const blocks = groupBy(taken, ({ at }) => Math.floor(at / BLOCK_MS));
  return [...blocks.values()].map((block) => block.map(({ ms }) => ms));
}

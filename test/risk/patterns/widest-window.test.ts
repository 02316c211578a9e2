import { expect, it } from 'vitest';
import { Dice } from '../../../fixtures/anomaly/dice.ts';
import { type Leg, widestWindow } from '../../../src/risk/typologies/scatter-gather.ts';
import { type PatternTransfer, sumUsd } from '../../../src/risk/views/neighbourhood.ts';
import { seed } from '../../setup/seed.ts';

const SHARE = { least: 0.7, most: 1.05 };
const WINDOW = 50;

/** As it is defined: every window that begins with a first step, every leg in it. */
function byDefinition(legs: Leg[]): Leg[] {
  let best: Leg[] = [];
  const starts = legs.flatMap(({ out }) => out.map(({ at }) => at)).sort((a, b) => a - b);
  for (const start of starts) {
    const inWindow = ({ at }: PatternTransfer) => at >= start && at <= start + WINDOW;
    const passed = legs.flatMap((leg) => {
      const out = leg.out.filter(inWindow);
      const back = leg.back.filter((flow) => out[0] && inWindow(flow) && flow.at > out[0].at);
      const share = sumUsd(back) / sumUsd(out);
      return share >= SHARE.least && share <= SHARE.most ? [{ out, back }] : [];
    });
    if (passed.length > best.length) best = passed;
  }
  return best;
}

it('finds what the definition finds, in 3,000 random sets of legs', () => {
  const dice = new Dice(seed);
  let found = 0;
  for (let n = 0; n < 3_000; n++) {
    const span = dice.pick([20, 200, 2_000]);
    const steps = (most: number) =>
      Array.from(
        { length: dice.int(0, most) },
        (_, id): PatternTransfer => flow(id, dice.int(0, span), dice.int(1, 6)),
      ).sort((a, b) => a.at - b.at);
    const legs = Array.from({ length: dice.int(2, 9) }, (): Leg => ({ out: steps(5), back: steps(5) }));
    const expected = byDefinition(legs);
    expect(widestWindow(legs, WINDOW, SHARE)).toEqual(expected);
    found += expected.length > 1 ? 1 : 0;
  }
  expect(found).toBeGreaterThan(100);
});

function flow(id: number, at: number, usd: number): PatternTransfer {
  const place = { txHash: `0x${id}`, index: 'native', block: null, position: null, seq: 0 };
  return { id: `${id}`, from: 'a', to: 'b', at, usd, asset: 'ETH', amount: '1', ...place };
}

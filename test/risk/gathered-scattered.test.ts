import { expect, it } from 'vitest';
import { RULES } from '../../src/risk/rules.ts';
import { gatheredScattered } from '../../src/risk/typologies/gather-scatter.ts';

it('looks at each payment a bounded number of times where most parties pay and are paid', () => {
  let reads = 0;
  const payment = (owner: string, at: number) => ({
    at,
    usd: 100,
    get owner() {
      reads += 1;
      return owner;
    },
  });
  const count = 20_000;
  const ins = Array.from({ length: count }, (_, i) => payment(`party ${i % 500}`, i * 1_000));
  const outs = ins.map((_, i) => payment(`${i % 500 < 490 ? 'party' : 'payee'} ${i % 500}`, 3e7 + i * 1_000));
  gatheredScattered(ins, outs, RULES.gather_scatter);
  expect(reads).toBeLessThan(100 * 2 * count);
});

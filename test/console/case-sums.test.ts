import { describe, expect, it } from 'vitest';
import { caseSums, stolenIn, victimPayments } from '../../console/pages/cases/case-sums.ts';
import { createRandom } from '../../fixtures/demo/random.ts';
import { FUND_KINDS } from '../../src/domain/tracing/answers.ts';
import { isUnseen } from '../../src/domain/tracing/funds-row.ts';
import { seed } from '../setup/seed.ts';

type Funds = Parameters<typeof caseSums>[0];

describe('the sums of a case', () => {
  it('are all of what the subjects sent, each dollar either followed or unknown', () => {
    const { next } = createRandom(String(seed));
    for (let round = 0; round < 50; round++) {
      const rows = FUND_KINDS.map((kind) => ({
        kind,
        usd: Math.round((next() - (kind === 'price_change' ? 0.5 : 0)) * 1e6) / 100,
        assets: { USDT: '1', ETH: '1' },
        arrivals: [
          { asset: 'USDT', usd: 30 },
          { asset: 'ETH', usd: 10 },
        ],
        ...(next() < 0.5 ? { frozen: [{ asset: 'USDT', since: null, source: 'list' }] } : {}),
      }));
      const total_usd = rows.reduce((sum, { usd }) => sum + usd, 0);
      const sums = caseSums({ rows, total_usd } as unknown as Funds);
      expect(sums.followed + sums.unknown).toBeCloseTo(sums.sent, 6);
      const unseen = rows.filter(isUnseen).reduce((sum, { usd }) => sum + usd, 0);
      expect(sums.unknown).toBeCloseTo(unseen, 6);
      expect(sums.arrived).toBe(rows.find(({ kind }) => kind === 'party')!.usd);
      expect(sums.returned).toBe(rows.find(({ kind }) => kind === 'returned')!.usd);
      // Of what stands at a frozen address, the frozen token alone.
      const frozen = rows.filter((row) => row.frozen).reduce((sum, { usd }) => sum + 0.75 * usd, 0);
      expect(sums.frozen).toBeCloseTo(frozen, 6);
    }
  });

  it('count what victims lost once, at the price of its time, and name what has no price', () => {
    const of = (address: string, role: string, chain = 'ethereum') => ({ chain, address, role });
    const addresses = [
      of('v', 'victim'),
      of('s', 'subject'),
      of('t', 'subject'),
      of('u', 'subject', 'tron'),
      of('w', 'service'),
    ];
    expect(victimPayments([])).toBeNull();
    const asked = victimPayments(addresses as never)!.body.pairs;
    expect(asked.map(({ from, to }) => [from, to])).toEqual([
      ['v', 's'],
      ['v', 't'],
    ]);
    type Moved = [usd: number | null, asset?: string];
    const answer = (moved: Moved[], truncated = false) =>
      ({
        pairs: [{ transfers: moved.map(([usd, asset = 'USDT']) => ({ usd, asset, amount: '2.5' })), truncated }],
        addresses: [],
      }) as never;
    const whole = { isLeast: false, unpriced: {} };
    expect(stolenIn(answer([[95_000], [5]]))).toEqual({ usd: 95_005, ...whole });
    // A counterfeit takes nothing from the certainty of the sum; what may be worth something is named.
    expect(stolenIn(answer([[95_000], [null, `USDT:0x${'1'.repeat(40)}`]]))).toEqual({ usd: 95_000, ...whole });
    expect(stolenIn(answer([[95_000], [null, 'MEME'], [null, 'MEME'], [null, 'ETH']]))).toEqual({
      usd: 95_000,
      isLeast: false,
      unpriced: { MEME: '5', ETH: '2.5' },
    });
    expect(stolenIn(answer([[95_000]], true)).isLeast).toBe(true);
  });
});

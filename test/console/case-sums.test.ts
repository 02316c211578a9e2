import { describe, expect, it } from 'vitest';
import { caseSums } from '../../console/pages/cases/case-sums.ts';
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
      const victims = { returned: { usd: 12 } };
      expect(caseSums({ rows, total_usd, victims } as unknown as Funds).returned).toBe(12);
      // Of what stands at a frozen address, the frozen token alone.
      const frozen = rows.filter((row) => row.frozen).reduce((sum, { usd }) => sum + 0.75 * usd, 0);
      expect(sums.frozen).toBeCloseTo(frozen, 6);
    }
  });
});

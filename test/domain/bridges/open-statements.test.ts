import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinStatements, type Statement } from '../../../src/domain/bridges/join-statements.ts';
import { type BridgeMessage, messageKey } from '../../../src/domain/bridges/message.ts';
import { destinationMessage, sourceMessage } from './messages.ts';

const THORCHAIN = {
  protocol: 'thorchain',
  id: 'AB'.repeat(32),
  route: { from: { chain: 'ethereum', raw: 'ETH' }, to: { chain: 'arbitrum', raw: 'X' } },
  agreed: {},
} as const;
const of = (message: BridgeMessage, usd: number | null): Statement => ({
  message,
  near: `${message.chain}:near`,
  far: `${message.chain}:far`,
  usd,
  missing: null,
  likely: null,
  lookedUpAt: null,
});
const paidIn = (usd: number | null, n = 0) => of(sourceMessage({ ...THORCHAIN, token: 'a', position: n }), usd);
const paidOut = (usd: number | null, n = 0, more: Partial<BridgeMessage> = {}) =>
  of(destinationMessage({ ...THORCHAIN, token: 'b', position: n, explains: [`paid-${n}`], ...more }), usd);
const matches = (statements: Statement[]) =>
  joinStatements(statements).flatMap(({ match, source, destination }) =>
    source && destination ? [[match, source.position, destination.position]] : [],
  );

describe('statements that anybody can make', () => {
  it.each([
    ['values within a tenth', 1_000, 901, 'id'],
    ['values further apart', 1_000, 899, 'likely'],
    ['more paid out than in', 1.2, 250_000, 'likely'],
    ['a payment without a price', null, 900, 'likely'],
    ['a payout without a price', 900, null, 'likely'],
  ])('%s', (_, sent, arrived, match) => {
    expect(matches([paidIn(sent), paidOut(arrived)])).toEqual([[match, 0, 0]]);
  });

  it('a payout that no transfer shows is only likely', () => {
    expect(matches([paidIn(100), paidOut(100, 0, { explains: [] })])).toEqual([['likely', 0, 0]]);
  });

  it('a forged payout takes the place of no true one, whenever it comes', () => {
    const forged = paidOut(1.2, 1, { at: destinationMessage().at - 1_000 });
    expect(matches([forged, paidIn(1_000), paidOut(990, 2)])).toEqual([['id', 0, 2]]);
  });

  it('each statement is used once, and no pair is sure whose values differ by more than a tenth', () => {
    const usd = fc.option(fc.integer({ min: 1, max: 2_000 }));
    const worlds = fc.tuple(fc.array(usd, { maxLength: 8 }), fc.array(usd, { maxLength: 8 }));
    fc.assert(
      fc.property(worlds, ([sent, arrived]) => {
        const found = joinStatements([...sent.map(paidIn), ...arrived.map((one, n) => paidOut(one, n))]);
        const used = found.flatMap(({ source, destination }) =>
          [source, destination].flatMap((one) => (one ? [messageKey(one)] : [])),
        );
        expect(new Set(used).size).toBe(used.length);
        for (const { match, of: sides } of found) {
          if (match !== 'id') continue;
          const [a, b] = [sides.source?.usd ?? 0, sides.destination?.usd ?? 0];
          expect(Math.min(a, b)).toBeGreaterThanOrEqual(0.9 * Math.max(a, b));
        }
      }),
    );
  });
});

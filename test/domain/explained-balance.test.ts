import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnits } from '../../src/domain/amount.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { arrival, blockTransaction } from '../../src/domain/transfers/arrival.ts';
import { explained, unexplainedBalances } from '../../src/domain/transfers/explained-balance.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';

const ME = 'me';
let made = 0;
const moved = (from: string, to: string, amount: string, more: Partial<Transfer> = {}): Transfer =>
  createTransfer({
    chain: 'ethereum',
    txHash: `0x${made++}`,
    at: 1,
    from,
    to,
    asset: 'ETH',
    amount,
    kind: 'native',
    txSender: from,
    fee: '0.002',
    ...more,
  });
const coinLeft = (balance: string | null, transfers: Transfer[], chain: Chain = 'ethereum') =>
  unexplainedBalances(chain, ME, { balance, transfers });

describe('the balance that a chain states', () => {
  it('is explained by what came in less what went out and the fees of own transactions, failed ones too', () => {
    const transfers = [
      moved('a', ME, '5'),
      moved(ME, 'b', '3'),
      moved(ME, 'b', '1', { failed: true }),
      moved(ME, ME, '9'),
    ];
    expect(coinLeft('1.994', transfers)).toEqual([]);
    expect(coinLeft('34.494', transfers)).toEqual([{ asset: 'ETH', token: null, amount: '32.5' }]);
    expect(coinLeft('0', transfers)).toEqual([{ asset: 'ETH', token: null, amount: '-1.994' }]);
    expect(coinLeft(null, transfers)).toEqual([]);
  });

  it('is explained by coin that arrived without a payer', () => {
    const place = { txHash: blockTransaction(19), index: 'withdrawal:7', seq: 7, block: 19, at: 1 };
    expect(coinLeft('32', [arrival('ethereum', ME, 32n * 10n ** 18n, place)])).toEqual([]);
  });

  it('counts the fee of a transaction once, and not where another pays it', () => {
    const several = { txHash: '0xone' };
    expect(
      coinLeft('0.998', [moved('a', ME, '4'), moved(ME, 'b', '1', several), moved(ME, 'c', '2', several)]),
    ).toEqual([]);
    expect(coinLeft('3', [moved('a', ME, '4'), moved(ME, 'b', '1', { feePayer: 'c' })])).toEqual([]);
    expect(coinLeft('0.9998', [moved('a', ME, '1', { txSender: 'd', feePayer: ME, fee: '0.0002' })])).toEqual([]);
  });

  it('counts the share of a fee that several paid', () => {
    const shared = { chain: 'bitcoin', txSender: null, fee: '0.5', asset: 'BTC' } as const;
    const transfers = [moved('a', ME, '2', shared), moved(ME, 'b', '1', { ...shared, feeShare: '0.2' })];
    expect(coinLeft('0.8', transfers, 'bitcoin')).toEqual([]);
  });

  it('counts fees of transactions that moved nothing of the address, each transaction once', () => {
    const otherFees = [{ txHash: '0xvote', amount: '0.5' }];
    expect(
      unexplainedBalances('ethereum', ME, { balance: '3.5', transfers: [moved('a', ME, '4')], otherFees }),
    ).toEqual([]);
  });

  it('may be lower, not higher, by about a dollar for each own transaction of which no fee is stated', () => {
    const transfers = [moved('a', ME, '4'), moved(ME, 'b', '1', { fee: null })];
    expect(coinLeft('2.9996', transfers)).toEqual([]);
    expect(coinLeft('2.9', transfers)).toHaveLength(1);
    expect(coinLeft('3.1', transfers)).toHaveLength(1);
  });

  it('is looked at for each token that the source states, beside the coin', () => {
    const token = { token: '0xt', asset: 'TKN', kind: 'token' } as const;
    const transfers = [moved('a', ME, '700', token), moved('a', ME, '8', { ...token, token: '0xother' })];
    const stated = (amount: string) =>
      unexplainedBalances('ethereum', ME, { balance: null, transfers, tokenBalances: [{ token: '0xt', amount }] });
    expect(stated('700.0001')).toEqual([]);
    expect(stated('712')).toEqual([{ asset: 'TKN', token: '0xt', amount: '12' }]);
  });

  it('is explained by any history that it is the sum of, and never without one of its larger movements', () => {
    const coin = fc.bigInt({ min: 10n ** 15n, max: 10n ** 24n });
    fc.assert(
      fc.property(
        fc.array(fc.record({ units: coin, out: fc.boolean() }), { minLength: 1 }),
        fc.nat(),
        (moves, lost) => {
          const transfers = moves.map(({ units, out }) =>
            moved(out ? ME : 'a', out ? 'a' : ME, formatUnits(units, 18), { fee: '0.000000000000000007' }),
          );
          const sum = moves.reduce((left, { units, out }) => (out ? left - units - 7n : left + units), 0n);
          const balance = formatUnits(sum, 18);
          expect(coinLeft(balance, transfers)).toEqual([]);
          const lacking = transfers.filter((_, i) => i !== lost % moves.length);
          expect(coinLeft(balance, lacking)).toHaveLength(1);
        },
      ),
    );
  });
});

describe('a history', () => {
  const history = (balance: string, coverage: { complete: boolean; reasons: string[] }) => ({
    balance,
    transfers: [moved('a', ME, '4')],
    coverage,
  });

  it('is not complete where a stated balance is not explained, and complete again once it is', () => {
    const lacking = explained('ethereum', ME, history('9', { complete: true, reasons: ['unconfirmed_left_out'] }));
    expect(lacking.coverage).toEqual({
      complete: false,
      reasons: ['unconfirmed_left_out', 'balance_unexplained'],
      unexplained: [{ asset: 'ETH', token: null, amount: '5' }],
    });
    const whole = explained('ethereum', ME, { ...lacking, balance: '4' });
    expect(whole.coverage).toEqual({ complete: true, reasons: ['unconfirmed_left_out'] });
  });

  it('that lacks something for another reason is not looked at', () => {
    const part = history('9', { complete: false, reasons: ['page_limit'] });
    expect(explained('ethereum', ME, part)).toBe(part);
  });
});

import { describe, expect, it } from 'vitest';
import { getBalanceChanges } from 'xrpl';
import { balanceChanges } from '../../../src/chains/xrp/balances.ts';
import { xrpTransactionShape } from '../../../src/chains/xrp/transaction.ts';
import { xrpTransfers } from '../../../src/chains/xrp/transfers.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { noRecordings, recorded } from '../recordings.ts';

const shown = ({ from, to, asset, amount }: Transfer) => ({ from, to, asset, amount });
const read = (row: unknown) => xrpTransfers(xrpTransactionShape.parse(row));

describe.skipIf(noRecordings)('replays of recorded XRP Ledger replies (need shared/data)', () => {
  const ledger = () => {
    const full = recorded('rpc-xrpl-js/rippled/ledgerFull7501326.json');
    return full.transactions.map(({ metaData, ...tx }: Record<string, unknown>) => ({
      tx: { ...tx, date: full.close_time, ledger_index: Number(full.ledger_index) },
      meta: metaData,
      validated: true,
    }));
  };

  it('reads every transaction of ledger 7501326 as its balances say', () => {
    const all = ledger().map(read);
    // An offer that took JPY from one account and brought CNY of the same other: by hand from the trust lines.
    expect(all[0].map(shown)).toEqual([
      {
        from: 'r2d2iZiCcJmNL6vhUGFjs8U8BuUq6BnmT',
        to: 'rDUqRdg8Fornm3H78Bc8onA1EKMarYMftj',
        asset: 'JPY',
        amount: '665.647862681',
      },
      {
        from: 'rDUqRdg8Fornm3H78Bc8onA1EKMarYMftj',
        to: 'r2d2iZiCcJmNL6vhUGFjs8U8BuUq6BnmT',
        asset: 'CNY',
        amount: '40.07133568553',
      },
    ]);
    // One taker, three makers.
    expect(all[1].filter((t: Transfer) => t.asset === 'XRP').map(shown)).toEqual([
      {
        from: 'rHhuL3YUYgXEwzKxB2YtfLAun1iFshXWcH',
        to: 'r2d2iZiCcJmNL6vhUGFjs8U8BuUq6BnmT',
        asset: 'XRP',
        amount: '1338.269861',
      },
      {
        from: 'rMfLjFNCsFQxKc2hdgkZqjfLEKTot7S3ii',
        to: 'r2d2iZiCcJmNL6vhUGFjs8U8BuUq6BnmT',
        asset: 'XRP',
        amount: '5.739784',
      },
      {
        from: 'rn7Dk7YcNRmUb9q9WUVX1oh9Kp1Dkuy9xE',
        to: 'r2d2iZiCcJmNL6vhUGFjs8U8BuUq6BnmT',
        asset: 'XRP',
        amount: '429.555184',
      },
    ]);
    expect(all[4].filter(({ kind }: Transfer) => kind !== 'dex').map(shown)).toEqual([
      {
        from: 'r4X3WWZ3UZMDw3Z7T32FXK2NAaiitSWZ9c',
        to: 'rhS6Pb8oBMKshN6EznMeWCHJNHJuoom63r',
        asset: 'JPY',
        amount: '16',
      },
    ]);
    expect(all[16]).toMatchObject([
      { failed: true, asset: `BTC:BTC.rTJdjjQ5wWAMh8TL1ToXXD2mZzesa6DSX`, amount: '0.0998' },
    ]);
    for (const quiet of [2, 3, 6, 8, 9, 11, 12, 13, 14, 15]) expect(all[quiet]).toEqual([]);
  });

  it('finds the same balance changes as the library of the XRP Ledger', () => {
    for (const row of ledger()) {
      const transaction = xrpTransactionShape.parse(row);
      const ours = new Map<string, number>();
      for (const { asset, scale, changes } of balanceChanges(transaction)) {
        for (const [account, change] of changes) {
          if (account !== asset.issuer) ours.set(`${account} ${asset.symbol}`, Number(change) / 10 ** scale);
        }
      }
      for (const { account, balances } of getBalanceChanges(row.meta)) {
        for (const { currency, value, issuer: other } of balances) {
          const isFee = account === transaction.tx.Account && currency === 'XRP';
          const theirs = Number(value) + (isFee ? Number(transaction.tx.Fee) / 1e6 : 0);
          const mine = ours.get(`${account} ${currency}`);
          if (mine === undefined) expect(other !== undefined || Math.abs(theirs) < 1e-9).toBe(true);
          else expect(mine).toBeCloseTo(theirs, 9);
        }
      }
    }
  });

  it('reads a recorded partial payment as the delivered part', () => {
    const row = (path: string) => ({
      ...recorded(path),
      validated: true,
      ledger_index: 22_420_774,
      close_time_iso: '2016-07-08T20:21:51Z',
    });
    expect(read(row('rpc-xrpl-js/rippled/partialPaymentIOU.json'))).toMatchObject([
      { asset: 'USD', amount: '9.980039920159681', to: 'rNNuQMuExCiEjeZ4h9JJnj5PSWypdMXDj4' },
      // Two thousandths, which the issuer keeps.
      { asset: 'USD', amount: '0.019960079840319', to: 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B' },
    ]);
    expect(read(row('rpc-xrpl-js/rippled/partialPaymentXRP.json'))).toMatchObject([{ asset: 'XRP', amount: '1' }]);
  });

  it('resolves a redemption, an issue and a payment through an exchange', () => {
    const redeem = recorded('rpc-xrpl-js/utils/paymentTokenMultipath.json').result;
    // 300 dollars "of any issuer that the destination trusts" came through three trust lines, 100 of each issuer.
    const parts = read(redeem);
    expect(parts.map(({ amount }) => amount)).toEqual(['100', '100', '100']);
    expect(new Set(parts.map(({ token }) => token)).size).toBe(3);
    expect(parts.every(({ from, to }) => from === redeem.Account && to === redeem.Destination)).toBe(true);
    const issue = recorded('rpc-xrpl-js/utils/paymentTokenRedeemThenIssue.json').result;
    expect(read(issue)).toMatchObject([{ from: issue.Account, to: issue.Destination, asset: 'USD', amount: '200' }]);
    const crossing = read(recorded('rpc-xrpl-js/rippled/tx/payment.json').result);
    // What it exchanged with others on the way.
    expect(crossing.slice(1).every(({ kind }) => kind === 'dex')).toBe(true);
    expect(crossing.slice(0, 1)).toMatchObject([
      { to: 'rMH4UxPrbuMa1spCBR98hLLyNJp4d8p4tM', token: 'USD.rpZc4mVfWUif9CRoHRKKcmhu1nx2xktxBo', amount: '0.001' },
    ]);
  });

  it('takes the recorded pages and accounts of both API versions', () => {
    const pages = recorded('rpc-xrpl-docs/examples.json').filter(({ doc }: { doc: string }) =>
      doc.endsWith('account_tx.md'),
    );
    for (const { json } of pages) for (const row of json.result.transactions) expect(read(row)).toEqual([]);
    expect(pages).toHaveLength(3);
  });
});

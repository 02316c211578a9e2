import { afterEach, describe, expect, it } from 'vitest';
import { getBalanceChanges } from 'xrpl';
import type { ChainSource } from '../../src/chains/port.ts';
import { openXrp } from '../../src/chains/xrp.ts';
import { balanceChanges } from '../../src/chains/xrp-balances.ts';
import { transactionShape } from '../../src/chains/xrp-transaction.ts';
import { xrpTransfers } from '../../src/chains/xrp-transfers.ts';
import type { Transfer } from '../../src/domain/transfer.ts';
import { serveUpstream, type Upstream } from '../contract/upstream.ts';
import { noRecordings, recorded } from './recordings.ts';
import { atOf, rippled, type XrpRow, xrpAccount, xrpHash, xrpRow } from './xrp-ledger.ts';

const [alice, bob, carol, issuer] = ['alice', 'bob', 'carol', 'issuer'].map(xrpAccount) as [
  string,
  string,
  string,
  string,
];
const shown = ({ from, to, asset, amount }: Transfer) => ({ from, to, asset, amount });
const read = (row: unknown) => xrpTransfers(transactionShape.parse(row));
const line = (holder: string, value: string) => ({
  Balance: { currency: 'EUR', issuer: 'rrrrrrrrrrrrrrrrrrrrBZbvji', value },
  LowLimit: { currency: 'EUR', issuer: holder, value: '0' },
  HighLimit: { currency: 'EUR', issuer, value: '0' },
});

describe('what a transaction of the XRP Ledger moves', () => {
  it('credits what was delivered and never the amount of a partial payment', () => {
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '9000000', Flags: 0x20000 };
    expect(read(xrpRow(1_000_000, tx, [], { delivered: '1500000' })).map(shown)).toEqual([
      { from: alice, to: bob, asset: 'XRP', amount: '1.5' },
    ]);
  });

  it('reads an old partial payment, of which the server knows no delivered amount, from the balances', () => {
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', Amount: '9000000', Flags: 0x20000 };
    const entries = [
      { before: { Balance: '20000000' }, after: { Account: alice, Balance: '17999988' } },
      { before: { Balance: '5000000' }, after: { Account: bob, Balance: '7000000' } },
    ];
    expect(read(xrpRow(1_000_000, tx, entries, { delivered: 'unavailable' })).map(shown)).toEqual([
      { from: alice, to: bob, asset: 'XRP', amount: '2' },
    ]);
  });

  it('writes issued amounts in exponent form as plain decimals under CURRENCY.issuer', () => {
    const delivered = { currency: '524C555344000000000000000000000000000000', issuer, value: '1234e-9' };
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: delivered };
    expect(read(xrpRow(1_000_000, tx, [], { delivered }))[0]).toMatchObject({
      token: `RLUSD.${issuer}`,
      amount: '0.000001234',
      amountRaw: null,
      decimals: null,
      kind: 'token',
      method: 'Payment',
      position: 3,
      fee: '0.000012',
    });
  });

  it('keeps three letters in hex apart from the three-letter code', () => {
    const currency = '5553440000000000000000000000000000000000';
    const delivered = { currency, issuer, value: '1' };
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: delivered };
    expect(read(xrpRow(1_000_000, tx, [], { delivered }))[0]?.token).toBe(`${currency}.${issuer}`);
  });

  it('shows a failed payment as failed and other failures as nothing', () => {
    const payment = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '70' };
    const failed = { result: 'tecPATH_DRY' };
    expect(read(xrpRow(1_000_000, payment, [], failed))).toMatchObject([
      { failed: true, amount: '0.00007', fee: '0.000012' },
    ]);
    expect(read(xrpRow(1_000_000, { Account: alice, TransactionType: 'OfferCreate' }, [], failed))).toEqual([]);
  });

  it('moves nothing while a transaction is not validated', () => {
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '70' };
    expect(read({ ...xrpRow(1_000_000, tx, [], { delivered: '70' }), validated: false })).toEqual([]);
  });

  it('pays an escrow from its owner on finish, and moves nothing when it is made', () => {
    const escrow = { Account: alice, Destination: bob, Amount: '3000000' };
    const created = xrpRow(1_000_000, { Account: alice, TransactionType: 'EscrowCreate', Destination: bob }, [
      { kind: 'CreatedNode', type: 'Escrow', after: escrow },
      { before: { Balance: '10000000' }, after: { Account: alice, Balance: '6999988' } },
    ]);
    const finished = xrpRow(1_000_001, { Account: carol, TransactionType: 'EscrowFinish' }, [
      { kind: 'DeletedNode', type: 'Escrow', before: {}, after: escrow },
      { before: { Balance: '500' }, after: { Account: bob, Balance: '3000500' } },
      { before: { Balance: '99' }, after: { Account: carol, Balance: '87' } },
    ]);
    expect(read(created)).toEqual([]);
    expect(read(finished).map(shown)).toEqual([{ from: alice, to: bob, asset: 'XRP', amount: '3' }]);
  });

  it('pays a channel claim from the owner of the channel', () => {
    const claim = xrpRow(1_000_000, { Account: bob, TransactionType: 'PaymentChannelClaim' }, [
      {
        type: 'PayChannel',
        before: { Balance: '100000' },
        after: { Account: alice, Destination: bob, Amount: '1000000', Balance: '400000' },
      },
      { before: { Balance: '5000000' }, after: { Account: bob, Balance: '5299988' } },
    ]);
    expect(read(claim).map(shown)).toEqual([{ from: alice, to: bob, asset: 'XRP', amount: '0.3' }]);
  });

  it('sees the rest of a deleted account arrive, the burnt fee left out', () => {
    const deleted = xrpRow(
      1_000_000,
      { Account: alice, Destination: bob, TransactionType: 'AccountDelete', Fee: '2000000' },
      [
        { kind: 'DeletedNode', before: { Balance: '12000000' }, after: { Account: alice, Balance: '0' } },
        { before: { Balance: '1' }, after: { Account: bob, Balance: '10000001' } },
      ],
    );
    expect(read(deleted).map(shown)).toEqual([{ from: alice, to: bob, asset: 'XRP', amount: '10' }]);
  });

  it('gives clawed back and redeemed currency to its issuer', () => {
    const claw = xrpRow(1_000_000, { Account: issuer, TransactionType: 'Clawback' }, [
      { type: 'RippleState', before: { Balance: line(bob, '25').Balance }, after: line(bob, '5.5') },
    ]);
    expect(read(claw).map(shown)).toEqual([{ from: bob, to: issuer, asset: 'EUR', amount: '19.5' }]);
  });

  it('pairs both legs of an exchange with the maker of the offer', () => {
    const offer = xrpRow(1_000_000, { Account: alice, TransactionType: 'OfferCreate' }, [
      { before: { Balance: '50000012' }, after: { Account: alice, Balance: '40000000' } },
      { before: { Balance: '1000000' }, after: { Account: bob, Balance: '11000000' } },
      { type: 'RippleState', before: { Balance: line(bob, '8').Balance }, after: line(bob, '2') },
      { kind: 'CreatedNode', type: 'RippleState', after: line(alice, '6') },
    ]);
    expect(read(offer).map(shown)).toEqual(
      expect.arrayContaining([
        { from: alice, to: bob, asset: 'XRP', amount: '10' },
        { from: bob, to: alice, asset: 'EUR', amount: '6' },
      ]),
    );
    expect(read(offer)).toHaveLength(2);
  });

  it('names the issuer that really delivered where the destination accepts any', () => {
    const any = { currency: 'EUR', issuer: bob, value: '4' };
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: any };
    const entries = [
      { type: 'RippleState', before: { Balance: line(alice, '9').Balance }, after: line(alice, '5') },
      { type: 'RippleState', before: { Balance: line(bob, '0').Balance }, after: line(bob, '4') },
    ];
    expect(read(xrpRow(1_000_000, tx, entries, { delivered: any }))).toMatchObject([
      { from: alice, to: bob, token: `EUR.${issuer}`, amount: '4' },
    ]);
  });
});

describe('the XRP Ledger as a source', () => {
  const served: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of served.splice(0)) await server.close();
  });
  const open = async (upstream: Upstream, pageLimit = 50): Promise<ChainSource> => {
    const server = await serveUpstream(upstream);
    served.push(server);
    return openXrp({ rpcUrl: server.url }, { pageLimit });
  };
  const pay = (ledger: number, more: Record<string, unknown> = {}): XrpRow =>
    xrpRow(
      ledger,
      { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '5000000', ...more },
      [],
      {
        delivered: '5000000',
      },
    );
  const accounts = {
    [alice]: { Balance: '77000001' },
    [bob]: { Balance: '1', signer_lists: [{}] },
    [carol]: { Balance: '2', AMMID: 'A' },
  };

  it('says when the server does not hold the whole past of an account', async () => {
    const source = await open(rippled({ rows: [pay(90_000_000)], accounts, firstLedger: 80_000_000 }));
    expect((await source.history(alice)).coverage).toEqual({
      complete: false,
      sources: ['rippled'],
      reasons: ['truncated_server_history'],
    });
  });

  it('calls a partial past complete when the creation of the account lies in it', async () => {
    const funding = xrpRow(
      80_000_001,
      { Account: bob, Destination: alice, TransactionType: 'Payment', DeliverMax: '20000000' },
      [{ kind: 'CreatedNode', after: { Account: alice, Balance: '20000000' } }],
      { delivered: '20000000' },
    );
    const source = await open(rippled({ rows: [funding], accounts, firstLedger: 80_000_000 }));
    expect((await source.history(alice)).coverage).toMatchObject({ complete: true, reasons: [] });
  });

  it('tells balance and kind of an account', async () => {
    const source = await open(rippled({ rows: [], accounts }));
    expect(await source.history(alice)).toMatchObject({ found: true, balance: '77.000001', addressType: 'wallet' });
    expect(await source.history(bob)).toMatchObject({ addressType: 'multisig' });
    expect(await source.history(carol)).toMatchObject({ addressType: 'contract' });
  });

  it('asks again while the server says inside HTTP 200 that it is too busy', async () => {
    const ledger = rippled({ rows: [pay(100_000)], accounts });
    let asked = 0;
    const source = await open((request) => {
      asked += 1;
      return asked === 1 ? { json: { result: { error: 'slowDown', status: 'error' } } } : ledger(request);
    });
    expect((await source.history(alice)).transfers).toHaveLength(1);
  });

  it('keeps the destination tag, and lists the accounts of other kinds of transaction', async () => {
    const trust = xrpRow(100_001, { Account: carol, TransactionType: 'TrustSet' }, [
      { before: { Balance: '100' }, after: { Account: carol, Balance: '88' } },
    ]);
    const source = await open(rippled({ rows: [pay(100_000, { DestinationTag: 4711 }), trust], accounts }));
    expect(await source.transaction(xrpHash('tx 100000'))).toMatchObject({
      destinationTag: 4711,
      status: 'success',
      type: 'Payment',
    });
    expect(await source.transaction(xrpHash('tx 100001'))).toMatchObject({
      type: 'TrustSet',
      accounts: [carol],
      transfers: [],
      block: 100_001,
      at: atOf(100_001),
    });
  });

  it('tells what the sender of a payment across currencies gave up', async () => {
    const row = xrpRow(
      100_000,
      {
        Account: alice,
        Destination: bob,
        TransactionType: 'Payment',
        DeliverMax: '5000000',
        SendMax: { currency: 'EUR', issuer, value: '9' },
      },
      [
        { before: { Balance: '5000000' }, after: { Account: bob, Balance: '10000000' } },
        { before: { Balance: '50000000' }, after: { Account: carol, Balance: '45000000' } },
        { before: { Balance: '12' }, after: { Account: alice, Balance: '0' } },
        { type: 'RippleState', before: { Balance: line(alice, '9').Balance }, after: line(alice, '1.5') },
        { type: 'RippleState', before: { Balance: line(carol, '0').Balance }, after: line(carol, '7.5') },
      ],
      { delivered: '5000000' },
    );
    const source = await open(rippled({ rows: [row], accounts }));
    const found = await source.transaction(row.hash);
    expect(found?.transfers.map(shown)).toEqual([{ from: alice, to: bob, asset: 'XRP', amount: '5' }]);
    expect(found?.spent).toEqual([{ asset: 'EUR', token: `EUR.${issuer}`, amount: '7.5' }]);
    expect(found?.accounts).toEqual([alice, bob, carol]);
  });

  it('scales multi-purpose tokens by what their issuance says', async () => {
    const id = `00000001${'AB'.repeat(20)}`;
    const row = xrpRow(100_000, { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '1' }, [], {
      delivered: { mpt_issuance_id: id, value: '123456' },
    });
    const metadata = Buffer.from('{"t":"TBILL","n":"T-Bill"}').toString('hex');
    const source = await open(
      rippled({ rows: [row], accounts, issuances: { [id]: { AssetScale: 4, MPTokenMetadata: metadata } } }),
    );
    expect((await source.history(alice)).transfers).toMatchObject([
      { asset: 'TBILL', token: id, amount: '12.3456', amountRaw: '123456', decimals: 4 },
    ]);
  });

  it('reads an issued currency as a whole through its issuer, between two dates', async () => {
    const delivered = { currency: 'EUR', issuer, value: '1' };
    const rows = Array.from({ length: 30 }, (_, n) =>
      xrpRow(100_000 + n, { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: delivered }, [], {
        delivered,
      }),
    );
    const source = await open(rippled({ rows, accounts }));
    const query = { token: `EUR.${issuer}`, from: atOf(100_005), to: atOf(100_014), limit: 500 };
    const found = await source.tokenTransfers(query);
    expect(found).toMatchObject({ symbol: 'EUR', truncated: false });
    expect(found.transfers.map(({ block }) => block)).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((n) => 100_000 + n),
    );
  });
});

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
    expect(all[4].map(shown)).toEqual([
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
      const transaction = transactionShape.parse(row);
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
    expect(crossing).toMatchObject([
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

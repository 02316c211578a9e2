import { describe, expect, it } from 'vitest';
import { xrpTransactionShape } from '../../../src/chains/xrp/transaction.ts';
import { spentOtherwise, xrpTransfers } from '../../../src/chains/xrp/transfers.ts';
import { base58CheckXrp } from '../../../src/domain/address/base58-check.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { xrpAccount, xrpRow } from './ledger.ts';

const [alice, bob, carol, issuer] = ['alice', 'bob', 'carol', 'issuer'].map(xrpAccount) as [
  string,
  string,
  string,
  string,
];
const shown = ({ from, to, asset, amount }: Transfer) => ({ from, to, asset, amount });
const read = (row: unknown) => xrpTransfers(xrpTransactionShape.parse(row));
const EUR = { currency: 'EUR', issuer };

interface HostileAmount {
  tx?: Record<string, unknown>;
  entry?: NonNullable<Parameters<typeof xrpRow>[2]>[number];
  delivered?: unknown;
}

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

  it.each([
    ['a negative amount', { delivered: { ...EUR, value: '-5' } }],
    ['a number beyond the range of the ledger', { delivered: { ...EUR, value: '1e999' } }],
    ['more digits than the ledger keeps', { delivered: { ...EUR, value: '1.2345678901234567' } }],
    ['more drops than exist', { delivered: '100000000000000001' }],
    ['negative drops', { delivered: '-1' }],
    ['a stated amount of another kind', { tx: { Amount: { value: '7' } } }],
    ['a negative stated amount', { tx: { DeliverMax: { ...EUR, value: '-7' } } }],
    ['an account below 0', { entry: { before: { Balance: '5' }, after: { Account: alice, Balance: '-5' } } }],
    ['an infinite fee', { tx: { Fee: '1e400' } }],
    [
      'a trust line beyond the range',
      { entry: { type: 'RippleState', before: {}, after: { Balance: { ...EUR, value: '-1e300' } } } },
    ],
  ])('calls %s a fault of the source', (_, { tx = {}, entry, delivered = '70' }: HostileAmount) => {
    const payment = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '70', ...tx };
    const row = xrpRow(1_000_000, payment, entry ? [entry] : [], { delivered });
    expect(xrpTransactionShape.safeParse(row).success).toBe(false);
  });

  it('takes numbers for amounts, as it takes them as text', () => {
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: 70, Fee: 12 };
    const [asText, asNumber] = ['0.000025', 0.000025].map((value) =>
      read(xrpRow(1_000_000, tx, [], { delivered: { ...EUR, value } })),
    );
    expect(asText).toMatchObject([{ amount: '0.000025', fee: '0.000012' }]);
    expect(asNumber).toEqual(asText);
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

  it('keeps what a payment across currencies exchanged, of its sender and of others, and counts the payment once', () => {
    const delivered = { currency: 'EUR', issuer, value: '50' };
    const tx = {
      Account: alice,
      Destination: bob,
      TransactionType: 'Payment',
      DeliverMax: delivered,
      SendMax: '110000000',
    };
    const row = xrpRow(
      1_000_000,
      tx,
      [
        { before: { Balance: '500000012' }, after: { Account: alice, Balance: '400000000' } },
        { before: { Balance: '20000000' }, after: { Account: carol, Balance: '120000000' } },
        { type: 'RippleState', before: { Balance: line(carol, '80').Balance }, after: line(carol, '30') },
        { type: 'RippleState', before: { Balance: line(bob, '0').Balance }, after: line(bob, '50') },
      ],
      { delivered },
    );
    const transfers = read(row);
    const hub = `tx:${transfers[0]!.txHash}`;
    expect(transfers.map(({ kind, ...rest }) => ({ kind, ...shown(rest as Transfer) }))).toEqual([
      { kind: 'token', from: alice, to: bob, asset: 'EUR', amount: '50' },
      { kind: 'dex', from: alice, to: hub, asset: 'XRP', amount: '100' },
      { kind: 'dex', from: hub, to: alice, asset: 'EUR', amount: '50' },
      { kind: 'dex', from: hub, to: carol, asset: 'XRP', amount: '100' },
      { kind: 'dex', from: carol, to: hub, asset: 'EUR', amount: '50' },
    ]);
    expect(new Set(transfers.map(({ id }) => id)).size).toBe(5);
    expect(spentOtherwise(xrpTransactionShape.parse(row), transfers)).toMatchObject([{ symbol: 'XRP', value: '100' }]);
  });

  it.each([
    [{ DestinationTag: 4_294_967_295, SourceTag: 0 }, 4_294_967_295, 0],
    [{ DestinationTag: 4_294_967_296, SourceTag: -1 }, null, null],
    [{ DestinationTag: '7', SourceTag: 1.5 }, 7, null],
    [{}, null, null],
  ])('keeps the tags of a payment, and none beyond 32 bits: %j', (tags, destinationTag, sourceTag) => {
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '70', ...tags };
    expect(read(xrpRow(1_000_000, tx, [], { delivered: '70' }))).toMatchObject([{ destinationTag, sourceTag }]);
  });

  it('takes the tag of what an escrow pays out from the escrow', () => {
    const escrow = { Account: alice, Destination: bob, Amount: '3000000', DestinationTag: 12, SourceTag: 5 };
    const row = xrpRow(1_000_001, { Account: carol, TransactionType: 'EscrowFinish', SourceTag: 9 }, [
      { kind: 'DeletedNode', type: 'Escrow', before: {}, after: escrow },
      { before: { Balance: '500' }, after: { Account: bob, Balance: '3000500' } },
      { before: { Balance: '99' }, after: { Account: carol, Balance: '87' } },
    ]);
    expect(read(row)).toMatchObject([{ from: alice, to: bob, destinationTag: 12, sourceTag: 5 }]);
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

  it.each([
    ['a delegate', { Delegate: carol }, { before: { Balance: '100' }, after: { Account: carol, Balance: '88' } }],
    [
      'a sponsor',
      { Sponsor: carol, SponsorFlags: 1 },
      { before: { Balance: '100' }, after: { Account: carol, Balance: '88' } },
    ],
    [
      'what a sponsor set aside',
      { Sponsor: carol, SponsorFlags: 3 },
      { type: 'Sponsorship', before: { FeeAmount: '100' }, after: { Owner: carol, Sponsee: alice, FeeAmount: '88' } },
    ],
  ])('moves nothing by a fee that is paid by %s', (_who, payer, entry) => {
    const payment = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '3000000' };
    const paid = [
      entry,
      { before: { Balance: '10000000' }, after: { Account: alice, Balance: '7000000' } },
      { before: { Balance: '1' }, after: { Account: bob, Balance: '3000001' } },
    ];
    const transfers = read(xrpRow(1_000_000, { ...payment, ...payer }, paid, { delivered: '3000000' }));
    expect(transfers.map(shown)).toEqual([{ from: alice, to: bob, asset: 'XRP', amount: '3' }]);
    expect(transfers[0]).toMatchObject({ feePayer: carol, fee: '0.000012' });
    expect(read(xrpRow(1_000_001, { Account: alice, TransactionType: 'TrustSet', ...payer }, [entry]))).toEqual([]);
  });

  it('moves nothing where a sponsor keeps coin ready for fees of another, and a sponsor of the reserve pays no fee', () => {
    const kept = { Owner: carol, Sponsee: alice, FeeAmount: '100' };
    const set = xrpRow(1_000_000, { Account: carol, TransactionType: 'SponsorshipSet' }, [
      { kind: 'CreatedNode', type: 'Sponsorship', after: kept },
      { before: { Balance: '500' }, after: { Account: carol, Balance: '388' } },
    ]);
    const own = xrpRow(1_000_001, { Account: alice, TransactionType: 'TrustSet', Sponsor: carol, SponsorFlags: 2 }, [
      { before: { Balance: '500' }, after: { Account: alice, Balance: '488' } },
    ]);
    expect([read(set), read(own)]).toEqual([[], []]);
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

  const MPT = `00000007${Buffer.from(base58CheckXrp.decode(issuer)).subarray(1).toString('hex').toUpperCase()}`;
  const holding = (account: string, MPTAmount: string) => ({
    Account: account,
    MPTokenIssuanceID: MPT,
    MPTAmount,
  });

  it.each([
    [
      'a currency',
      { ...EUR, value: '50' },
      [
        { type: 'RippleState', before: { Balance: line(alice, '80').Balance }, after: line(alice, '29.9') },
        { type: 'RippleState', before: { Balance: line(bob, '0').Balance }, after: line(bob, '50') },
      ],
      '0.1',
    ],
    [
      'a multi-purpose token',
      { mpt_issuance_id: MPT, value: '5000' },
      [
        { type: 'MPToken', before: { MPTAmount: '9000' }, after: holding(alice, '3925') },
        { type: 'MPToken', before: {}, after: holding(bob, '5000') },
      ],
      '75',
    ],
  ])('gives the issuer of %s the fee that it keeps of a payment', (_, amount, entries, fee) => {
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: amount };
    const moved = read(xrpRow(1_000_000, tx, entries, { delivered: amount })).map(shown);
    expect(moved.map(({ asset, ...one }) => one)).toEqual([
      { from: alice, to: bob, amount: amount.value },
      { from: alice, to: issuer, amount: fee },
    ]);
  });

  it('keeps no fee for the issuer of a payment that vanishes in the digits of a large balance', () => {
    const amount = { ...EUR, value: '0.001' };
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: amount };
    const entries = [
      { type: 'RippleState', before: { Balance: line(alice, '80').Balance }, after: line(alice, '79.999') },
      { type: 'RippleState', before: {}, after: line(bob, '7000000000000000') },
    ];
    expect(read(xrpRow(1_000_000, tx, entries, { delivered: amount })).map(shown)).toEqual([
      { from: alice, to: bob, asset: 'EUR', amount: '0.001' },
    ]);
  });

  it('credits of a multi-purpose token what arrived, where the server forgets the fee of its issuer', () => {
    const amount = { mpt_issuance_id: MPT, value: '5000' };
    const tx = { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: amount, Flags: 0x20000 };
    const entries = [
      { type: 'MPToken', before: { MPTAmount: '9000' }, after: holding(alice, '4000') },
      { type: 'MPToken', before: { MPTAmount: '10' }, after: holding(bob, '4935') },
    ];
    expect(read(xrpRow(1_000_000, tx, entries, { delivered: amount })).map(({ to, amount }) => [to, amount])).toEqual([
      [bob, '4925'],
      [issuer, '75'],
    ]);
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

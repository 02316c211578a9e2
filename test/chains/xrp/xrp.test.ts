import { afterEach, describe, expect, it } from 'vitest';
import { Wallet } from 'xrpl';
import type { ChainSource } from '../../../src/chains/port.ts';
import { openXrp } from '../../../src/chains/xrp/xrp.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { atOf, rippled, type XrpRow, xrpAccount, xrpHash, xrpRow } from './ledger.ts';

const [alice, bob, carol, issuer] = ['alice', 'bob', 'carol', 'issuer'].map(xrpAccount) as [
  string,
  string,
  string,
  string,
];
const shown = ({ from, to, asset, amount }: Transfer) => ({ from, to, asset, amount });
const line = (holder: string, value: string) => ({
  Balance: { currency: 'EUR', issuer: 'rrrrrrrrrrrrrrrrrrrrBZbvji', value },
  LowLimit: { currency: 'EUR', issuer: holder, value: '0' },
  HighLimit: { currency: 'EUR', issuer, value: '0' },
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

  it('reads the key of an account from the earliest transaction that it signed itself, and keys of others apart', async () => {
    const wallet = Wallet.fromEntropy(Uint8Array.from(Buffer.alloc(16, 5)));
    const of = (ledger: number, signed: string | undefined, from = wallet.classicAddress) =>
      pay(ledger, { Account: from, ...(signed !== undefined && { SigningPubKey: signed }) });
    const history = async (rows: XrpRow[]) => {
      const source = await open(
        rippled({ rows, accounts: { ...accounts, [wallet.classicAddress]: { Balance: '77000001' } } }),
      );
      return source.history(wallet.classicAddress);
    };
    const own = [of(90_000_002, wallet.publicKey), of(90_000_001, wallet.publicKey), of(90_000_003, '')];
    const { revealed } = await history(own);
    expect(revealed).toEqual({
      publicKey: wallet.publicKey.toLowerCase(),
      txHash: expect.any(String),
      at: atOf(90_000_001),
    });
    const regular = Wallet.fromEntropy(Uint8Array.from(Buffer.alloc(16, 6))).publicKey;
    expect((await history([of(90_000_001, regular)])).revealed).toBeUndefined();
    const paid = pay(90_000_001, { Account: alice, Destination: wallet.classicAddress, SigningPubKey: regular });
    const others = await history([paid]);
    expect([others.revealed, others.shown?.get(alice)?.publicKey]).toEqual([undefined, regular.toLowerCase()]);
  });

  it.each([false, true])(
    'reads rows of which a server says once that they are validated, version 1: %s',
    async (v1) => {
      const source = await open(rippled({ rows: [pay(90_000_000)], accounts, v1, saysOnce: true }));
      expect((await source.history(bob)).transfers.map(shown)).toEqual([
        { from: alice, to: bob, asset: 'XRP', amount: '5' },
      ]);
    },
  );

  it('says when the server does not hold the whole past of an account', async () => {
    const source = await open(rippled({ rows: [pay(90_000_000)], accounts, firstLedger: 80_000_000 }));
    expect((await source.history(alice)).coverage).toEqual({
      complete: false,
      sources: ['rippled'],
      reasons: ['truncated_server_history'],
    });
  });

  it('says so too where the server states no beginning and the first transaction found a balance', async () => {
    const first = xrpRow(
      90_000_000,
      { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: '5000000' },
      [{ kind: 'ModifiedNode', before: { Balance: '82000011' }, after: { Account: alice, Balance: '77000001' } }],
      { delivered: '5000000' },
    );
    const source = await open(rippled({ rows: [first], accounts, saysNoFirst: true }));
    expect((await source.history(alice)).coverage.reasons).toContain('truncated_server_history');
  });

  it('calls a partial past complete when the creation of the account lies in it', async () => {
    const funding = xrpRow(
      80_000_001,
      { Account: bob, Destination: alice, TransactionType: 'Payment', DeliverMax: '20000000' },
      [{ kind: 'CreatedNode', after: { Account: alice, Balance: '20000000' } }],
      { delivered: '20000000' },
    );
    const held = { [alice]: { Balance: '20000000' } };
    const source = await open(rippled({ rows: [funding], accounts: held, firstLedger: 80_000_000 }));
    expect((await source.history(alice)).coverage).toMatchObject({ complete: true, reasons: [] });
  });

  it('explains a balance by what it held in the first ledger, its escrows and the fees of what moved nothing', async () => {
    const rows = [
      xrpRow(40_000, { Account: alice, TransactionType: 'EscrowCreate', Destination: bob, Amount: '30000000' }, [
        { before: { Balance: '90000000' }, after: { Account: alice, Balance: '59999988' } },
        { kind: 'CreatedNode', type: 'Escrow', after: { Account: alice, Destination: bob, Amount: '30000000' } },
      ]),
      xrpRow(40_001, { Account: alice, TransactionType: 'OfferCancel', Fee: '500000' }, [
        { before: { Balance: '59999988' }, after: { Account: alice, Balance: '59499988' } },
      ]),
    ];
    const read = async (Balance: string) =>
      (await open(rippled({ rows, accounts: { [alice]: { Balance } } }))).history(alice);
    const whole = await read('59499988');
    expect(whole.transfers).toMatchObject([
      { from: 'coinbase', to: alice, amount: '90', txHash: 'block:32570', at: Date.UTC(2013, 0, 1, 3, 21, 10) },
    ]);
    expect(whole.coverage).toMatchObject({ complete: true, reasons: [] });
    expect((await read('61499988')).coverage).toMatchObject({
      complete: false,
      reasons: ['balance_unexplained'],
      unexplained: [{ asset: 'XRP', token: null, amount: '2' }],
    });
  });

  it('explains a balance by what the sender of a payment across currencies gave up, and not by what arrived', async () => {
    const funding = xrpRow(
      100_000,
      { Account: bob, Destination: alice, TransactionType: 'Payment', DeliverMax: '90000000' },
      [{ kind: 'CreatedNode', after: { Account: alice, Balance: '90000000' } }],
      { delivered: '90000000' },
    );
    const delivered = { currency: 'EUR', issuer, value: '4' };
    const across = xrpRow(
      100_001,
      { Account: alice, Destination: bob, TransactionType: 'Payment', DeliverMax: delivered, SendMax: '9000000' },
      [
        { before: { Balance: '90000000' }, after: { Account: alice, Balance: '81499988' } },
        { before: { Balance: '1000000' }, after: { Account: carol, Balance: '9500000' } },
        { type: 'RippleState', before: { Balance: line(carol, '9').Balance }, after: line(carol, '5') },
        { type: 'RippleState', before: { Balance: line(bob, '0').Balance }, after: line(bob, '4') },
      ],
      { delivered },
    );
    const held = { [alice]: { Balance: '81499988' } };
    const source = await open(rippled({ rows: [funding, across], accounts: held }));
    expect((await source.history(alice)).coverage).toMatchObject({ complete: true, reasons: [] });
  });

  it('gives balance and kind of an account', async () => {
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

  it('reads a payment across currencies: what the sender gave up, and the exchange in the history of its maker', async () => {
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
    const source = await open(rippled({ rows: [row], accounts, firstLedger: 99_000 }));
    const found = await source.transaction(row.hash);
    expect(found?.transfers.slice(0, 1).map(shown)).toEqual([{ from: alice, to: bob, asset: 'XRP', amount: '5' }]);
    const hub = `tx:${row.hash}`;
    const given = [
      { from: alice, to: hub, asset: 'EUR', amount: '7.5' },
      { from: hub, to: alice, asset: 'XRP', amount: '5' },
    ];
    const exchanged = [
      { from: carol, to: hub, asset: 'XRP', amount: '5' },
      { from: hub, to: carol, asset: 'EUR', amount: '7.5' },
    ];
    expect(found?.transfers.slice(1).map(shown)).toEqual([...given, ...exchanged]);
    expect((await source.history(carol)).transfers.map(shown)).toEqual(exchanged);
    const own = await source.history(alice);
    expect(own.transfers.map(shown)).toEqual([{ from: alice, to: bob, asset: 'XRP', amount: '5' }, ...given]);
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
    expect(found).toMatchObject({ symbol: 'EUR', reasons: [] });
    expect(found.transfers.map(({ block }) => block)).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((n) => 100_000 + n),
    );
  });

  it('speaks version 1 with a server that knows no other', async () => {
    const ledger = rippled({ rows: [pay(100_000)], accounts, v1: true });
    const source = await open((request) => {
      const [params] = (request.body as { params: { api_version?: number }[] }).params;
      const refused = { status: 'error', error: 'invalid_API_version' };
      return params?.api_version === 2 ? { json: { result: refused } } : ledger(request);
    });
    expect((await source.history(alice)).transfers.map(shown)).toEqual([
      { from: alice, to: bob, asset: 'XRP', amount: '5' },
    ]);
  });

  it('calls a token query truncated when the server does not hold the time asked for', async () => {
    const ledger = rippled({ rows: [pay(90_000_000)], accounts, firstLedger: 80_000_000 });
    const source = await open((request) => {
      const { method, params } = request.body as { method: string; params: { ledger_index_max?: number }[] };
      const early = method === 'account_tx' && (params[0]?.ledger_index_max ?? -1) >= 0;
      return early ? { json: { result: { status: 'error', error: 'lgrIdxsInvalid' } } } : ledger(request);
    });
    const query = { token: 'native', address: alice, from: atOf(100), to: atOf(200), limit: 5 };
    expect(await source.tokenTransfers(query)).toEqual({
      symbol: 'XRP',
      transfers: [],
      reasons: ['truncated_server_history'],
    });
  });

  it('says since when the issuer of a known token keeps a trust line frozen, by its own flag alone', async () => {
    const ripple = 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De';
    const currency = '524C555344000000000000000000000000000000';
    const [low, high] = [0x0040_0000, 0x0080_0000];
    const flagged = (ledger: number, Flags: number, deleted = false) =>
      xrpRow(ledger, { Account: ripple, TransactionType: 'TrustSet' }, [
        {
          kind: deleted ? 'DeletedNode' : 'ModifiedNode',
          type: 'RippleState',
          before: { Flags: 65_536 },
          after: {
            Flags,
            Balance: { currency, issuer: 'rrrrrrrrrrrrrrrrrrrrBZbvji', value: '40' },
            LowLimit: { currency, issuer: alice, value: '900' },
            HighLimit: { currency, issuer: ripple, value: '0' },
          },
        },
      ]);
    const frozen = async (...rows: XrpRow[]) => (await (await open(rippled({ rows, accounts }))).history(alice)).frozen;
    const token = `RLUSD.${ripple}`;
    expect(await frozen(flagged(100_001, high), flagged(100_002, high | 65_536))).toEqual([
      { token, since: atOf(100_001) },
    ]);
    expect(await frozen(flagged(100_001, 0x0400_0000))).toEqual([{ token, since: atOf(100_001) }]);
    expect(await frozen(flagged(100_001, high), flagged(100_002, 65_536), flagged(100_003, high))).toEqual([
      { token, since: atOf(100_003) },
    ]);
    expect(await frozen(flagged(100_001, low))).toEqual([]);
    expect(await frozen(flagged(100_001, high), flagged(100_002, high, true))).toEqual([]);
  });

  it('says what an account held where its reading begins, of each asset that moved since', async () => {
    const funding = xrpRow(
      100_000,
      { Account: bob, Destination: alice, TransactionType: 'Payment', DeliverMax: '20000000' },
      [{ kind: 'CreatedNode', after: { Account: alice, Balance: '20000000' } }],
      { delivered: '20000000' },
    );
    const spent = (ledger: number, before: string, after: string, lines: Parameters<typeof xrpRow>[2] = []) =>
      xrpRow(ledger, { Account: alice, TransactionType: 'Payment', Destination: bob, DeliverMax: '1' }, [
        { before: { Balance: before }, after: { Account: alice, Balance: after } },
        ...lines,
      ]);
    const rows = [
      funding,
      spent(100_001, '20000000', '15000000'),
      spent(100_002, '15000000', '14000000', [
        { type: 'RippleState', before: { Balance: line(alice, '9').Balance }, after: line(alice, '7.5') },
        { type: 'RippleState', before: { Balance: line(carol, '0').Balance }, after: line(carol, '1.5') },
      ]),
      spent(100_003, '14000000', '13000000', [
        { type: 'RippleState', before: { Balance: line(alice, '7.5').Balance }, after: line(alice, '7') },
      ]),
    ];
    const source = await open(rippled({ rows, accounts }));
    const around = { direction: 'forward', txHash: '', pages: 3 } as const;
    const at = atOf(100_001);
    expect((await source.historyAround(alice, { ...around, block: 100_001, at })).balances).toEqual([
      { token: null, at, amount: '20' },
      { token: `EUR.${issuer}`, at, amount: '9' },
    ]);
    const later = atOf(100_003);
    expect((await source.historyAround(alice, { ...around, block: 100_003, at: later })).balances).toEqual([
      { token: null, at: later, amount: '14' },
      { token: `EUR.${issuer}`, at: later, amount: '7.5' },
    ]);
    expect((await source.history(alice)).balances).toEqual([]);
  });
});

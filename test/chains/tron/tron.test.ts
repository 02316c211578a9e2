import { describe, expect, it } from 'vitest';
import { tronHex } from '../../../src/chains/tron/address.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { SourceError } from '../../../src/errors.ts';
import { alice, B, bob, call, carol, open, shown, token, USDT } from './cast.ts';
import { atOf, type Grid, send, tronGrid, tronHash, tronTx } from './grid.ts';

describe('the history of a TRON address', () => {
  it('reads TRX, TRC-10, TRX sent along with a call, and what contracts sent', async () => {
    const { source } = await open({
      txs: [
        tronTx(B, 'TransferContract', send(alice, bob, 1_500_000)),
        tronTx(B + 1, 'TransferAssetContract', { ...send(bob, alice, 12_345), asset_name: '1002000' }),
        tronTx(B + 2, 'TriggerSmartContract', call(carol, { call_value: 7 })),
        tronTx(B + 3, 'FreezeBalanceV2Contract', { owner_address: tronHex(alice), frozen_balance: 5 }),
      ],
      internal: [
        { block: B + 2, id: 'paid', from: carol, to: alice, value: { _: 40 } },
        { block: B + 2, id: 'rejected', from: carol, to: alice, value: { _: 99 }, rejected: true },
      ],
      assets: { 1002000: { id: '1002000', abbr: 'BTTOLD', name: 'BitTorrent', precision: 6 } },
      accounts: { [alice]: { address: tronHex(alice), balance: 2_000_001 } },
    });
    const history = await source.history(alice);
    expect(history.transfers.map(shown)).toEqual([
      { from: alice, to: carol, asset: 'TRX', amount: '0.000007' },
      { from: bob, to: alice, asset: 'BTTOLD', amount: '0.012345' },
      { from: alice, to: bob, asset: 'TRX', amount: '1.5' },
      { from: carol, to: alice, asset: 'TRX', amount: '0.00004' },
    ]);
    expect(history.transfers[3]).toMatchObject({
      kind: 'internal',
      block: B + 2,
      txSender: alice,
      method: '0xa9059cbb',
      fee: '1.1',
    });
    expect(history).toMatchObject({ found: true, balance: '2.000001', addressType: 'wallet', transactionCount: 4 });
  });

  it.each([
    [200, true],
    [201, false],
  ])('calls a list of %i rows whole where its only page names no next one: %s', async (count, complete) => {
    // The last two share a block, which a page may cut.
    const txs = Array.from({ length: count }, (_, n) =>
      tronTx(B + Math.max(n, 1), 'TransferContract', send(bob, alice, 3), { name: `row ${n}` }),
    );
    const accounts = { [alice]: { address: tronHex(alice), balance: 3 * count } };
    const { source } = await open({ txs, accounts, forgets: true });
    const { coverage, transfers } = await source.history(alice);
    expect([coverage.complete, transfers.length]).toEqual([complete, 200]);
    expect(coverage.reasons).toEqual(complete ? [] : ['page_limit']);
  });

  it.each([
    ['are all of one moment', (_: number) => 1, {}],
    ['cannot be counted on', (n: number) => n, { failsUpTo: true }],
  ])('calls a full page that names no next one cut where its rows %s', async (_, blockOf, more) => {
    const txs = Array.from({ length: 200 }, (_, n) =>
      tronTx(B + blockOf(n), 'TransferContract', send(bob, alice, 3), { name: `row ${n}` }),
    );
    const accounts = { [alice]: { address: tronHex(alice), balance: 600 } };
    const { source } = await open({ txs, accounts, forgets: true, ...more });
    const { coverage, transfers } = await source.history(alice);
    expect([coverage.complete, coverage.reasons, transfers.length]).toEqual([false, ['page_limit'], 200]);
  });

  it('takes what a contract stakes or lends as energy for no payment, and its rewards for money without a payer', async () => {
    const inner = [
      ['delegateResourceOfEnergy', 900_000_000],
      ['unDelegateResourceOfEnergy', 900_000_000],
      ['freezeForBandwidth', 70_000_000],
      ['unfreezeForBandwidth', 70_000_000],
      ['freezeBalanceV2ForEnergy', 60_000_000],
      ['withdrawExpireUnfreezeWhileSuiciding', 30_000_000],
      ['suicide', 31_000_000],
      ['create', 2_000_000],
      ['withdrawReward', 5_000_000],
    ] as const;
    const internal = inner.map(([note, sun]) => ({
      block: B,
      id: note,
      from: carol,
      to: alice,
      value: { _: sun },
      note,
    }));
    const tx = tronTx(B, 'TriggerSmartContract', call(carol));
    const seen = {
      id: tx.txID,
      fee: 0,
      blockNumber: B,
      blockTimeStamp: atOf(B),
      internal_transactions: internal.map(({ id, note, value }) => ({
        hash: tronHash(id),
        caller_address: tronHex(carol),
        transferTo_address: tronHex(alice),
        callValueInfo: [{ callValue: value._ }],
        note: Buffer.from(note).toString('hex'),
      })),
    };
    const { source } = await open({ txs: [tx], internal, infos: { [tx.txID]: seen } });
    const paid = [
      { from: carol, to: alice, asset: 'TRX', amount: '31' },
      { from: carol, to: alice, asset: 'TRX', amount: '2' },
    ];
    const reward = { from: 'coinbase', to: carol, asset: 'TRX', amount: '5' };
    const moved = (transfers: readonly Transfer[]) => transfers.filter(({ amountRaw }) => amountRaw !== '0').map(shown);
    expect(moved((await source.transaction(tx.txID))!.transfers)).toEqual([...paid, reward]);
    const same = expect.arrayContaining(paid);
    expect(moved((await source.history(alice)).transfers)).toEqual(same);
    expect((await source.history(alice)).transfers).toHaveLength(3);
    expect(moved((await source.history(carol)).transfers)).toContainEqual(reward);
  });

  // Before ids, assets had names that no other had; a full node writes them in hex, lists as text.
  it.each([
    ['4142', 'AB'],
    ['426974636f696e', 'Bitcoin'],
    ['ff00', 'ff00'],
    ['TRONONE', 'TRONONE'],
  ])('reads the name %s of an asset as %s from a full node alone', async (asset_name, name) => {
    const tx = tronTx(B, 'TransferAssetContract', { ...send(bob, alice, 13), asset_name });
    const { source } = await open({ txs: [tx] });
    const [seen] = (await source.transaction(tx.txID))!.transfers;
    const [listed] = (await source.history(alice)).transfers;
    expect([seen?.asset, seen?.token, listed?.asset, listed?.token]).toEqual([name, name, asset_name, asset_name]);
  });

  it('reads TRC-10 assets of 2018, which were known by their names', async () => {
    const names = ['Bitcoin', 'TRONONE', '4142', 'ff00', '1002000', '31303032303030'];
    const txs = names.map((asset_name, n) =>
      tronTx(B + n, 'TransferAssetContract', { ...send(bob, alice, 13), asset_name }),
    );
    const assets = { 1002000: { id: '1002000', abbr: 'BTTOLD', name: 'BitTorrent', precision: 6 } };
    const { source } = await open({ txs, assets });
    const { transfers } = await source.history(alice);
    expect(transfers.map(({ asset, amount }) => `${amount} ${asset}`).sort()).toEqual([
      '0.000013 BTTOLD',
      '0.000013 BTTOLD',
      '13 4142',
      '13 Bitcoin',
      '13 TRONONE',
      '13 ff00',
    ]);
  });

  it('keeps equal TRC-20 transfers of one transaction apart and drops approvals', async () => {
    const same = { block: B, name: 'twice', token, symbol: 'TOK', decimals: 2, from: bob, to: alice, value: '250' };
    const { source } = await open({ txs: [], trc20: [same, same, { ...same, type: 'Approval' }] });
    const { transfers, found } = await source.history(alice);
    expect(found).toBe(true);
    expect(transfers.map(shown)).toEqual(Array(2).fill({ from: bob, to: alice, asset: 'TOK', amount: '2.5' }));
    expect(new Set(transfers.map(({ id }) => id)).size).toBe(2);
  });

  it('names a counterfeit by its contract and trusts its decimals only for itself', async () => {
    const fake = { block: B, token, symbol: 'USDT', decimals: 0, from: bob, to: alice, value: '1000000' };
    const real = { ...fake, block: B + 1, token: USDT, decimals: 18 };
    const { source } = await open({ txs: [], trc20: [fake, real] });
    const { transfers } = await source.history(alice);
    expect(transfers.map(({ asset, amount }) => ({ asset, amount }))).toEqual([
      { asset: 'USDT', amount: '1' },
      { asset: `USDT:${token}`, amount: '1000000' },
    ]);
  });

  it('says when the server lists no internal transactions', async () => {
    const grid = tronGrid({ txs: [tronTx(B, 'TransferContract', send(alice, bob, 1))] });
    const { source } = await open((request) =>
      request.url.pathname.endsWith('/internal-transactions') ? { status: 404, json: {} } : grid(request),
    );
    expect((await source.history(alice)).coverage).toEqual({
      complete: false,
      sources: ['trongrid'],
      reasons: ['internal_not_listed'],
    });
  });

  it('distinguishes contracts and shared accounts from wallets', async () => {
    const { source } = await open({
      txs: [],
      accounts: {
        [token]: { address: tronHex(token), type: 'Contract' },
        [bob]: { address: tronHex(bob), owner_permission: { threshold: 2, keys: [{}, {}] } },
      },
    });
    expect(await source.history(token)).toMatchObject({ addressType: 'contract', balance: '0', found: true });
    expect(await source.history(bob)).toMatchObject({ addressType: 'multisig' });
  });

  it('takes an error inside HTTP 200 as an error', async () => {
    const { source } = await open(() => ({ json: { Error: 'class java.lang.NullPointerException : null' } }));
    await expect(source.history(alice)).rejects.toBeInstanceOf(SourceError);
    const refused = await open(() => ({ json: { success: false, error: 'Exceeds the quota', statusCode: 403 } }));
    await expect(refused.source.tokenTransfers({ token: USDT, from: 0, to: 1, limit: 1 })).rejects.toBeInstanceOf(
      SourceError,
    );
  });

  it('waits out a suspension, which TronGrid reports as 403, and gives up in the end', async () => {
    const grid = tronGrid({ txs: [tronTx(B, 'TransferContract', send(alice, bob, 1_500_000))] });
    const suspended = { status: 403, json: { success: false, error: 'request rate exceeded', statusCode: 403 } };
    let asked = 0;
    const brief = await open((request) => (++asked <= 2 ? suspended : grid(request)));
    expect((await brief.source.history(alice)).transfers).toHaveLength(1);
    const lasting = await open(() => suspended);
    await expect(lasting.source.history(alice)).rejects.toBeInstanceOf(SourceError);
    expect(lasting.server.requests.length).toBeGreaterThan(2);
  });

  it('sends its key with every request', async () => {
    const { source, server } = await open({ txs: [] }, 'the-key');
    await source.history(alice);
    expect(server.requests.length).toBeGreaterThan(3);
    for (const { headers } of server.requests) expect(headers['tron-pro-api-key']).toBe('the-key');
  });
});

describe('the balance that a TRON account states', () => {
  const hex = (value: bigint) => value.toString(16).padStart(64, '0');
  const funded = tronTx(B, 'TransferContract', send(bob, alice, 1_000_000_000));
  const covered = async (grid: Partial<Grid>, account: Record<string, unknown>) => {
    const accounts = { [alice]: { address: tronHex(alice), ...account } };
    const { source } = await open({ txs: [funded], accounts, ...grid });
    return source.history(alice);
  };

  it('counts TRX that is frozen in either form, delegated, or on its way back, and fees of votes', async () => {
    const owner = { owner_address: tronHex(alice) };
    const txs = [
      funded,
      tronTx(B + 1, 'FreezeBalanceV2Contract', { ...owner, frozen_balance: 500_000_000 }),
      tronTx(B + 2, 'VoteWitnessContract', owner, { fee: 20_000_000 }),
    ];
    const account = {
      balance: 8_900_000,
      frozen: [{ frozen_balance: 10_000_000 }],
      frozenV2: [{ amount: 200_000_000 }, { type: 'ENERGY', amount: 300_000_000 }, { type: 'TRON_POWER' }],
      unfrozenV2: [{ unfreeze_amount: 60_000_000 }],
      delegated_frozenV2_balance_for_bandwidth: 100_000_000,
      account_resource: {
        frozen_balance_for_energy: { frozen_balance: 100_000_000 },
        delegated_frozenV2_balance_for_energy: 200_000_000,
      },
    };
    expect((await covered({ txs }, account)).coverage).toMatchObject({ complete: true, reasons: [] });
    const { coverage } = await covered({ txs }, { ...account, balance: 58_900_000 });
    expect(coverage).toMatchObject({
      complete: false,
      reasons: ['balance_unexplained'],
      unexplained: [{ asset: 'TRX', token: null, amount: '50' }],
    });
  });

  it('is explained by what the first block gave, which came without a payer', async () => {
    const history = await covered({ genesis: { [alice]: 7_000_000_000 } }, { balance: 8_000_000_000 });
    expect(history.coverage).toMatchObject({ complete: true, reasons: [] });
    expect(history.transfers.map(shown)).toContainEqual({ from: 'coinbase', to: alice, asset: 'TRX', amount: '7000' });
  });

  it('is not explained by what a failed transaction would have moved, rejected by name or not', async () => {
    const failed = tronTx(B + 1, 'TriggerSmartContract', call(carol), { result: 'OUT_OF_ENERGY' });
    const internal = [{ block: B + 1, id: 'refund', from: carol, to: alice, value: { _: 400_000_000 } }];
    const history = await covered({ txs: [funded, failed], internal }, { balance: 998_900_000 });
    expect(history.coverage.complete).toBe(true);
    expect(history.transfers.filter(({ kind }) => kind === 'internal')).toEqual([]);
  });

  it.each(['itself', 'with all'])(
    'is not explained by an inner move whose transaction rejected it, %s',
    async (which) => {
      const inner = { block: B + 1, name: 'foreign', from: carol, to: alice };
      const internal = [
        { ...inner, id: 'refund', value: { _: 400_000_000, 1002000: 7 } as Record<string, number> },
        { ...inner, id: 'gift', value: { _: 100_000_000 } as Record<string, number> },
      ];
      const one = { hash: tronHash('refund'), caller_address: tronHex(carol), transferTo_address: tronHex(alice) };
      const result = which === 'itself' ? {} : { result: 'FAILED' };
      const info = { id: tronHash('foreign'), blockNumber: B + 1, blockTimeStamp: atOf(B + 1), ...result };
      const infos = { [info.id]: { ...info, internal_transactions: [{ ...one, rejected: true }] } };
      const balance = which === 'itself' ? 1_100_000_000 : 1_000_000_000;
      const assets = { 1002000: { id: '1002000', abbr: 'X', name: 'X', precision: 0 } };
      const history = await covered({ internal, infos, assets }, { balance });
      expect(history.coverage).toMatchObject({ complete: true, reasons: [] });
      expect(history.transfers.filter(({ kind }) => kind === 'internal').map(({ amount }) => amount)).toEqual(
        which === 'itself' ? ['100'] : [],
      );
      expect(history.transfers.some(({ token }) => token === '1002000')).toBe(false);
    },
  );

  it('stays unexplained where the server cannot answer for an inner move, and asks of a settled transaction once', async () => {
    const internal = ['unusable', 'settled'].map((name) => ({
      ...{ block: B + 1, name, id: name, from: carol, to: alice, value: { _: 100_000_000 } },
    }));
    const settled = { id: tronHash('settled'), blockNumber: B + 1, blockTimeStamp: atOf(B + 1) };
    const infos = { [settled.id]: settled, [tronHash('unusable')]: { id: 'nonsense' } };
    const accounts = { [alice]: { address: tronHex(alice), balance: 1_000_000 } };
    const { source, server } = await open({ txs: [funded], accounts, internal, infos });
    for (let scan = 0; scan < 2; scan++) {
      const { transfers, coverage } = await source.history(alice);
      expect(transfers).toHaveLength(3);
      expect(coverage.reasons).toEqual(['balance_unexplained']);
    }
    const asked = server.requests.filter(({ url }) => url.pathname.endsWith('gettransactioninfobyid'));
    expect(asked.map(({ body }) => (body as { value: string }).value).sort()).toEqual(
      [settled.id, tronHash('unusable'), tronHash('unusable')].sort(),
    );
  });

  it('says what a known token lacks, and finds what its issuer destroyed', async () => {
    const trc20 = [{ block: B + 1, token: USDT, symbol: 'USDT', decimals: 6, from: bob, to: alice, value: '9000000' }];
    const holding = (amount: bigint, more: Partial<Grid> = {}) =>
      covered(
        { trc20, constants: { [`${USDT} balanceOf(address)`]: hex(amount) }, ...more },
        { balance: 1_000_000_000 },
      );
    expect((await holding(9_000_000n)).coverage.complete).toBe(true);
    const lacking = await holding(4_000_000n);
    expect(lacking.coverage.unexplained).toEqual([{ asset: 'USDT', token: USDT, amount: '-5' }]);
    const destroyed = [{ block: B + 2, token: USDT, from: alice, value: '9000000' }];
    const emptied = await holding(0n, { destroyed });
    expect(emptied.coverage.complete).toBe(true);
    expect(emptied.transfers.map(shown)).toContainEqual({
      from: alice,
      to: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
      asset: 'USDT',
      amount: '9',
    });
  });

  it('says since when the issuer of a known token froze the address, by one call, and by its events where it did', async () => {
    const trc20 = [{ block: B + 1, token: USDT, symbol: 'USDT', decimals: 6, from: bob, to: alice, value: '9000000' }];
    const constants = { [`${USDT} balanceOf(address)`]: hex(9_000_000n) };
    const free = await covered({ trc20, constants: { ...constants, [`${USDT} isBlackListed(address)`]: hex(0n) } }, {});
    expect(free.frozen).toEqual([]);
    const frozen = { ...constants, [`${USDT} isBlackListed(address)`]: hex(1n) };
    const froze = [
      { block: B + 2, token: USDT, who: bob },
      { block: B + 3, token: USDT, who: alice },
    ];
    expect((await covered({ trc20, constants: frozen, froze }, {})).frozen).toEqual([
      { token: USDT, since: atOf(B + 3) },
    ]);
    expect((await covered({ trc20, constants: frozen }, {})).frozen).toEqual([{ token: USDT, since: null }]);
  });

  it('is not a number of tokens where the list shows the id of a collectible as an amount', async () => {
    const trc20 = [{ block: B + 1, token, symbol: 'ART', decimals: 0, from: bob, to: alice, value: '1000042' }];
    const interfaces = { [`${token} supportsInterface(bytes4)`]: hex(1n) };
    const { transfers } = await covered({ trc20, constants: interfaces }, { balance: 1_000_000_000 });
    expect(transfers.find((transfer) => transfer.token === token)).toMatchObject({
      kind: 'nft',
      amount: '1',
      tokenId: '1000042',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { tronHex } from '../../../src/chains/tron/address.ts';
import { alice, B, bob, call, carol, open, shown, token, USDT } from './cast.ts';
import { atOf, TRANSFER, tronGrid, tronHash, tronTx, word } from './grid.ts';

const DESTROYED = '61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6';

describe('a TRON transaction', () => {
  const usdtCall = tronTx(B, 'TriggerSmartContract', call(USDT), { name: 'usdt' });
  const log = (address: string, topics: string[], data = '') => ({ address: tronHex(address).slice(2), topics, data });
  const uint = (value: number) => value.toString(16).padStart(64, '0');
  const info = (entries: unknown[], more: Record<string, unknown> = {}) => ({
    id: usdtCall.txID,
    blockNumber: B,
    blockTimeStamp: atOf(B),
    fee: 27_000_000,
    receipt: { result: 'SUCCESS' },
    log: entries,
    ...more,
  });

  it('resolves a TRC-20 transfer to the participants of its event, not to the contract', async () => {
    const infos = { [usdtCall.txID]: info([log(USDT, [TRANSFER, word(alice), word(bob)], uint(41_677_389))]) };
    const { source } = await open({ txs: [usdtCall], infos });
    const found = await source.transaction(usdtCall.txID);
    expect(found?.transfers.map(shown)).toEqual([
      { from: alice, to: bob, asset: 'USDT', amount: '41.677389' },
      { from: alice, to: USDT, asset: 'TRX', amount: '0' },
    ]);
    expect(found).toMatchObject({
      status: 'success',
      block: B,
      at: atOf(B),
      type: 'TriggerSmartContract',
      accounts: [alice, USDT],
    });
  });

  it.each([
    ['indexed', (data: string) => [[word(alice)], data]],
    ['in the data', (data: string) => [[], `${word(alice)}${data}`]],
  ])('takes away what an issuer destroys at a frozen address, named %s', async (_, shape) => {
    const [named, data] = shape(uint(3_000_000)) as [string[], string];
    const infos = { [usdtCall.txID]: info([log(USDT, [DESTROYED, ...named], data)]) };
    const { source } = await open({ txs: [usdtCall], infos });
    expect((await source.transaction(usdtCall.txID))?.transfers.map(shown)).toContainEqual({
      from: alice,
      to: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
      asset: 'USDT',
      amount: '3',
    });
  });

  describe('that takes rewards out', () => {
    const taking = tronTx(B, 'WithdrawBalanceContract', { owner_address: tronHex(alice) }, { name: 'rewards' });
    const infos = { [taking.txID]: { ...info([]), id: taking.txID, withdraw_amount: 7_654_321 } };
    const reward = { from: 'coinbase', to: alice, amount: '7.654321', index: 'reward', txSender: alice };

    it('is money that arrived without a payer, with one id in the list and alone', async () => {
      const accounts = { [alice]: { address: tronHex(alice), balance: 6_554_321 } };
      const { source } = await open({ txs: [taking], infos, accounts });
      const { transfers, coverage } = await source.history(alice);
      expect(transfers).toMatchObject([reward]);
      expect(coverage.reasons).toEqual([]);
      expect((await source.transaction(taking.txID))?.transfers).toMatchObject([{ ...reward, id: transfers[0]!.id }]);
    });

    it('is read from the list where that states the amount', async () => {
      const { source } = await open({ txs: [{ ...taking, withdraw_amount: '7654321' } as typeof taking] });
      expect((await source.history(alice)).transfers).toMatchObject([reward]);
    });

    it('is named as missing where no source states the amount', async () => {
      const { source } = await open({ txs: [taking] });
      const { transfers, coverage } = await source.history(alice);
      expect([transfers, coverage.complete, coverage.reasons]).toEqual([[], false, ['rewards_not_listed']]);
    });
  });

  it('gives an event the same id from the transaction, the list of an address and the events of a contract', async () => {
    const infos = { [usdtCall.txID]: info([log(USDT, [TRANSFER, word(alice), word(bob)], uint(5))]) };
    const trc20 = [
      { block: B, name: 'usdt', token: USDT, decimals: 6, symbol: 'USDT', from: alice, to: bob, value: '5' },
    ];
    const { source } = await open({ txs: [usdtCall], trc20, infos });
    const query = { token: USDT, from: atOf(B), to: atOf(B), limit: 10 };
    const ids = [
      (await source.transaction(usdtCall.txID))!.transfers[0]!.id,
      (await source.history(alice)).transfers.find(({ kind }) => kind === 'token')!.id,
      (await source.tokenTransfers({ ...query, address: bob })).transfers[0]!.id,
      (await source.tokenTransfers(query)).transfers[0]!.id,
    ];
    expect(new Set(ids).size).toBe(1);
  });

  it('reads collectibles, old tokens without indexed fields, and inner transfers, and asks contracts for their names', async () => {
    const inner = {
      hash: tronHash('inner'),
      caller_address: tronHex(token),
      transferTo_address: tronHex(bob),
      callValueInfo: [{ callValue: 3 }, { callValue: 4, tokenId: '1002000' }],
    };
    const entries = [
      log(carol, [TRANSFER, word(alice), word(bob), uint(77)]),
      log(token, [TRANSFER], `${word(alice)}${word(bob)}${uint(250)}`),
    ];
    const infos = {
      [usdtCall.txID]: info(entries, {
        internal_transactions: [inner, { ...inner, hash: tronHash('no'), rejected: true }],
      }),
    };
    const symbol = `${uint(32)}${uint(3)}${Buffer.from('OLD').toString('hex').padEnd(64, '0')}`;
    const { source } = await open({
      txs: [usdtCall],
      infos,
      constants: { [`${token} symbol()`]: symbol, [`${token} decimals()`]: uint(2) },
    });
    const found = await source.transaction(usdtCall.txID);
    expect(found?.transfers).toMatchObject([
      { kind: 'nft', token: carol, tokenId: '77', amount: '1' },
      { kind: 'token', asset: 'OLD', amount: '2.5', decimals: 2 },
      { kind: 'internal', asset: 'TRX', amount: '0.000003', from: token, to: bob },
      { kind: 'token', token: '1002000', amount: '4', decimals: null },
      { kind: 'native', amount: '0' },
    ]);
  });

  it('shows a reverted call as failed, with its fee and without its events', async () => {
    const reverted = tronTx(B, 'TriggerSmartContract', call(USDT, { call_value: 9 }), { result: 'REVERT' });
    const { source } = await open({ txs: [reverted] });
    expect(await source.transaction(reverted.txID)).toMatchObject({
      status: 'failed',
      transfers: [{ failed: true, amount: '0.000009', fee: '1.1' }],
    });
  });

  it('calls a transaction pending until a block holds it', async () => {
    const grid = tronGrid({ txs: [usdtCall] });
    const { source } = await open((request) =>
      request.url.pathname.endsWith('infobyid') ? { json: {} } : grid(request),
    );
    expect(await source.transaction(usdtCall.txID)).toMatchObject({
      status: 'pending',
      block: null,
      at: null,
      transfers: [],
    });
  });
});

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import type { ChainSource } from '../../../src/chains/port.ts';
import { formatUnits } from '../../../src/domain/amount.ts';
import { EVM_CHAIN_IDS } from '../../../src/domain/chain.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { faultOf } from '../../../src/proofs/verify.ts';
import { proveTransactions } from '../../../src/questions/prove-transactions.ts';
import { serveUpstream } from '../../contract/upstream.ts';
import { type Anvil, anvilMissing, type Deployed, type MinedTransaction, startAnvil } from '../../setup/anvil.ts';

const ETHER = 10n ** 18n;
const HUGE = 5n * 10n ** 30n + 1n;
const ZERO = `0x${'0'.repeat(40)}`;
const sorted = (transfers: readonly Transfer[]) =>
  transfers
    .toSorted((a, b) => a.block! - b.block! || a.seq! - b.seq!)
    .map(({ index, kind, from, to, asset, amount, tokenId, failed }) => ({
      index,
      kind,
      from,
      to,
      asset,
      amount,
      tokenId,
      failed,
    }));

describe.skipIf(anvilMissing)(`a real EVM node (${anvilMissing ?? 'anvil'})`, () => {
  let anvil: Anvil;
  let source: ChainSource;
  let [boss, me, you, third]: string[] = [];
  let coin: Deployed;
  let old: Deployed;
  let deed: Deployed;
  let goods: Deployed;
  let splitter: Deployed;
  const made: Record<string, MinedTransaction> = {};
  const run = (from: string, on: Deployed, call: string, args: unknown[], value?: bigint) =>
    anvil.send({ from, to: on.address, data: on.abi.encodeFunctionData(call, args), value });

  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 1 });
    source = openEvm('ethereum', { rpcUrl: anvil.url }, { pageLimit: 50 });
    [boss, me, you, third] = anvil.accounts;
    coin = await anvil.deploy('Coin', ['USDT']);
    old = await anvil.deploy('OldCoin');
    deed = await anvil.deploy('Deed');
    goods = await anvil.deploy('Goods');
    splitter = await anvil.deploy('Splitter');
    made.mint = await run(boss!, coin, 'mint', [me, HUGE]);
    made.twice = await run(me!, coin, 'transferTwice', [you, 1_500_000n]);
    made.old = await run(me!, old, 'transfer', [you, 25n * 10n ** 17n]);
    made.deed = await run(boss!, deed, 'mint', [me, 2n ** 200n]);
    made.single = await run(me!, goods, 'send', [you, 7n, 3n]);
    made.batch = await run(me!, goods, 'sendBatch', [you, [8n, 9n], [10n, 0n]]);
    made.refused = await run(you!, coin, 'transfer', [me, HUGE]);
    made.payment = await anvil.send({ from: me!, to: you!, value: 3n * ETHER });
    made.empty = await anvil.send({ from: me!, to: you!, value: 0n });
    made.split = await run(me!, splitter, 'split', [you, third], 1_000n);
    made.vain = await run(me!, splitter, 'payInVain', [you], 600n);
    made.purse = await run(me!, splitter, 'purse', [you], 44n);
    made.refusedCoin = await run(me!, splitter, 'refuse', [], 5n);
  });
  afterAll(() => anvil?.stop());

  it('lists the token transfers of an address exactly, with the coin that the same transactions moved', async () => {
    const history = await source.history(me!);
    const log = (
      kind: string,
      from: string,
      to: string,
      asset: string,
      amount: string,
      tokenId: string | null = null,
    ) => ({
      kind,
      from,
      to,
      asset,
      amount,
      tokenId,
      failed: false,
    });
    const empty = (to: string) => ({ index: 'native', ...log('native', me!, to, 'ETH', '0') });
    expect(sorted(history.transfers)).toEqual([
      { index: 'log:0', ...log('token', ZERO, me!, `USDT:${coin.address}`, formatUnits(HUGE, 6)) },
      empty(coin.address),
      { index: 'log:0', ...log('token', me!, you!, `USDT:${coin.address}`, '1.5') },
      { index: 'log:1', ...log('token', me!, you!, `USDT:${coin.address}`, '1.5') },
      { index: 'log:0', ...log('nft', ZERO, me!, 'DEED', '1', (2n ** 200n).toString()) },
      empty(goods.address),
      { index: 'log:0', ...log('nft', me!, you!, 'UNKNOWN', '3', '7') },
      empty(goods.address),
      { index: 'log:0_0', ...log('nft', me!, you!, 'UNKNOWN', '10', '8') },
      { index: 'log:0_1', ...log('nft', me!, you!, 'UNKNOWN', '0', '9') },
    ]);
    expect(history).toMatchObject({ found: true, addressType: 'wallet', tags: [] });
    expect(history.coverage).toEqual({
      complete: false,
      sources: ['rpc'],
      reasons: ['native_not_listed', 'internal_not_listed'],
    });
    expect(history.transactionCount).toBe(Number(await anvil.rpc('eth_getTransactionCount', [me, 'latest'])));
  });

  it('gives each transfer its evidence', async () => {
    const twice = made.twice!;
    const history = await source.history(you!);
    expect(history.transfers.find(({ txHash, index }) => txHash === twice.hash && index === 'log:1')).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      chain: 'ethereum',
      txHash: twice.hash,
      index: 'log:1',
      source: null,
      readAt: null,
      change: null,
      seq: 1_001,
      block: twice.block,
      blockHash: twice.blockHash,
      position: twice.position,
      at:
        Number(
          ((await anvil.rpc('eth_getBlockByNumber', [`0x${twice.block.toString(16)}`, false])) as { timestamp: string })
            .timestamp,
        ) * 1_000,
      from: me,
      to: you,
      asset: `USDT:${coin.address}`,
      token: coin.address,
      amount: '1.5',
      amountRaw: '1500000',
      decimals: 6,
      usd: null,
      kind: 'token',
      assetType: null,
      joint: null,
      failed: false,
      apportioned: false,
      txSender: me,
      method: coin.abi.getFunction('transferTwice')!.selector,
      asked: false,
      fee: formatUnits(twice.fee, 18),
      feePayer: null,
      feeShare: null,
      tokenId: null,
      destinationTag: null,
      sourceTag: null,
    });
  });

  it('reads tokens from before indexed events and string symbols', async () => {
    const seen = await source.transaction(made.old!.hash);
    expect(seen?.transfers[0]).toMatchObject({ asset: 'OLD', amount: '2.5', from: me, to: you, kind: 'token' });
  });

  it('shows a payment, and an empty one as such', async () => {
    const payment = await source.transaction(made.payment!.hash);
    expect(payment).toMatchObject({ status: 'success', block: made.payment!.block, type: 'dynamic_fee', accounts: [] });
    expect(sorted(payment!.transfers)).toEqual([
      { index: 'native', kind: 'native', from: me, to: you, asset: 'ETH', amount: '3', tokenId: null, failed: false },
    ]);
    expect((await source.transaction(made.empty!.hash))?.transfers).toMatchObject([{ amount: '0', failed: false }]);
  });

  it('puts the tokens that a transaction paid before its empty coin payment', async () => {
    const seen = await source.transaction(made.twice!.hash);
    expect(seen?.transfers.map(({ index }) => index)).toEqual(['log:0', 'native', 'log:1']);
  });

  it('follows inner payments by their place in the call tree', async () => {
    const seen = await source.transaction(made.split!.hash);
    expect(sorted(seen!.transfers).map(({ index, kind, from, to, amount }) => [index, kind, from, to, amount])).toEqual(
      [
        ['native', 'native', me, splitter.address, '0.000000000000001'],
        ['trace:0', 'internal', splitter.address, you, '0.0000000000000005'],
        ['trace:1', 'internal', splitter.address, third, '0.0000000000000005'],
      ],
    );
  });

  it('knows inner payments inside an undone call for failed, though they carry no error themselves', async () => {
    const seen = await source.transaction(made.vain!.hash);
    expect(seen?.status).toBe('success');
    expect(sorted(seen!.transfers).map(({ index, to, amount, failed }) => [index, to, amount, failed])).toEqual([
      ['native', splitter.address, '0.0000000000000006', false],
      ['trace:0', splitter.address, '0.0000000000000006', true],
      ['trace:0_0', you, '0.0000000000000006', true],
    ]);
  });

  it('counts the coin that a new contract is born with and that a dying one leaves', async () => {
    const seen = await source.transaction(made.purse!.hash);
    const [, born, left] = sorted(seen!.transfers);
    expect(born).toMatchObject({
      index: 'trace:0',
      from: splitter.address,
      amount: '0.000000000000000044',
      failed: false,
    });
    expect(left).toMatchObject({
      index: 'trace:1_0',
      from: born!.to,
      to: you,
      amount: '0.000000000000000044',
      failed: false,
    });
  });

  it('shows failed transactions as failed, with nothing moved and the fee paid', async () => {
    const token = await source.transaction(made.refused!.hash);
    expect(made.refused!.status).toBe(0);
    expect(token).toMatchObject({ status: 'failed', transfers: [{ index: 'native', amount: '0', failed: true }] });
    const paid = await source.transaction(made.refusedCoin!.hash);
    expect(paid).toMatchObject({
      status: 'failed',
      transfers: [
        { index: 'native', amount: '0.000000000000000005', failed: true, fee: formatUnits(made.refusedCoin!.fee, 18) },
      ],
    });
  });

  it('finds the same inner payments through flat traces where the node has no call tracer', async () => {
    const flat = await serveUpstream(async ({ body }) => {
      const { method, params } = body as { method: string; params: unknown[] };
      if (method === 'debug_traceTransaction') {
        return { json: { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'Method not found' } } };
      }
      return { json: { jsonrpc: '2.0', id: 1, result: await anvil.rpc(method, params) } };
    });
    const other = openEvm('ethereum', { rpcUrl: flat.url }, { pageLimit: 50 });
    for (const name of ['split', 'vain', 'purse'] as const) {
      const { hash } = made[name]!;
      expect(sorted((await other.transaction(hash))!.transfers)).toEqual(
        sorted((await source.transaction(hash))!.transfers),
      );
    }
    await flat.close();
  });

  it('distinguishes contracts from wallets, also from wallets that lend themselves code', async () => {
    expect(await source.history(coin.address)).toMatchObject({ addressType: 'contract', found: true });
    const lender = `0x${'ab'.repeat(20)}`;
    await anvil.rpc('anvil_setCode', [lender, `0xef0100${coin.address.slice(2)}`]);
    await anvil.rpc('anvil_setBalance', [lender, '0x1']);
    expect(await source.history(lender)).toMatchObject({
      addressType: 'wallet',
      found: true,
      balance: '0.000000000000000001',
    });
    expect(await source.history(`0x${'cd'.repeat(20)}`)).toMatchObject({ found: false, transfers: [], balance: '0' });
  });

  it('finds the transfers of a token between two moments, newest first', async () => {
    const timeOf = async ({ block }: MinedTransaction) =>
      Number(
        ((await anvil.rpc('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])) as { timestamp: string })
          .timestamp,
      ) * 1_000;
    const query = { token: coin.address, from: await timeOf(made.mint!), to: await timeOf(made.twice!), limit: 500 };
    const all = await source.tokenTransfers(query);
    expect(all).toMatchObject({ symbol: `USDT:${coin.address}`, reasons: [] });
    expect(all.transfers.map(({ txHash, index }) => [txHash, index])).toEqual([
      [made.twice!.hash, 'log:1'],
      [made.twice!.hash, 'log:0'],
      [made.mint!.hash, 'log:0'],
    ]);
    expect((await source.tokenTransfers({ ...query, address: you })).transfers).toHaveLength(2);
    expect((await source.tokenTransfers({ ...query, from: query.from + 1 })).transfers).toHaveLength(2);
    expect((await source.tokenTransfers({ ...query, to: query.to - 1 })).transfers).toHaveLength(1);
    expect(await source.tokenTransfers({ ...query, limit: 2 })).toMatchObject({
      reasons: ['transfer_limit'],
      transfers: [{ index: 'log:1' }, { index: 'log:0' }],
    });
  });

  it('lists coin between two moments only as far as logs lead, and says so', async () => {
    const found = await source.tokenTransfers({
      token: 'native',
      address: me,
      from: 0,
      to: Date.UTC(2100, 0, 1),
      limit: 500,
    });
    expect(found).toMatchObject({ symbol: 'ETH', reasons: ['native_not_listed'] });
    expect(found.transfers.every(({ kind }) => kind === 'native')).toBe(true);
    expect(found.transfers).toHaveLength(3);
  });

  it('proves each transaction by its block, with the coin that it sends and what tokens log', async () => {
    const ctx = { chainSource: async () => source, log: pino({ level: 'silent' }) };
    const bounds = { account: 'account', budgetMs: 60_000 };
    const asked = Object.values(made).map(({ hash }) => ({ chain: 'ethereum' as const, hash }));
    const { proofs, notProvable } = await proveTransactions(ctx, asked, bounds);
    expect(notProvable).toEqual([]);
    for (const proof of proofs) expect(faultOf(JSON.parse(JSON.stringify(proof)))).toBeNull();
    const provenIn = ({ hash }: MinedTransaction) => proofs.find(({ tx_hash }) => tx_hash === hash)?.proves;
    expect(provenIn(made.payment!)).toEqual([{ from: me, to: you, amount_raw: String(3n * ETHER), token: null }]);
    expect(provenIn(made.twice!)).toHaveLength(2);
    expect(provenIn(made.refused!)).toEqual([]);
    // What the contract passes on inside the call stands in no trie.
    expect(provenIn(made.split!)).toEqual([{ from: me, to: splitter.address, amount_raw: '1000', token: null }]);
    const unknown = await proveTransactions(ctx, [{ chain: 'ethereum', hash: `0x${'1'.repeat(64)}` }], bounds);
    expect(unknown).toMatchObject({ proofs: [], notProvable: [{ reason: 'not_found' }] });
  });

  it('reads the coin of every chain by its own name', async () => {
    for (const [chain, symbol] of [
      ['bsc', 'BNB'],
      ['avalanche', 'AVAX'],
      ['kaia', 'KAIA'],
      ['polygon', 'POL'],
    ] as const) {
      await anvil.rpc('anvil_setChainId', [EVM_CHAIN_IDS[chain]]);
      const seen = await openEvm(chain, { rpcUrl: anvil.url }, { pageLimit: 5 }).transaction(made.payment!.hash);
      expect(seen?.transfers).toMatchObject([{ chain, asset: symbol, amount: '3' }]);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { tronHex } from '../../../src/chains/tron/address.ts';
import { SourceError } from '../../../src/errors.ts';
import { alice, B, bob, call, carol, open, shown, token, USDT } from './cast.ts';
import { send, tronGrid, tronTx } from './grid.ts';

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

  it('waits out a suspension, which TronGrid reports as 403, and gives up in the end', {
    timeout: 30_000,
  }, async () => {
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

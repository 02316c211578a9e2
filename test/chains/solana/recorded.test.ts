import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { WRAPPED_SOL } from '../../../src/chains/solana/address.ts';
import { type SolanaTransaction, solanaTransactionShape } from '../../../src/chains/solana/shapes.ts';
import { openSolana } from '../../../src/chains/solana/solana.ts';
import { solanaMovements, solanaTransfers } from '../../../src/chains/solana/transfers.ts';
import { serveUpstream } from '../../contract/upstream.ts';
import { noRecordings, recorded } from '../recordings.ts';

describe.skipIf(noRecordings)('replays of recorded Solana replies (need shared/data)', () => {
  const folder = 'rpc-staketax-solana/fetch_tx/';
  const names = () => readdirSync(fileURLToPath(new URL(`../../../../shared/data/${folder}`, import.meta.url)));
  const transactions = (): SolanaTransaction[] =>
    names().map((name) => solanaTransactionShape.parse(recorded(folder + name).result));

  it('explains every change of every balance in 19 recorded transactions', () => {
    const all = transactions();
    expect(all).toHaveLength(19);
    for (const transaction of all) {
      const { list, balanced } = solanaMovements(transaction);
      expect(balanced).toBe(true);
      // By instructions alone, save for accounts that other programs opened or closed and their rent.
      expect(list.filter(({ type }) => type === 'balance').length).toBeLessThanOrEqual(1);
      const sums = new Map<string, bigint>();
      const add = (owner: string, mint: string, amount: bigint) =>
        sums.set(`${owner} ${mint}`, (sums.get(`${owner} ${mint}`) ?? 0n) + amount);
      const { meta, transaction: message } = transaction;
      for (const { accountIndex, mint: token, owner, uiTokenAmount } of meta.postTokenBalances ?? []) {
        if (token !== WRAPPED_SOL)
          add(owner ?? message.message.accountKeys[accountIndex]!.pubkey, token, uiTokenAmount.amount);
      }
      for (const { accountIndex, mint: token, owner, uiTokenAmount } of meta.preTokenBalances ?? []) {
        if (token !== WRAPPED_SOL)
          add(owner ?? message.message.accountKeys[accountIndex]!.pubkey, token, -uiTokenAmount.amount);
      }
      for (const { mint: token, from, to, amount } of list) {
        if (token === null || token === WRAPPED_SOL) continue;
        add(from, token, amount);
        add(to, token, -amount);
      }
      for (const [holder, rest] of sums) {
        const [owner, token] = holder.split(' ');
        if (owner !== token) expect(rest, holder).toBe(0n);
      }
    }
  });

  it('reads recorded transfers of SOL and USDC as their instructions say', async () => {
    const of = (name: string) => {
      const transaction = solanaTransactionShape.parse(recorded(`rpc-solana-explorer/${name}.json`).result);
      return solanaTransfers(transaction, transaction.blockTime! * 1_000).transfers;
    };
    expect(
      of(
        'mainnet-single-usdc-4LXpF3MCdp69iFmD27Sn812UNpqFPHM4qXH7Y12E964p9GHXvwMe1XEmyasogVT2N4XEctdQQLf1sHY6Gvsa5sFX',
      ),
    ).toMatchObject([
      {
        from: '3V9bd3EN5aNuhE4RiHGbZ1eZakJ1F9cDb8V4YLjCG8cg',
        to: 'B2v68t8MXb9zUms1VQKuCcvjrjKDK6fLd8ZngqmBGy1M',
        asset: 'USDC',
        amount: '3.8',
        block: 419_685_246,
        at: 1_778_761_079_000,
        fee: '0.00004837',
      },
    ]);
    expect(
      of('mainnet-multi-sol-2msqMqeUTTZhgite3PvWSLJhZJ3m4v4UMbDAcXymTPpXwKM5PcKfZFfxn4izZ2UTZmngYJeWSf1ztdD6kdeDkdbr'),
    ).toHaveLength(2);
  });

  it('pages through the recorded signatures of an address exactly once', async () => {
    const address = '4kLALtynrmd6pU2LkGXZCmUaMDfsnVixs7SkLjPKNJQG';
    const page = recorded(`rpc-staketax-solana/_get_txids/wrapper-${address}-1000-.json`);
    const listed: { signature: string }[] = page.result;
    const empty = (result: unknown) => ({ json: { jsonrpc: '2.0', id: 1, result } });
    const server = await serveUpstream(({ body }) => {
      const { method, params } = body as { method: string; params: [string, { before?: string; limit?: number }] };
      if (method === 'getSignaturesForAddress') {
        const start = params[1].before ? listed.findIndex(({ signature: s }) => s === params[1].before) + 1 : 0;
        return empty(listed.slice(start, start + params[1].limit!));
      }
      return empty(
        method === 'getTransaction' ? null : { context: { slot: 1 }, value: method === 'getAccountInfo' ? null : [] },
      );
    });
    const source = openSolana({ rpcUrl: server.url }, { pageLimit: 50 });
    const history = await source.history(address);
    await server.close();
    expect(history.transactionCount).toBe(listed.length);
    expect(history.coverage.reasons).toEqual(['pruned_history']);
  });
});
